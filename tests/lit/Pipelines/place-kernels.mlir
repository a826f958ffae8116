// RUN: dae-opt %s --place-kernels=target=cpu --place-kernels | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: dae-opt %s --place-kernels=target=cpu | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: dae-opt %s --place-kernels=options=machine=tiny | FileCheck %s --check-prefix=TINY

// The machine comes into the module; a placement that stands there is decided anew.
// CHECK: host.placement for {accelerator = {machine = {{{.*}} n = 16 : i64, name = "default"
// TINY: host.placement for {accelerator = {machine = {{{.*}} n = 8 : i64, name = "tiny"
// AUTO: host.place @maximum as <node = "{{.*}}place-kernels.mlir:[[# @LINE + 7]]", target = "accelerator", reason = "fits machine 'default'", macs = 0> size {{[0-9]+}}
// AUTO: host.place @quotient as <{{.*}}target = "cpu"
// AUTO: host.place @clipped as <{{.*}}reason = "fits machine 'default', but loads its argument 0 by single bytes"
// AUTO: host.place @turned as <{{.*}}target = "cpu", reason = "moves elements"
// CPU: host.place @maximum as <{{.*}}target = "cpu", reason = "asked for with target cpu", macs = 0>
// CPU-NOT: size
func.func @main(%x: tensor<4x64xi8>) -> tensor<4x64xi8> {
  %y = call @maximum(%x, %x) : (tensor<4x64xi8>, tensor<4x64xi8>) -> tensor<4x64xi8>
  %z = call @quotient(%y, %x) : (tensor<4x64xi8>, tensor<4x64xi8>) -> tensor<4x64xi8>
  %t = call @clipped(%x) : (tensor<4x64xi8>) -> tensor<64x4xi8>
  %u = call @turned(%x) : (tensor<4x64xi8>) -> tensor<64x4xi8>
  return %z : tensor<4x64xi8>
}

#same = affine_map<(i, j) -> (i, j)>
func.func private @maximum(%x: tensor<4x64xi8>, %y: tensor<4x64xi8>) -> tensor<4x64xi8> {
  %e = tensor.empty() : tensor<4x64xi8>
  %r = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x64xi8>, tensor<4x64xi8>) outs(%e : tensor<4x64xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %m = arith.maxsi %a, %b : i8
    linalg.yield %m : i8
  } -> tensor<4x64xi8>
  return %r : tensor<4x64xi8>
}

func.func private @quotient(%x: tensor<4x64xi8>, %y: tensor<4x64xi8>) -> tensor<4x64xi8> {
  %e = tensor.empty() : tensor<4x64xi8>
  %r = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x64xi8>, tensor<4x64xi8>) outs(%e : tensor<4x64xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %c1 = arith.constant 1 : i8
    %d = arith.ori %b, %c1 : i8
    %q = arith.divui %a, %d : i8
    linalg.yield %q : i8
  } -> tensor<4x64xi8>
  return %r : tensor<4x64xi8>
}

func.func private @clipped(%x: tensor<4x64xi8>) -> tensor<64x4xi8> {
  %e = tensor.empty() : tensor<64x4xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x64xi8>) outs(%e : tensor<64x4xi8>) {
  ^bb0(%a: i8, %o: i8):
    %zero = arith.constant 0 : i8
    %m = arith.maxsi %a, %zero : i8
    linalg.yield %m : i8
  } -> tensor<64x4xi8>
  return %r : tensor<64x4xi8>
}

func.func private @turned(%x: tensor<4x64xi8>) -> tensor<64x4xi8> {
  %e = tensor.empty() : tensor<64x4xi8>
  %r = linalg.transpose ins(%x : tensor<4x64xi8>) outs(%e : tensor<64x4xi8>) permutation = [1, 0]
  return %r : tensor<64x4xi8>
}
