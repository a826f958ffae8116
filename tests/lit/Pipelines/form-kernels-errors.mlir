// RUN: not dae-opt %s --split-input-file --form-kernels 2>&1 | FileCheck %s

// CHECK: has no function @main; expected one on tensors, where the program begins
func.func @other(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}

// -----

// CHECK: is not an operation of linalg, tensor, arith, math, scf, qnn or func
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %m = memref.alloc() : memref<4xi8>
  return %x : tensor<4xi8>
}

// -----

// CHECK: has 2 results; expected one, as a kernel has
func.func @main(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %e = tensor.empty() : tensor<4xi8>
  %y:2 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>],
                         iterator_types = ["parallel"]}
      ins(%x : tensor<4xi8>) outs(%e, %e : tensor<4xi8>, tensor<4xi8>) {
  ^bb0(%p: i8, %q: i8, %r: i8):
    linalg.yield %p, %q : i8, i8
  } -> (tensor<4xi8>, tensor<4xi8>)
  return %y#0, %y#1 : tensor<4xi8>, tensor<4xi8>
}

// -----

// CHECK: has an argument or result of type 'tensor<?xi8>'; expected tensors of a static shape, of i8, i16, i32, i64, f16, bf16, f32 or f64
func.func @main(%x: tensor<?xi8>) -> tensor<?xi8> {
  return %x : tensor<?xi8>
}

// -----

// CHECK: has a tensor of type 'tensor<65536x65536xi8>'; expected at most 2^31 elements
func.func @main(%x: tensor<65536x65536xi8>) -> tensor<65536x65536xi8> {
  return %x : tensor<65536x65536xi8>
}

// -----

// CHECK: has several blocks; expected one
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  cf.br ^end
^end:
  return %x : tensor<4xi8>
}

// -----

// CHECK: calls 'nothing', which is not a function with a body beside @main
func.func private @nothing(%x: tensor<4xi8>) -> tensor<4xi8>
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = call @nothing(%x) : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}

// -----

// CHECK: has the constant 'short', whose data is not of its type
func.func @main() -> tensor<4xi8> {
  %y = arith.constant dense_resource<short> : tensor<4xi8>
  return %y : tensor<4xi8>
}
{-# dialect_resources: { builtin: { short: "0x010000000102" } } #-}

// -----

// CHECK: is a loop of an unknown number of iterations; expected constant bounds
func.func @main(%x: tensor<4xi8>, %n: tensor<1xi64>) -> tensor<4xi8> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = tensor.extract %n[%zero] : tensor<1xi64>
  %count = arith.index_cast %m : i64 to index
  %y = scf.for %i = %zero to %count step %one iter_args(%v = %x) -> (tensor<4xi8>) {
    %w = arith.addi %v, %v : tensor<4xi8>
    scf.yield %w : tensor<4xi8>
  }
  return %y : tensor<4xi8>
}

// -----

// CHECK: may do more than compute values; expected operations on tensors and scalars
func.func private @copy(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %f = func.constant @copy : (tensor<4xi8>) -> tensor<4xi8>
  %y = func.call_indirect %f(%x) : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
