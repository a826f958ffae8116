// RUN: not dae-opt %s --split-input-file --plan-memory 2>&1 | FileCheck %s

// CHECK: has no dae.package; run form-streams first
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: 'dae.package' op stands beside another one; expected one in the module
dae.package @main {inputs = [#dae.value<name = "x", dtype = "int8">], layers = [], machine = {}, outputs = [#dae.value<name = "y", dtype = "int8">]}
dae.package @main {inputs = [#dae.value<name = "x", dtype = "int8">], layers = [], machine = {}, outputs = [#dae.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: needs 4294967296 bytes for its tensors; expected less than 2^32
dae.package @main {inputs = [#dae.value<name = "x", dtype = "int8">], layers = [], machine = {}, outputs = [#dae.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4294967296xi8>) -> tensor<4294967296xi8> {
  return %x : tensor<4294967296xi8>
}

// -----

// CHECK: 'dae.package' op has 0 inputs and 1 outputs, its entry 1 arguments and 1 results
dae.package @main {inputs = [], layers = [], machine = {}, outputs = [#dae.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: 'dae.package' op has the entry @main, which is no function with a body
dae.package @main {inputs = [#dae.value<name = "x", dtype = "int8">], layers = [], machine = {}, outputs = [#dae.value<name = "y", dtype = "int8">]}
func.func private @main(%x: tensor<4xi8>) -> tensor<4xi8>

// -----

// CHECK: 'dae.step' op has the callee @nothing, which is no function
dae.package @main {inputs = [#dae.value<name = "x", dtype = "int8">], layers = [], machine = {}, outputs = [#dae.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = dae.step @nothing(%x) {layers = array<i64: 0>, target = "accelerator"} : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}

// -----

// CHECK: 'dae.step' op runs @stream, which another step runs
dae.package @main {inputs = [#dae.value<name = "x", dtype = "int8">], layers = [], machine = {}, outputs = [#dae.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = dae.step @stream(%x) {layers = array<i64: 0>, target = "accelerator"} : (tensor<4xi8>) -> tensor<4xi8>
  %z = dae.step @stream(%y) {layers = array<i64: 0>, target = "accelerator"} : (tensor<4xi8>) -> tensor<4xi8>
  return %z : tensor<4xi8>
}
func.func private @stream(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = call @kernel(%x) : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
func.func private @kernel(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}
