// RUN: dae-opt %s --cpu-share-kernels | FileCheck %s

// Two kernels that differ in names alone are one function in the model's module. Their steps call it, each with the
// constants of the kernel it had, and the schedule names it once.
// CHECK-DAG: memref.global "private" constant @a : memref<2xf32> = dense<1.000000e+00>
// CHECK-DAG: memref.global "private" constant @b : memref<2xf32> = dense<2.000000e+00>
// CHECK: host.step @first(%{{.*}}) {constants = [@a]
// CHECK: host.step @first(%{{.*}}) {constants = [@b]
// CHECK-NOT: module
// CHECK-NOT: func.func private @first
// CHECK: cpu.kernel "0123456789abcdef" [@first] loops
// CHECK: func.func @first(%{{.*}}: memref<2xf32>, %{{.*}}: memref<2xf32>, %{{.*}}: memref<2xf32>) -> i32
// CHECK-NOT: @second
// CHECK-NOT: cpu.constants
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = host.step @first(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<2xf32>) -> tensor<2xf32>
  %z = host.step @second(%y) {layers = array<i64: 0>, target = "cpu"} : (tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}
func.func private @first(tensor<2xf32>) -> tensor<2xf32>
func.func private @second(tensor<2xf32>) -> tensor<2xf32>
module {
  cpu.schedule format 1 {
    cpu.kernel "0123456789abcdef" [@first, @second] loops [2] tile [2]
  }
  memref.global "private" constant @a : memref<2xf32> = dense<1.0>
  memref.global "private" constant @b : memref<2xf32> = dense<2.0>
  func.func @first(%x: memref<2xf32>, %w: memref<2xf32>, %y: memref<2xf32>) -> i32 {
    cpu.constants [@a]
    %good = arith.constant 0 : i32
    linalg.add ins(%x, %w : memref<2xf32>, memref<2xf32>) outs(%y : memref<2xf32>)
    return %good : i32
  }
  func.func @second(%x: memref<2xf32>, %w: memref<2xf32>, %y: memref<2xf32>) -> i32 {
    cpu.constants [@b]
    %good = arith.constant 0 : i32
    linalg.add ins(%x, %w : memref<2xf32>, memref<2xf32>) outs(%y : memref<2xf32>)
    return %good : i32
  }
}
