// RUN: not dae-opt %s --split-input-file --form-kernels 2>&1 | FileCheck %s

// CHECK: has no function @main; expected one on tensors, where the program begins
func.func @other(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: is of another dialect than linalg, tensor, arith, math, scf, qnn and func
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %m = memref.alloc() : memref<4xi8>
  return %x : tensor<4xi8>
}
