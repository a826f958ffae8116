// RUN: dae-opt %s --place-kernels | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: dae-opt %s --place-kernels=target=cpu | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: dae-opt %s --place-kernels=machine=tiny | FileCheck %s --check-prefix=TINY

// The machine comes into the module; a placement that stands there is decided anew.
// CHECK: module attributes {dae.machine = {{{.*}} n = 16 : i64, name = "default"
// TINY: module attributes {dae.machine = {{{.*}} n = 8 : i64, name = "tiny"
func.func @main(%x: tensor<4x64xi8>) -> tensor<4x64xi8> {
  %y = call @maximum(%x, %x) : (tensor<4x64xi8>, tensor<4x64xi8>) -> tensor<4x64xi8>
  %z = call @quotient(%y, %x) : (tensor<4x64xi8>, tensor<4x64xi8>) -> tensor<4x64xi8>
  %t = call @turned(%x) : (tensor<4x64xi8>) -> tensor<64x4xi8>
  return %z : tensor<4x64xi8>
}

#same = affine_map<(i, j) -> (i, j)>
// AUTO: func.func private @maximum{{.*}} attributes {daedalus.instructions = {{[0-9]+}} : i64, daedalus.reason = "fits machine 'default'", daedalus.target = "accelerator"}
// CPU: func.func private @maximum{{.*}} attributes {daedalus.reason = "asked for with target cpu", daedalus.target = "cpu"}
func.func private @maximum(%x: tensor<4x64xi8>, %y: tensor<4x64xi8>) -> tensor<4x64xi8>
    attributes {daedalus.target = "cpu", daedalus.reason = "written here", daedalus.instructions = 7 : i64} {
  %e = tensor.empty() : tensor<4x64xi8>
  %r = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x64xi8>, tensor<4x64xi8>) outs(%e : tensor<4x64xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %m = arith.maxsi %a, %b : i8
    linalg.yield %m : i8
  } -> tensor<4x64xi8>
  return %r : tensor<4x64xi8>
}

// AUTO: func.func private @quotient{{.*}}daedalus.target = "cpu"
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

// AUTO: func.func private @turned{{.*}}daedalus.reason = "fits machine 'default', but loads its argument 0 by single bytes"
func.func private @turned(%x: tensor<4x64xi8>) -> tensor<64x4xi8> {
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
