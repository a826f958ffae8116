// RUN: dae-opt %s --split-input-file --verify-diagnostics --qnn-fold-constants

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @above {{has a value of type 'tensor<?xf32>'; expected tensors of a static shape}}
  %y = "tosa.clamp"(%x) <{min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32}> : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<65536x65536xf32>) -> tensor<65536x65536xf32> {
  // expected-error @above {{expected at most 2^31 elements}}
  %y = "tosa.clamp"(%x) <{min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32}> : (tensor<65536x65536xf32>) -> tensor<65536x65536xf32>
  return %y : tensor<65536x65536xf32>
}

// -----

func.func @main(%x: tensor<2xi48>) -> tensor<2xi48> {
  // expected-error @above {{has a value of type 'tensor<2xi48>'}}
  %y = tosa.reshape %x {new_shape = array<i64: 2>} : (tensor<2xi48>) -> tensor<2xi48>
  return %y : tensor<2xi48>
}

// -----

!x = !quant.uniform<i8:f32:1, {0.5, 0.25}>
func.func @main(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  // expected-error @below {{has a value of type}}
  %y = "quant.scast"(%x) : (tensor<2x3xi8>) -> tensor<2x3x!x>
  %z = "quant.scast"(%y) : (tensor<2x3x!x>) -> tensor<2x3xi8>
  return %z : tensor<2x3xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<3xf32>) -> tensor<2xi8> {
  // expected-error @below {{expected f32, and a quantized type of the same shape}}
  %y = "quant.qcast"(%x) : (tensor<3xf32>) -> tensor<2x!x>
  %z = "quant.scast"(%y) : (tensor<2x!x>) -> tensor<2xi8>
  return %z : tensor<2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<2xi8>) -> tensor<3xf32> {
  %y = "quant.scast"(%x) : (tensor<2xi8>) -> tensor<2x!x>
  // expected-error @below {{expected a quantized type, and f32 of the same shape}}
  %z = "quant.dcast"(%y) : (tensor<2x!x>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error @below {{expected a quantized type and the integers of its width, and one shape}}
  %y = "quant.scast"(%x) : (tensor<2xi32>) -> tensor<2x!x>
  %z = "quant.dcast"(%y) : (tensor<2x!x>) -> tensor<2xf32>
  return %x : tensor<2xi32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main() -> tensor<2xf32> {
  // expected-error @below {{has elements of type}}
  %y = "tosa.const"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2x!x>
  %z = "quant.dcast"(%y) : (tensor<2x!x>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{has a minimum above its maximum}}
  %y = tosa.clamp %x {min_int = 0 : i64, max_int = 0 : i64, min_fp = 2.0 : f32, max_fp = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error @below {{expected f32, or a quantized type of 8 bits with one scale, on both sides}}
  %y = tosa.clamp %x {min_int = 0 : i64, max_int = 1 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32} : (tensor<2xi32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xi32> {
  // expected-error @below {{expected quantized types of 8 bits with one scale, and one shape}}
  %y = tosa.cast %x : (tensor<2xf32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<2xi8>, %t: tensor<256xi8>) -> tensor<2xi8> {
  %q = "quant.scast"(%x) : (tensor<2xi8>) -> tensor<2x!x>
  %r = "quant.scast"(%t) : (tensor<256xi8>) -> tensor<256x!x>
  // expected-error @below {{and a constant of 256 entries}}
  %y = tosa.table %q, %r : (tensor<2x!x>, tensor<256x!x>) -> tensor<2x!x>
  %z = "quant.scast"(%y) : (tensor<2x!x>) -> tensor<2xi8>
  return %z : tensor<2xi8>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %p: tensor<2xi32>) -> tensor<3x2xf32> {
  // expected-error @below {{expected a constant permutation of the dimensions}}
  %y = tosa.transpose %x, %p : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = tosa.clamp %x {min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  // expected-error @below {{calls 'twice'; expected a function of one block and one result, or an external one}}
  %z:2 = call @twice(%y) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %z#0 : tensor<2xf32>
}
func.func private @twice(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = tosa.clamp %x {min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  // expected-error @below {{calls 'main', which is not a function beside @main}}
  %z = call @main(%y) : (tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = tosa.clamp %x {min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  // expected-error @below {{'arith.addf' is among operations of level graph}}
  %z = arith.addf %y, %y : tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<2xi8>) -> tensor<2x!x> {
  %q = "quant.scast"(%x) : (tensor<2xi8>) -> tensor<2x!x>
  // expected-error @below {{returns a value of type}}
  return %q : tensor<2x!x>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @-1 {{has several blocks; expected one}}
  %y = tosa.clamp %x {min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  cf.br ^end
^end:
  return %y : tensor<2xf32>
}

// -----

func.func @main() -> tensor<2xf32> {
  // expected-error @below {{has no dense elements; expected the constant in full}}
  %y = "tosa.const"() <{value = sparse<[[0]], [1.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {
  %q = "quant.scast"(%x) : (tensor<2xi8>) -> tensor<2x!x>
  // expected-error @below {{calls 'copy' with a value of type 'tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>'; expected tensors of plain numbers}}
  %y = call @copy(%q) : (tensor<2x!x>) -> tensor<2x!x>
  %z = "quant.scast"(%y) : (tensor<2x!x>) -> tensor<2xi8>
  return %z : tensor<2xi8>
}
func.func private @copy(%x: tensor<2x!x>) -> tensor<2x!x> {
  return %x : tensor<2x!x>
}
