// RUN: dae-opt %s | dae-opt | FileCheck %s

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25>
!w = !quant.uniform<i8:f32, 0.125>
!rows = !quant.uniform<i16:f32:0, {0.125, 0.25, 0.5, 1.0}>
!b = !quant.uniform<i32:f32, 0.0625>
!biases = !quant.uniform<i32:f32:0, {0.0625, 0.125, 0.25, 0.5}>

// CHECK-LABEL: @transposed
func.func @transposed(%x: tensor<1x3x8x8xf32>, %w: tensor<3x4x4x2xf32>, %b: tensor<4xf32>) {
  // CHECK: qnn.transposed_conv %arg0 by %arg1 : (
  %0 = qnn.transposed_conv %x by %w {cut = array<i64: 0, 0>, strides = array<i64: 1, 1>}
      : (tensor<1x3x8x8xf32>, tensor<3x4x4x2xf32>) -> tensor<1x4x11x9xf32>
  // CHECK: qnn.transposed_conv %arg0 by %arg1 plus %arg2 {cut = array<i64: 1, 0>, strides = array<i64: 2, 3>} : (
  %1 = qnn.transposed_conv %x by %w plus %b {cut = array<i64: 1, 0>, strides = array<i64: 2, 3>}
      : (tensor<1x3x8x8xf32>, tensor<3x4x4x2xf32>, tensor<4xf32>) -> tensor<1x4x16x24xf32>
  return
}

// CHECK-LABEL: @products
func.func @products(%x: tensor<1x9x8x6x!x>, %w: tensor<4x3x2x6x!w>, %g: tensor<4x3x2x3x!rows>, %b: tensor<4x!b>,
                    %v: tensor<2x8x!x>, %m: tensor<4x8x!rows>, %c: tensor<4x!biases>) {
  // CHECK: qnn.conv %arg0 by %arg1 plus %arg3 {channels_last} : (
  %0 = qnn.conv %x by %w plus %b
      {channels_last, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64}
      : (tensor<1x9x8x6x!x>, tensor<4x3x2x6x!w>, tensor<4x!b>) -> tensor<1x7x7x4x!y>
  // CHECK: qnn.conv %arg0 by %arg2 plus %arg6 {channels_last, dilations = array<i64: 2, 1>, groups = 2 : i64, pad = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 3>}
  %1 = qnn.conv %x by %g plus %c
      {channels_last, pad = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 3>, dilations = array<i64: 2, 1>, groups = 2 : i64}
      : (tensor<1x9x8x6x!x>, tensor<4x3x2x3x!rows>, tensor<4x!biases>) -> tensor<1x3x4x4x!y>
  // CHECK: qnn.conv %arg0 by %arg1 and %{{.*}} {channels_last} : (tensor<1x9x8x6x!quant{{.*}}>, tensor<4x3x2x6x!quant{{.*}}>, tensor<1x7x7x4x!quant
  %3 = qnn.conv %x by %w and %0 {channels_last} : (tensor<1x9x8x6x!x>, tensor<4x3x2x6x!w>, tensor<1x7x7x4x!y>) -> tensor<1x7x7x4x!x>
  // CHECK: qnn.matmul %arg4 by %arg5 plus %arg6 {transposed} :
  %2 = qnn.matmul %v by %m plus %c {transposed} : (tensor<2x8x!x>, tensor<4x8x!rows>, tensor<4x!biases>) -> tensor<2x4x!y>
  // CHECK: qnn.matmul %arg4 by %arg5 plus %arg6 and %{{.*}} {transposed} :
  %4 = qnn.matmul %v by %m plus %c and %2 {transposed}
      : (tensor<2x8x!x>, tensor<4x8x!rows>, tensor<4x!biases>, tensor<2x4x!y>) -> tensor<2x4x!x>
  return
}

// CHECK-LABEL: @batches
func.func @batches(%q: tensor<1x3x5x8x!x>, %k: tensor<1x3x7x8x!y>, %v: tensor<8x9x!x>, %f: tensor<2x1x5x8xf32>, %g: tensor<3x8x6xf32>) {
  // CHECK: qnn.batch_matmul %arg0 by %arg1 {right_order = array<i64: 0, 1, 3, 2>} : (
  %0 = qnn.batch_matmul %q by %k {right_order = array<i64: 0, 1, 3, 2>}
      : (tensor<1x3x5x8x!x>, tensor<1x3x7x8x!y>) -> tensor<1x3x5x7x!w>
  // CHECK: qnn.batch_matmul %arg0 by %arg2 {left_order = array<i64: 0, 1, 2, 3>} : (
  %1 = qnn.batch_matmul %q by %v {left_order = array<i64: 0, 1, 2, 3>} : (tensor<1x3x5x8x!x>, tensor<8x9x!x>) -> tensor<1x3x5x9x!w>
  // CHECK: qnn.batch_matmul %arg3 by %arg4 : (
  %2 = qnn.batch_matmul %f by %g : (tensor<2x1x5x8xf32>, tensor<3x8x6xf32>) -> tensor<2x3x5x6xf32>
  return
}

