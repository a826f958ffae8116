// RUN: dae-opt %s --split-input-file --verify-diagnostics

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @floatInput(%x: tensor<1x4x4x2xf32>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{has an input of type 'tensor<1x4x4x2xf32>' and a result of type 'tensor<1x2x2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>'; expected both quantized or both of f32}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2xf32>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!u = !quant.uniform<u8<1:255>:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @unsignedInput(%x: tensor<1x4x4x2x!u>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{expected elements of type f32, or !quant.uniform of 8 bits with one scale}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!u>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!narrow = !quant.uniform<i8<-127:127>:f32, 0.5>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @narrowInput(%x: tensor<1x4x4x2x!narrow>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{expected elements of type f32, or !quant.uniform of 8 bits with one scale}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!narrow>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!wide = !quant.uniform<i16:f32, 0.5>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @wideInput(%x: tensor<1x4x4x2x!wide>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{expected elements of type f32, or !quant.uniform of 8 bits with one scale}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!wide>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!channels = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @inputOfChannels(%x: tensor<2x4x4x2x!channels>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{expected elements of type f32, or !quant.uniform of 8 bits with one scale}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<2x4x4x2x!channels>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<2x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @flatInput(%x: tensor<4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{expected 4 dimensions of at least 1}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @dynamicInput(%x: tensor<?x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{expected 4 dimensions of at least 1}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<?x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @emptyInput(%x: tensor<0x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{expected 4 dimensions of at least 1}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<0x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<0x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @floatResult(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{and a result of type 'tensor<1x2x2x2xf32>'; expected both quantized or both of f32}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2xf32>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @weightsWithZeroPoint(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!x>, %b: tensor<2x!b>) {
  // expected-error @below {{has weights of type}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!x>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @floatWeights(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2xf32>, %b: tensor<2x!b>) {
  // expected-error @below {{has weights of type}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2xf32>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @wideWeights(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!b>, %b: tensor<2x!b>) {
  // expected-error @below {{has weights of type}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!b>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @weightsOfInputChannels(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!quant.uniform<i8:f32:3, {0.5, 0.25}>>, %b: tensor<2x!b>) {
  // expected-error @below {{one along the first dimension}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!quant.uniform<i8:f32:3, {0.5, 0.25}>>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!channels = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @weightsOfTooFewScales(%x: tensor<1x4x4x2x!x>, %w: tensor<3x3x3x2x!channels>, %b: tensor<3x!b>) {
  // expected-error @below {{one along the first dimension}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<3x3x3x2x!channels>, tensor<3x!b>) -> tensor<1x2x2x3x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @weightsWithZeroPoints(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!quant.uniform<i8:f32:0, {0.5:1, 0.25:1}>>, %b: tensor<2x!b>) {
  // expected-error @below {{with zero point 0}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!quant.uniform<i8:f32:0, {0.5:1, 0.25:1}>>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @weightsWithOneZeroPoint(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>, %b: tensor<2x!b>) {
  // expected-error @below {{with zero point 0}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
func.func @narrowBias(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!w>) {
  // expected-error @below {{has a bias of type}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!w>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @squareBias(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x1x!b>) {
  // expected-error @below {{for 2 output channels of its weights; expected one number or one per channel}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x1x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @shortBias(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<3x!b>) {
  // expected-error @below {{for 2 output channels of its weights; expected one number or one per channel}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<3x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @groupsOfOutputs(%x: tensor<1x4x4x2x!x>, %w: tensor<3x3x3x1x!w>, %b: tensor<3x!b>) {
  // expected-error @below {{has 2 groups of 2 input and 3 output channels}}
  %y = qnn.conv %x by %w plus %b {channels_last, groups = 2 : i64} : (tensor<1x4x4x2x!x>, tensor<3x3x3x1x!w>, tensor<3x!b>) -> tensor<1x2x2x3x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @groupsOfInputs(%x: tensor<1x4x4x3x!x>, %w: tensor<2x3x3x1x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{has 2 groups of 3 input and 2 output channels}}
  %y = qnn.conv %x by %w plus %b {channels_last, groups = 2 : i64} : (tensor<1x4x4x3x!x>, tensor<2x3x3x1x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @weightsOfOtherChannels(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x1x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{and weights of 1 input channels}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x1x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @noGroups(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{attribute 'groups' failed to satisfy constraint}}
  %y = qnn.conv %x by %w plus %b {channels_last, groups = 0 : i64} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @noStride(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{attribute 'strides' failed to satisfy constraint}}
  %y = qnn.conv %x by %w plus %b {channels_last, strides = array<i64: 1, 0>} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @threeStrides(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{attribute 'strides' failed to satisfy constraint}}
  %y = qnn.conv %x by %w plus %b {channels_last, strides = array<i64: 1, 1, 1>} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @negativePad(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{attribute 'pad' failed to satisfy constraint}}
  %y = qnn.conv %x by %w plus %b {channels_last, pad = array<i64: 0, 0, -1, 0>} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @endlessPad(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{has a window with 9223372036854775807; expected numbers up to 2^31}}
  %y = qnn.conv %x by %w plus %b {channels_last, pad = array<i64: 0, 0, 9223372036854775807, 0>} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @windowBeyond(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{has a window of 5 in a padded image of 4}}
  %y = qnn.conv %x by %w plus %b {channels_last, dilations = array<i64: 1, 2>} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @otherResult(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %b: tensor<2x!b>) {
  // expected-error @below {{has a result of 1x2x3x2 elements; expected 1x2x2x2}}
  %y = qnn.conv %x by %w plus %b {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<2x!b>) -> tensor<1x2x3x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @matrixOfOtherColumns(%x: tensor<2x8x!x>, %w: tensor<4x7x!w>, %b: tensor<4x!b>) {
  // expected-error @below {{has an input of 8 columns and weights of 7}}
  %y = qnn.matmul %x by %w plus %b {transposed} : (tensor<2x8x!x>, tensor<4x7x!w>, tensor<4x!b>) -> tensor<2x4x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @matrixOfFloats(%x: tensor<2x8xf32>, %w: tensor<4x8x!w>, %b: tensor<4x!b>) {
  // expected-error @below {{has an input of type}}
  %y = qnn.matmul %x by %w plus %b {transposed} : (tensor<2x8xf32>, tensor<4x8x!w>, tensor<4x!b>) -> tensor<2x4x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @matrixToFloats(%x: tensor<2x8x!x>, %w: tensor<4x8x!w>, %b: tensor<4x!b>) {
  // expected-error @below {{expected both quantized or both of f32}}
  %y = qnn.matmul %x by %w plus %b {transposed} : (tensor<2x8x!x>, tensor<4x8x!w>, tensor<4x!b>) -> tensor<2x4xf32>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @matrixOfFloatWeights(%x: tensor<2x8x!x>, %w: tensor<4x8xf32>, %b: tensor<4x!b>) {
  // expected-error @below {{has weights of type}}
  %y = qnn.matmul %x by %w plus %b {transposed} : (tensor<2x8x!x>, tensor<4x8xf32>, tensor<4x!b>) -> tensor<2x4x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
!b = !quant.uniform<i32:f32, 0.0625>
func.func @matrixOfOtherSize(%x: tensor<2x8x!x>, %w: tensor<4x8x!w>, %b: tensor<4x!b>) {
  // expected-error @below {{has a result of 4x2 elements; expected 2x4}}
  %y = qnn.matmul %x by %w plus %b {transposed} : (tensor<2x8x!x>, tensor<4x8x!w>, tensor<4x!b>) -> tensor<4x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @sumOfFloats(%x: tensor<2x3x!x>, %w: tensor<2x3xf32>) {
  // expected-error @below {{has an operand of type}}
  %y = qnn.add %x, %w : (tensor<2x3x!x>, tensor<2x3xf32>) -> tensor<2x3x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @sumToFloats(%x: tensor<2x3x!x>, %w: tensor<2x3x!x>) {
  // expected-error @below {{expected both quantized or both of f32}}
  %y = qnn.add %x, %w : (tensor<2x3x!x>, tensor<2x3x!x>) -> tensor<2x3xf32>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @sumOfRanks(%x: tensor<2x3x!x>, %w: tensor<3x!x>) {
  // expected-error @below {{and a result of 1 dimensions; expected at least as many}}
  %y = qnn.add %x, %w : (tensor<2x3x!x>, tensor<3x!x>) -> tensor<3x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @sumOfSizes(%x: tensor<2x3x!x>, %w: tensor<2x2x!x>) {
  // expected-error @below {{which do not broadcast}}
  %y = qnn.add %x, %w : (tensor<2x3x!x>, tensor<2x2x!x>) -> tensor<2x3x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @differenceOfOtherSize(%x: tensor<2x3x!x>, %w: tensor<2x1x!x>) {
  // expected-error @below {{has a result of 2x1 elements; expected 2x3}}
  %y = qnn.sub %x, %w : (tensor<2x3x!x>, tensor<2x1x!x>) -> tensor<2x1x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @productOfOtherSize(%x: tensor<2x3x!x>, %w: tensor<2x3x!x>) {
  // expected-error @below {{has a result of 3x2 elements; expected 2x3}}
  %y = qnn.mul %x, %w : (tensor<2x3x!x>, tensor<2x3x!x>) -> tensor<3x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @poolOfFloats(%x: tensor<1x4x4x2xf32>) {
  // expected-error @below {{has an input of type}}
  %y = qnn.max_pool %x {channels_last, kernel = array<i64: 3, 3>} : tensor<1x4x4x2xf32> -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @poolToFloats(%x: tensor<1x4x4x2x!x>) {
  // expected-error @below {{expected both quantized or both of f32}}
  %y = qnn.max_pool %x {channels_last, kernel = array<i64: 3, 3>} : tensor<1x4x4x2x!x> -> tensor<1x2x2x2xf32>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @poolOfAll(%x: tensor<1x4x4x2x!x>) {
  // expected-error @below {{has a window of 5 in a padded image of 4}}
  %y = qnn.max_pool %x {channels_last, kernel = array<i64: 5, 3>} : tensor<1x4x4x2x!x> -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @poolOfPadding(%x: tensor<1x4x4x2x!x>) {
  // expected-error @below {{has padding 3, as large as its window}}
  %y = qnn.max_pool %x {channels_last, kernel = array<i64: 3, 3>, pad = array<i64: 0, 3, 0, 0>} : tensor<1x4x4x2x!x> -> tensor<1x5x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @poolOfOtherSize(%x: tensor<1x4x4x2x!x>) {
  // expected-error @below {{has a result of 1x2x2x1 elements; expected 1x2x2x2}}
  %y = qnn.max_pool %x {channels_last, kernel = array<i64: 3, 3>} : tensor<1x4x4x2x!x> -> tensor<1x2x2x1x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @meanOfPadding(%x: tensor<1x4x4x2x!x>) {
  // expected-error @below {{has padding 3, as large as its window}}
  %y = qnn.average_pool %x {channels_last, kernel = array<i64: 3, 3>, pad = array<i64: 3, 0, 0, 0>} : tensor<1x4x4x2x!x> -> tensor<1x5x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @meanOfTooMuch(%x: tensor<1x4x4x2x!x>) {
  // expected-error @below {{counts 2 of 1 elements of padding behind the image}}
  %y = qnn.average_pool %x {channels_last, kernel = array<i64: 3, 3>, pad = array<i64: 0, 1, 0, 0>, counted_end = array<i64: 2, 0>} : tensor<1x4x4x2x!x> -> tensor<1x3x2x2x!x>
  return
}

// -----

func.func @mixedSum(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @below {{which do not broadcast}}
  %z = qnn.add %x, %y : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @upsampleOfOther(%x: tensor<1x2x3x4xf32>) {
  // expected-error @below {{has a result of 1x2x6x4 elements; expected 1x2x6x8}}
  %y = qnn.upsample %x {factors = array<i64: 2, 2>} : tensor<1x2x3x4xf32> -> tensor<1x2x6x4xf32>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.5:4>
func.func @upsampleRescales(%x: tensor<1x2x3x4x!x>) {
  // expected-error @below {{expected the same elements}}
  %y = qnn.upsample %x {factors = array<i64: 2, 2>} : tensor<1x2x3x4x!x> -> tensor<1x2x6x8x!y>
  return
}

// -----

func.func @upsampleByMuch(%x: tensor<1x2x3x4xf32>) {
  // expected-error @below {{repeats 4294967296 times; expected at most 2^31}}
  %y = qnn.upsample %x {factors = array<i64: 4294967296, 2>} : tensor<1x2x3x4xf32> -> tensor<1x2x6x8xf32>
  return
}

// -----

func.func @concatOfNothing() {
  // expected-error @below {{has no parts; expected at least one}}
  %y = "qnn.concat"() <{axis = 0 : i64}> : () -> tensor<2xf32>
  return
}

// -----

func.func @concatAlongMore(%x: tensor<2x3xf32>) {
  // expected-error @below {{has axis 2 and a result of 2 dimensions}}
  %y = qnn.concat %x along 2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @concatOfShapes(%x: tensor<2x3xf32>, %y: tensor<3x3xf32>) {
  // expected-error @below {{expected the same dimensions but 1}}
  %z = qnn.concat %x, %y along 1 : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.5:4>
func.func @concatOfScales(%x: tensor<2x3x!x>, %y: tensor<2x3x!y>) {
  // expected-error @below {{expected the same elements}}
  %z = qnn.concat %x, %y along 1 : (tensor<2x3x!x>, tensor<2x3x!y>) -> tensor<2x6x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @quantizedNormalization(%x: tensor<1x2x3x4x!x>, %p: tensor<2xf32>) {
  // expected-error @below {{expected elements of type f32}}
  %y = qnn.batch_norm %x by %p, %p, %p, %p {epsilon = 1.0e-5 : f32}
      : (tensor<1x2x3x4x!x>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3x4x!x>
  return
}

// -----

func.func @normalizationOfChannels(%x: tensor<1x2x3x4xf32>, %p: tensor<3xf32>) {
  // expected-error @below {{expected 2 numbers, one per channel}}
  %y = qnn.batch_norm %x by %p, %p, %p, %p {epsilon = 1.0e-5 : f32}
      : (tensor<1x2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @batchesOfOtherDepth(%a: tensor<2x5x8x!x>, %b: tensor<2x7x9x!x>) {
  // expected-error @below {{multiplies matrices of 8 columns with matrices of 7 rows}}
  %y = qnn.batch_matmul %a by %b : (tensor<2x5x8x!x>, tensor<2x7x9x!x>) -> tensor<2x5x9x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @batchesThatDoNotBroadcast(%a: tensor<2x5x8x!x>, %b: tensor<3x8x9x!x>) {
  // expected-error @below {{has operands of types 'tensor<2x5x8x!quant.uniform<i8:f32, 5.000000e-01:3>>' and 'tensor<3x8x9x!quant.uniform<i8:f32, 5.000000e-01:3>>', whose batches do not broadcast}}
  %y = qnn.batch_matmul %a by %b : (tensor<2x5x8x!x>, tensor<3x8x9x!x>) -> tensor<2x5x9x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @batchesOfOtherSize(%a: tensor<2x5x8x!x>, %b: tensor<1x8x9x!x>) {
  // expected-error @below {{has a result of 1x5x9 elements; expected 2x5x9}}
  %y = qnn.batch_matmul %a by %b : (tensor<2x5x8x!x>, tensor<1x8x9x!x>) -> tensor<1x5x9x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @batchesOfFloats(%a: tensor<2x5x8x!x>, %b: tensor<2x8x9xf32>) {
  // expected-error @below {{expected both quantized or both of f32}}
  %y = qnn.batch_matmul %a by %b : (tensor<2x5x8x!x>, tensor<2x8x9xf32>) -> tensor<2x5x9x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @batchOfAVector(%a: tensor<8x!x>, %b: tensor<2x8x9x!x>) {
  // expected-error @below {{has an operand of type 'tensor<8x!quant.uniform<i8:f32, 5.000000e-01:3>>'; expected 2 dimensions of at least 1}}
  %y = qnn.batch_matmul %a by %b : (tensor<8x!x>, tensor<2x8x9x!x>) -> tensor<2x1x9x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @orderOfOneDimensionTwice(%a: tensor<2x5x8x!x>, %b: tensor<2x9x8x!x>) {
  // expected-error @below {{has an operand of type 'tensor<2x9x8x!quant.uniform<i8:f32, 5.000000e-01:3>>' in the order 0, 2, 2; expected each of its 3 dimensions once}}
  %y = qnn.batch_matmul %a by %b {right_order = array<i64: 0, 2, 2>} : (tensor<2x5x8x!x>, tensor<2x9x8x!x>) -> tensor<2x5x9x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @orderOfTooFew(%a: tensor<2x5x8x!x>, %b: tensor<2x8x9x!x>) {
  // expected-error @below {{in the order 1, 0; expected each of its 3 dimensions once}}
  %y = qnn.batch_matmul %a by %b {left_order = array<i64: 1, 0>} : (tensor<2x5x8x!x>, tensor<2x8x9x!x>) -> tensor<2x5x9x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @orderOutside(%a: tensor<2x5x8x!x>, %b: tensor<2x8x9x!x>) {
  // expected-error @below {{in the order 0, 1, 3; expected each of its 3 dimensions once}}
  %y = qnn.batch_matmul %a by %b {left_order = array<i64: 0, 1, 3>} : (tensor<2x5x8x!x>, tensor<2x8x9x!x>) -> tensor<2x5x9x!x>
  return
}

// -----

func.func @residualOfFloats(%x: tensor<2x8xf32>, %w: tensor<4x8xf32>, %r: tensor<2x4xf32>) {
  // expected-error @below {{has a residual of type 'tensor<2x4xf32>' and a result of type 'tensor<2x4xf32>'; expected quantized tensors of one shape}}
  %y = qnn.matmul %x by %w and %r {transposed} : (tensor<2x8xf32>, tensor<4x8xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
func.func @residualOfAnotherShape(%x: tensor<1x4x4x2x!x>, %w: tensor<2x3x3x2x!w>, %r: tensor<1x1x1x2x!x>) {
  // expected-error @below {{has a residual of type 'tensor<1x1x1x2x!quant.uniform<i8:f32, 5.000000e-01:3>>' and a result of type 'tensor<1x2x2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>'; expected quantized tensors of one shape}}
  %y = qnn.conv %x by %w and %r {channels_last} : (tensor<1x4x4x2x!x>, tensor<2x3x3x2x!w>, tensor<1x1x1x2x!x>) -> tensor<1x2x2x2x!x>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.125>
func.func @sumsWithAResidual(%x: tensor<2x8x!x>, %w: tensor<4x8x!w>, %r: tensor<2x4x!x>) {
  // expected-error @below {{has a result of type 'tensor<2x4xi32>'; expected such sums of quantized tensors, without a bias or a residual}}
  %y = qnn.matmul %x by %w and %r {transposed} : (tensor<2x8x!x>, tensor<4x8x!w>, tensor<2x4x!x>) -> tensor<2x4xi32>
  return
}

// -----

func.func @sumsOfFloats(%x: tensor<2x8xf32>, %w: tensor<4x8xf32>) {
  // expected-error @below {{has an input of type 'tensor<2x8xf32>' and a result of type 'tensor<2x4xi32>'; expected both quantized or both of f32}}
  %y = qnn.matmul %x by %w {transposed} : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @transposedOfOtherChannels(%x: tensor<1x2x3x4xf32>, %w: tensor<3x4x2x2xf32>) {
  // expected-error @below {{has an input of 2 channels and weights of 3 input channels}}
  %y = qnn.transposed_conv %x by %w : (tensor<1x2x3x4xf32>, tensor<3x4x2x2xf32>) -> tensor<1x4x4x5xf32>
  return
}

// -----

func.func @transposedToOtherChannels(%x: tensor<1x2x3x4xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error @below {{has a result of 1x5x4x5 elements; expected 1x4x4x5}}
  %y = qnn.transposed_conv %x by %w : (tensor<1x2x3x4xf32>, tensor<2x4x2x2xf32>) -> tensor<1x5x4x5xf32>
  return
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
func.func @transposedOfIntegers(%x: tensor<1x2x3x4x!x>, %w: tensor<2x4x2x2x!x>) {
  // expected-error @below {{expected elements of type f32}}
  %y = qnn.transposed_conv %x by %w : (tensor<1x2x3x4x!x>, tensor<2x4x2x2x!x>) -> tensor<1x4x4x5x!x>
  return
}

// -----

func.func @transposedWithOtherBias(%x: tensor<1x2x3x4xf32>, %w: tensor<2x4x2x2xf32>, %b: tensor<2xf32>) {
  // expected-error @below {{has a bias of type 'tensor<2xf32>' for 4 output channels}}
  %y = qnn.transposed_conv %x by %w plus %b
      : (tensor<1x2x3x4xf32>, tensor<2x4x2x2xf32>, tensor<2xf32>) -> tensor<1x4x4x5xf32>
  return
}

// -----

func.func @transposedByMuch(%x: tensor<1x2x3x4xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error @below {{cuts or strides by 4294967296; expected at most 2^31}}
  %y = qnn.transposed_conv %x by %w {strides = array<i64: 4294967296, 1>}
      : (tensor<1x2x3x4xf32>, tensor<2x4x2x2xf32>) -> tensor<1x4x4x5xf32>
  return
}
