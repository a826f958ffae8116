// RUN: not dae-opt %s --split-input-file --form-streams 2>&1 | FileCheck %s

// CHECK: calls the kernel 'kernel', which has no place to run; run place-kernels first
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = call @kernel(%x) : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
func.func private @kernel(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: is in @main; expected calls of kernels and views; run form-kernels first
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = arith.addi %x, %x : tensor<4xi8>
  return %y : tensor<4xi8>
}

// -----

// CHECK: calls 'kernel', which has the target 'external' and a body
host.placement {
  host.place @kernel as <node = "", target = "external", reason = "", macs = 0>
}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = call @kernel(%x) : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
func.func private @kernel(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: has no function @main of one block
func.func private @main(%x: tensor<4xi8>) -> tensor<4xi8>

// -----

// CHECK: has an argument or result of type 'tensor<?xi8>'; expected tensors of a static shape
func.func @main(%x: tensor<?xi8>) -> tensor<?xi8> {
  return %x : tensor<?xi8>
}

// -----

// CHECK: has an operand or result of type 'i8'; expected tensors of a static shape
host.placement {
  host.place @kernel as <node = "", target = "cpu", reason = "", macs = 0>
}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = call @kernel(%x) : (tensor<4xi8>) -> i8
  return %x : tensor<4xi8>
}
func.func private @kernel(%x: tensor<4xi8>) -> i8 {
  %y = arith.constant 0 : i8
  return %y : i8
}
