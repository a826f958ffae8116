// RUN: dae-opt %s --canonicalize | FileCheck %s

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:3>

// CHECK-LABEL: @same
// CHECK-NEXT: return %arg0, %arg0, %arg0
func.func @same(%x: tensor<1x2x3x4x!x>) -> (tensor<1x2x3x4x!x>, tensor<1x2x3x4x!x>, tensor<1x2x3x4x!x>) {
  %0 = qnn.max_pool %x {kernel = array<i64: 1, 1>, dilations = array<i64: 2, 2>} : tensor<1x2x3x4x!x> -> tensor<1x2x3x4x!x>
  %1 = qnn.upsample %x {factors = array<i64: 1, 1>} : tensor<1x2x3x4x!x> -> tensor<1x2x3x4x!x>
  %2 = qnn.concat %x along 2 : (tensor<1x2x3x4x!x>) -> tensor<1x2x3x4x!x>
  return %0, %1, %2 : tensor<1x2x3x4x!x>, tensor<1x2x3x4x!x>, tensor<1x2x3x4x!x>
}

// CHECK-LABEL: @others
func.func @others(%x: tensor<1x2x2x2x!x>) -> (tensor<1x2x2x2x!y>, tensor<1x2x1x1x!x>, tensor<1x2x2x4x!x>, tensor<1x4x2x2x!x>) {
  // CHECK: qnn.max_pool
  %0 = qnn.max_pool %x {kernel = array<i64: 1, 1>} : tensor<1x2x2x2x!x> -> tensor<1x2x2x2x!y>
  // CHECK: qnn.max_pool
  %1 = qnn.max_pool %x {kernel = array<i64: 1, 1>, strides = array<i64: 2, 2>} : tensor<1x2x2x2x!x> -> tensor<1x2x1x1x!x>
  // CHECK: qnn.upsample
  %2 = qnn.upsample %x {factors = array<i64: 1, 2>} : tensor<1x2x2x2x!x> -> tensor<1x2x2x4x!x>
  // CHECK: qnn.concat
  %3 = qnn.concat %x, %x along 1 : (tensor<1x2x2x2x!x>, tensor<1x2x2x2x!x>) -> tensor<1x4x2x2x!x>
  return %0, %1, %2, %3 : tensor<1x2x2x2x!y>, tensor<1x2x1x1x!x>, tensor<1x2x2x4x!x>, tensor<1x4x2x2x!x>
}
