// RUN: dae-opt %s --cpu-lower-kernels --split-input-file | FileCheck %s

// Weights lie in panels of 16 columns, of which the last one is filled up with zeros. They are arguments of the kernel
// that is left of two which differ in them alone.
// CHECK-DAG: memref.global "private" constant @[[A:.*]] : memref<2x5x16xf32> = dense<"0x
// CHECK-DAG: memref.global "private" constant @[[B:.*]] : memref<2x5x16xf32> = dense<2.000000e+00>
// CHECK: host.step @first(%{{.*}}) {constants = [@[[A]]]
// CHECK: host.step @first(%{{.*}}) {constants = [@[[B]]]
// CHECK: func.func @first(%[[X:.*]]: memref<4x5xf32>, %[[W:.*]]: memref<2x5x16xf32>, %{{.*}}: memref<4x32xf32>) -> i32
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]], %[[W]]
// CHECK-NOT: func.func @second
host.package @main {inputs = [#host.value<name = "x", dtype = "float32">], layers = [#host.layer<node = "a", target = "cpu", reason = "", macs = 0>], outputs = [#host.value<name = "y", dtype = "float32">, #host.value<name = "z", dtype = "float32">]}
func.func @main(%x: tensor<4x5xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
  %y = host.step @first(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<4x5xf32>) -> tensor<4x32xf32>
  %z = host.step @second(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<4x5xf32>) -> tensor<4x32xf32>
  return %y, %z : tensor<4x32xf32>, tensor<4x32xf32>
}
func.func private @first(%x: tensor<4x5xf32>) -> tensor<4x32xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<5x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32xf32>) -> tensor<4x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x5xf32>, tensor<5x32xf32>) outs(%f : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
}
func.func private @second(%x: tensor<4x5xf32>) -> tensor<4x32xf32> {
  %w = arith.constant dense<2.0> : tensor<5x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32xf32>) -> tensor<4x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x5xf32>, tensor<5x32xf32>) outs(%f : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %y : tensor<4x32xf32>
}

// -----

// Of bytes, four steps of the reduction lie side by side in each column; a reduction of six is filled up to eight.
// What is read with every column is widened before; the fill stays right in front of the sums.
// CHECK: host.step @bytes
// CHECK: func.func @bytes(%{{.*}}: memref<4x6xi8>, %[[W:.*]]: memref<1x2x16x4xi8>, %{{.*}}: memref<4x16xi32>, %{{.*}}: memref<{{.*}}xi8>) -> i32
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<4x8xi8>) outs(%[[X:.*]] : memref<4x8xi16>)
// CHECK: linalg.fill
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[X]], %[[W]] : memref<4x8xi16>, memref<1x2x16x4xi8>
host.package @main {inputs = [#host.value<name = "x", dtype = "int8">], layers = [#host.layer<node = "a", target = "cpu", reason = "", macs = 0>], outputs = [#host.value<name = "y", dtype = "int32">]}
func.func @main(%x: tensor<4x6xi8>) -> tensor<4x16xi32> {
  %y = host.step @bytes(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<4x6xi8>) -> tensor<4x16xi32>
  return %y : tensor<4x16xi32>
}
func.func private @bytes(%x: tensor<4x6xi8>) -> tensor<4x16xi32> {
  %w = arith.constant dense<3> : tensor<16x6xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %y = linalg.matmul_transpose_b ins(%x, %w : tensor<4x6xi8>, tensor<16x6xi8>) outs(%f : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %y : tensor<4x16xi32>
}