// CHECK-LABEL: @pairs
func.func @pairs(%x: tensor<2x3x!x>, %row: tensor<1x3x!y>, %column: tensor<2x1x!y>) {
  // CHECK: qnn.add %arg0, %arg1 : (
  %0 = qnn.add %x, %row : (tensor<2x3x!x>, tensor<1x3x!y>) -> tensor<2x3x!y>
  // CHECK: qnn.sub %arg1, %arg2 : (
  %1 = qnn.sub %row, %column : (tensor<1x3x!y>, tensor<2x1x!y>) -> tensor<2x3x!x>
  // CHECK: qnn.mul
  %2 = qnn.mul %x, %x : (tensor<2x3x!x>, tensor<2x3x!x>) -> tensor<2x3x!y>
  return
}

// CHECK-LABEL: @pools
func.func @pools(%x: tensor<1x9x8x6x!x>) {
  // CHECK: qnn.max_pool %arg0 {channels_last, dilations = array<i64: 2, 1>, kernel = array<i64: 3, 2>} :
  %0 = qnn.max_pool %x {channels_last, kernel = array<i64: 3, 2>, dilations = array<i64: 2, 1>} : tensor<1x9x8x6x!x> -> tensor<1x5x7x6x!x>
  // CHECK: qnn.average_pool %arg0 {channels_last, kernel = array<i64: 9, 8>} :
  %1 = qnn.average_pool %x {channels_last, kernel = array<i64: 9, 8>} : tensor<1x9x8x6x!x> -> tensor<1x1x1x6x!y>
  // CHECK: qnn.average_pool %arg0 {channels_last, counted_end = array<i64: 0, 1>, kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 0, 1>, strides = array<i64: 2, 2>} :
  %2 = qnn.average_pool %x {channels_last, kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 0, 1>, strides = array<i64: 2, 2>, counted_end = array<i64: 0, 1>}
      : tensor<1x9x8x6x!x> -> tensor<1x5x4x6x!y>
  return
}

// CHECK-LABEL: @real
func.func @real(%x: tensor<1x6x9x8xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>, %m: tensor<8x5xf32>, %p: tensor<6xf32>,
                %one: tensor<1xf32>) {
  // CHECK: qnn.conv %arg0 by %arg1 plus %arg2 {groups = 2 : i64} : (
  %0 = qnn.conv %x by %w plus %b {groups = 2 : i64}
      : (tensor<1x6x9x8xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x4x7x7xf32>
  // CHECK: qnn.conv %arg0 by %arg1 {groups = 2 : i64} : (
  %1 = qnn.conv %x by %w {groups = 2 : i64} : (tensor<1x6x9x8xf32>, tensor<4x3x3x2xf32>) -> tensor<1x4x7x7xf32>
  // CHECK: qnn.matmul %arg0 by %arg3 plus %arg5 : (
  %2 = qnn.matmul %x by %m plus %one : (tensor<1x6x9x8xf32>, tensor<8x5xf32>, tensor<1xf32>) -> tensor<1x6x9x5xf32>
  // CHECK: qnn.batch_norm %arg0 by %arg4, %arg4, %arg4, %arg4 {epsilon = 9.99999974E-6 : f32} : (
  %3 = qnn.batch_norm %x by %p, %p, %p, %p {epsilon = 1.0e-5 : f32}
      : (tensor<1x6x9x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x6x9x8xf32>
  // CHECK: qnn.upsample %arg0 {factors = array<i64: 2, 3>} :
  %4 = qnn.upsample %x {factors = array<i64: 2, 3>} : tensor<1x6x9x8xf32> -> tensor<1x6x18x24xf32>
  // CHECK: qnn.concat %arg0, %arg0 along 2 : (
  %5 = qnn.concat %x, %x along 2 : (tensor<1x6x9x8xf32>, tensor<1x6x9x8xf32>) -> tensor<1x6x18x8xf32>
  // CHECK: qnn.add %arg0, %arg5 : (
  %6 = qnn.add %x, %one : (tensor<1x6x9x8xf32>, tensor<1xf32>) -> tensor<1x6x9x8xf32>
  return
}
