// RUN: not dae-opt %s --split-input-file --plan-memory 2>&1 | FileCheck %s

// CHECK: has no host.package; run form-streams first
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: 'host.package' op is beside another one; expected one in the module
host.package @main {inputs = [#host.value<name = "x", dtype = "int8">], layers = [], outputs = [#host.value<name = "y", dtype = "int8">]}
host.package @main {inputs = [#host.value<name = "x", dtype = "int8">], layers = [], outputs = [#host.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: needs 4294967296 bytes for its tensors; expected less than 2^32
host.package @main {inputs = [#host.value<name = "x", dtype = "int8">], layers = [], outputs = [#host.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4294967296xi8>) -> tensor<4294967296xi8> {
  return %x : tensor<4294967296xi8>
}

// -----

// CHECK: 'host.package' op has 0 inputs and 1 outputs, its entry 1 arguments and 1 results
host.package @main {inputs = [], layers = [], outputs = [#host.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: 'host.package' op has the entry @main, which is not a function with a body
host.package @main {inputs = [#host.value<name = "x", dtype = "int8">], layers = [], outputs = [#host.value<name = "y", dtype = "int8">]}
func.func private @main(%x: tensor<4xi8>) -> tensor<4xi8>

// -----

// CHECK: 'host.step' op has the callee @nothing, which is not a function
host.package @main {inputs = [#host.value<name = "x", dtype = "int8">], layers = [], outputs = [#host.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = host.step @nothing(%x) {layers = array<i64: 0>, target = "accelerator"} : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}

// -----

// CHECK: 'host.step' op runs @stream, which another step runs
host.package @main {inputs = [#host.value<name = "x", dtype = "int8">], layers = [], outputs = [#host.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = host.step @stream(%x) {layers = array<i64: 0>, target = "accelerator"} : (tensor<4xi8>) -> tensor<4xi8>
  %z = host.step @stream(%y) {layers = array<i64: 0>, target = "accelerator"} : (tensor<4xi8>) -> tensor<4xi8>
  return %z : tensor<4xi8>
}
func.func private @stream(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = call @kernel(%x) : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
func.func private @kernel(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}
