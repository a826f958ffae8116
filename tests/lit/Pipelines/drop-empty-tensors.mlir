// RUN: dae-opt %s --split-input-file --drop-empty-tensors | FileCheck %s
// RUN: dae-opt %s --split-input-file --daedalus-lower | FileCheck --check-prefix=LOWER %s

// What has no element is computed by nothing, of nothing: no kernel and no step.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4x0xf32>
// CHECK-NEXT: return %[[E]], %arg0
// CHECK-NOT: func.func
// LOWER-LABEL: func.func @main
// LOWER-NEXT: %[[E:.*]] = tensor.empty() : tensor<4x0xf32>
// LOWER-NEXT: return %[[E]], %arg0
// LOWER-NOT: host.step
func.func @main(%x: tensor<0x4xf32>) -> (tensor<4x0xf32>, tensor<0x4xf32>) {
  %y = call @turn(%x) : (tensor<0x4xf32>) -> tensor<4x0xf32>
  return %y, %x : tensor<4x0xf32>, tensor<0x4xf32>
}
func.func private @turn(%x: tensor<0x4xf32>) -> tensor<4x0xf32> {
  %e = tensor.empty() : tensor<4x0xf32>
  %y = linalg.transpose ins(%x : tensor<0x4xf32>) outs(%e : tensor<4x0xf32>) permutation = [1, 0]
  return %y : tensor<4x0xf32>
}

// -----

// A sum over nothing is what it starts from, and takes nothing.
// LOWER-LABEL: func.func @main
// LOWER: host.step @sum() {{.*}} : () -> tensor<4xf32>
// CHECK-LABEL: func.func @main
// CHECK: call @sum() : () -> tensor<4xf32>
// CHECK: func.func private @sum() -> tensor<4xf32> {
// CHECK: %[[F:.*]] = linalg.fill
// CHECK-NEXT: return %[[F]]
// CHECK-NOT: linalg.reduce
func.func @main(%x: tensor<0x4xf32>) -> tensor<4xf32> {
  %y = call @sum(%x) : (tensor<0x4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @sum(%x: tensor<0x4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.reduce {arith.addf} ins(%x : tensor<0x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  return %y : tensor<4xf32>
}

// -----

// Of a product with no terms, a pad around nothing and a concatenation with an empty part, in @main.
// CHECK-LABEL: func.func @main
// CHECK-NOT: linalg.matmul
// CHECK-NOT: tensor.pad
// CHECK: tensor.concat dim(0) %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @main(%x: tensor<2x0xf32>, %w: tensor<0x3xf32>, %v: tensor<2x3xf32>, %n: tensor<0x3xf32>)
    -> (tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = linalg.matmul ins(%x, %w : tensor<2x0xf32>, tensor<0x3xf32>) outs(%f : tensor<2x3xf32>) -> tensor<2x3xf32>
  %around = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x0xf32> to tensor<2x2xf32>
  %c = tensor.concat dim(0) %v, %n : (tensor<2x3xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  %i = tensor.insert_slice %n into %v[0, 0] [0, 3] [1, 1] : tensor<0x3xf32> into tensor<2x3xf32>
  return %p, %around, %c, %i : tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// A loop that never runs, and one that carries nothing but what has no element.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<0xf32>
// CHECK-NEXT: return %arg0, %[[E]]
func.func @main(%x: tensor<4xf32>, %n: tensor<0xf32>) -> (tensor<4xf32>, tensor<0xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %y = scf.for %k = %0 to %0 step %1 iter_args(%t = %x) -> tensor<4xf32> {
    %a = tensor.extract %n[%k] : tensor<0xf32>
    %u = tensor.insert %a into %t[%k] : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  %m = scf.for %k = %0 to %3 step %1 iter_args(%t = %n) -> tensor<0xf32> {
    %u = math.exp %t : tensor<0xf32>
    scf.yield %u : tensor<0xf32>
  }
  return %y, %m : tensor<4xf32>, tensor<0xf32>
}

// -----

// A kernel that checks its inputs stays.
// CHECK-LABEL: func.func @main
// CHECK: call @checked(%arg0) : (tensor<1xi64>) -> tensor<1xi8>
// CHECK: return %{{.*}} : tensor<0xf32>
// CHECK: func.func private @checked(%arg0: tensor<1xi64>) -> tensor<1xi8> {
// CHECK: cf.assert
func.func @main(%size: tensor<1xi64>, %x: tensor<0xf32>) -> tensor<0xf32> {
  %y = call @checked(%x, %size) : (tensor<0xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %y : tensor<0xf32>
}
func.func private @checked(%x: tensor<0xf32>, %size: tensor<1xi64>) -> tensor<0xf32> {
  %0 = arith.constant 0 : index
  %n = tensor.extract %size[%0] : tensor<1xi64>
  %none = arith.constant 0 : i64
  %is = arith.cmpi eq, %n, %none : i64
  cf.assert %is, "shape"
  return %x : tensor<0xf32>
}
