// RUN: dae-opt %s --split-input-file --verify-diagnostics --convert-graph-to-linalg

!u = !quant.uniform<u8:f32, 0.5>
func.func @main(%x: tensor<2xf32>) -> tensor<2xi8> {
  // expected-error @below {{'quant.qcast' has no kernel: expected signed storage, as qnn-signed-storage makes it}}
  %y = "quant.qcast"(%x) : (tensor<2xf32>) -> tensor<2x!u>
  %z = "quant.scast"(%y) : (tensor<2x!u>) -> tensor<2xi8>
  return %z : tensor<2xi8>
}

// -----

!c = !quant.uniform<i8:f32:0, {0.5, 0.25}>
func.func @main(%x: tensor<2xf32>) -> tensor<2xi8> {
  // expected-error @below {{expected a type of 8 bits with one scale}}
  %y = "quant.qcast"(%x) : (tensor<2xf32>) -> tensor<2x!c>
  %z = "quant.scast"(%y) : (tensor<2x!c>) -> tensor<2xi8>
  return %z : tensor<2xi8>
}

// -----

!c = !quant.uniform<i32:f32, 0.5>
func.func @main(%x: tensor<2xi32>) -> tensor<2xf32> {
  %y = "quant.scast"(%x) : (tensor<2xi32>) -> tensor<2x!c>
  // expected-error @below {{expected a type of 8 bits with one scale}}
  %z = "quant.dcast"(%y) : (tensor<2x!c>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
!b = !quant.uniform<i32:f32, 0.25>
func.func @main(%x: tensor<1x1x2x2xi8>) -> tensor<1x1x2x2xi8> {
  %q = "quant.scast"(%x) : (tensor<1x1x2x2xi8>) -> tensor<1x1x2x2x!x>
  %w = "tosa.const"() <{value = dense<1> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1x!x>
  %b = "tosa.const"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1x!b>
  // expected-error @below {{expected channels last, as qnn-channels-last makes them}}
  %y = qnn.conv %q by %w plus %b : (tensor<1x1x2x2x!x>, tensor<1x1x1x1x!x>, tensor<1x!b>) -> tensor<1x1x2x2x!x>
  %z = "quant.scast"(%y) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xi8>
  return %z : tensor<1x1x2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
!b = !quant.uniform<i32:f32, 0.25>
func.func @main(%x: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %q = "quant.scast"(%x) : (tensor<2x2xi8>) -> tensor<2x2x!x>
  %w = "tosa.const"() <{value = dense<1> : tensor<2x2xi8>}> : () -> tensor<2x2x!x>
  // expected-error @below {{expected an input of two dimensions, transposed constant weights and a constant bias a column}}
  %y = qnn.matmul %q by %w {transposed} : (tensor<2x2x!x>, tensor<2x2x!x>) -> tensor<2x2x!x>
  %z = "quant.scast"(%y) : (tensor<2x2x!x>) -> tensor<2x2xi8>
  return %z : tensor<2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<1x1x2x2xi8>) -> tensor<1x1x2x2xi8> {
  %q = "quant.scast"(%x) : (tensor<1x1x2x2xi8>) -> tensor<1x1x2x2x!x>
  // expected-error @below {{expected channels last}}
  %y = qnn.max_pool %q {kernel = array<i64: 1, 1>} : tensor<1x1x2x2x!x> -> tensor<1x1x2x2x!x>
  %z = "quant.scast"(%y) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xi8>
  return %z : tensor<1x1x2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<1x1x2x2xi8>) -> tensor<1x1x2x2xi8> {
  %q = "quant.scast"(%x) : (tensor<1x1x2x2xi8>) -> tensor<1x1x2x2x!x>
  // expected-error @below {{expected channels last}}
  %y = qnn.average_pool %q {kernel = array<i64: 1, 1>} : tensor<1x1x2x2x!x> -> tensor<1x1x2x2x!x>
  %z = "quant.scast"(%y) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xi8>
  return %z : tensor<1x1x2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<2x2xi8>, %v: tensor<2xi8>) -> tensor<2x2xi8> {
  %q = "quant.scast"(%x) : (tensor<2x2xi8>) -> tensor<2x2x!x>
  %r = "quant.scast"(%v) : (tensor<2xi8>) -> tensor<2x!x>
  // expected-error @below {{expected operands of the result's rank, as qnn-channels-last makes them}}
  %y = qnn.add %q, %r : (tensor<2x2x!x>, tensor<2x!x>) -> tensor<2x2x!x>
  %z = "quant.scast"(%y) : (tensor<2x2x!x>) -> tensor<2x2xi8>
  return %z : tensor<2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 1000000000.0>
!y = !quant.uniform<i8:f32, 0.125>
func.func @main(%x: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %q = "quant.scast"(%x) : (tensor<2x2xi8>) -> tensor<2x2x!x>
  // expected-error @below {{its input's scale is 2^30 or more of its output's; expected a smaller ratio}}
  %y = tosa.cast %q : (tensor<2x2x!x>) -> tensor<2x2x!y>
  %z = "quant.scast"(%y) : (tensor<2x2x!y>) -> tensor<2x2xi8>
  return %z : tensor<2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<1x4096x4096x1xi8>) -> tensor<1x1x1x1xi8> {
  %q = "quant.scast"(%x) : (tensor<1x4096x4096x1xi8>) -> tensor<1x4096x4096x1x!x>
  // expected-error @below {{averages 16777216 elements; expected at most 8421504, for their sum to fit 32 bits}}
  %y = qnn.average_pool %q {kernel = array<i64: 4096, 4096>, channels_last} : tensor<1x4096x4096x1x!x> -> tensor<1x1x1x1x!x>
  %z = "quant.scast"(%y) : (tensor<1x1x1x1x!x>) -> tensor<1x1x1x1xi8>
  return %z : tensor<1x1x1x1xi8>
}

// -----

!x = !quant.uniform<i8:f32, 1000000000.0>
!w = !quant.uniform<i8:f32, 1.0>
!b = !quant.uniform<i32:f32, 1000000000.0>
!y = !quant.uniform<i8:f32, 0.125>
func.func @main(%x: tensor<1x2xi8>) -> tensor<1x2xi8> {
  %q = "quant.scast"(%x) : (tensor<1x2xi8>) -> tensor<1x2x!x>
  %w = "tosa.const"() <{value = dense<1> : tensor<2x2xi8>}> : () -> tensor<2x2x!w>
  %b = "tosa.const"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2x!b>
  // expected-error @below {{the scale of output channel 0 is 2^30 or more of the output's scale; expected a smaller ratio}}
  %y = qnn.matmul %q by %w plus %b {transposed} : (tensor<1x2x!x>, tensor<2x2x!w>, tensor<2x!b>) -> tensor<1x2x!y>
  %z = "quant.scast"(%y) : (tensor<1x2x!y>) -> tensor<1x2xi8>
  return %z : tensor<1x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
!b = !quant.uniform<i32:f32, 0.25>
func.func @main(%x: tensor<1x2xi8>) -> tensor<1x2xi8> {
  %q = "quant.scast"(%x) : (tensor<1x2xi8>) -> tensor<1x2x!x>
  %w = "tosa.const"() <{value = dense<127> : tensor<2x2xi8>}> : () -> tensor<2x2x!x>
  %b = "tosa.const"() <{value = dense<2147483647> : tensor<2xi32>}> : () -> tensor<2x!b>
  // expected-error @below {{its accumulator of output channel 0 may reach 2147515905, which does not fit 32 bits; expected fewer input channels, smaller weights or a smaller bias}}
  %y = qnn.matmul %q by %w plus %b {transposed} : (tensor<1x2x!x>, tensor<2x2x!x>, tensor<2x!b>) -> tensor<1x2x!x>
  %z = "quant.scast"(%y) : (tensor<1x2x!x>) -> tensor<1x2xi8>
  return %z : tensor<1x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:-128>
func.func @main(%x: tensor<1x33026xi8>) -> tensor<1x1xi8> {
  %q = "quant.scast"(%x) : (tensor<1x33026xi8>) -> tensor<1x33026x!x>
  // expected-error @below {{its accumulator of 33026 products of up to 65025 may not fit 32 bits; expected at most 33025 products}}
  %y = qnn.batch_matmul %q by %q {right_order = array<i64: 1, 0>} : (tensor<1x33026x!x>, tensor<1x33026x!x>) -> tensor<1x1x!x>
  %z = "quant.scast"(%y) : (tensor<1x1x!x>) -> tensor<1x1xi8>
  return %z : tensor<1x1xi8>
}

// -----

!x = !quant.uniform<i8:f32, 1.0e6>
!y = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %q = "quant.scast"(%x) : (tensor<2x2xi8>) -> tensor<2x2x!x>
  // expected-error @below {{its input's scale is 2^30 or more of its output's; expected a smaller ratio}}
  %y = qnn.batch_matmul %q by %q : (tensor<2x2x!x>, tensor<2x2x!x>) -> tensor<2x2x!y>
  %z = "quant.scast"(%y) : (tensor<2x2x!y>) -> tensor<2x2xi8>
  return %z : tensor<2x2xi8>
}
