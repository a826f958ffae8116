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
