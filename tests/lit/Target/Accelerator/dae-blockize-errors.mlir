// Streams that form-streams does not make: its text with one part changed.
// RUN: dae-opt %s --place-kernels --form-streams --plan-memory > %t
// RUN: sed 's/layers = array<i64: 0>/layers = array<i64: 0, 1>/' %t | not dae-opt --dae-blockize 2>&1 | FileCheck %s --check-prefix=LAYERS
// RUN: sed 's/\(%%.* = call @sum\)/%%s = arith.addi %%arg0, %%arg0 : tensor<4x16xi8>\n\1/' %t | not dae-opt --dae-blockize 2>&1 | FileCheck %s --check-prefix=STREAM

// LAYERS: 'host.step' op has 2 layers for 1 calls
// STREAM: is in a stream; expected calls of kernels and views
func.func @main(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %y = call @sum(%x) : (tensor<4x16xi8>) -> tensor<4x16xi8>
  return %y : tensor<4x16xi8>
}
func.func private @sum(%x: tensor<4x16xi8>) -> tensor<4x16xi8> {
  %e = tensor.empty() : tensor<4x16xi8>
  %y = linalg.max ins(%x, %x : tensor<4x16xi8>, tensor<4x16xi8>) outs(%e : tensor<4x16xi8>) -> tensor<4x16xi8>
  return %y : tensor<4x16xi8>
}
