// RUN: dae-opt %s --split-input-file --verify-diagnostics --dae-schedule

// expected-error @below {{cannot run on the accelerator: it is not a kernel function of one result}}
func.func private @noResult(%x: tensor<4xi8>) {
  return
}

// -----

// expected-error @below {{cannot run on the accelerator: its result is not int8 or int32 of a static shape}}
func.func private @unknownShape(%x: tensor<?xi8>) -> tensor<?xi8> {
  return %x : tensor<?xi8>
}

// -----

// expected-error @below {{cannot run on the accelerator: it has a tensor that is not of numbers and of a static shape of 1 to 2^31 elements}}
func.func private @nothing(%x: tensor<0x4xi8>) -> tensor<0x4xi8> {
  return %x : tensor<0x4xi8>
}

// -----

// expected-error @below {{cannot run on the accelerator: its reduction keeps only what it computes last}}
func.func private @reductionsWithoutGroups(%x: tensor<2x3x4x5xi8>, %o: tensor<5xi8>) -> tensor<5xi8> {
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>,
        affine_map<(a, b, c, d) -> (d)>], iterator_types = ["reduction", "reduction", "reduction", "parallel"]}
      ins(%x, %x : tensor<2x3x4x5xi8>, tensor<2x3x4x5xi8>) outs(%o : tensor<5xi8>) {
  ^bb0(%p: i8, %q: i8, %s: i8):
    linalg.yield %p : i8
  } -> tensor<5xi8>
  return %r : tensor<5xi8>
}

// -----

// expected-error @below {{cannot run on the accelerator: its elementwise computation is unknown to the accelerator: it reads what its result was before}}
func.func private @requantOfOneself(%x: tensor<4xi32>, %o: tensor<4xi8>) -> tensor<4xi8> {
  %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xi32>) outs(%o : tensor<4xi8>) {
  ^bb0(%p: i32, %q: i8):
    %v = qnn.requantize %p, %p, %p, %q {zero_point = 0 : i8, lo = -5 : i8, hi = 5 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
    linalg.yield %v : i8
  } -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

// expected-error @below {{cannot run on the accelerator: its reduction keeps only what it computes last}}
func.func private @joinsFewDimensions(%x: tensor<2x3x4x5x6x7xi8>, %o: tensor<6x7xi8>) -> tensor<42xi8> {
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e, f) -> (a, b, c, d, e, f)>, affine_map<(a, b, c, d, e, f) -> (e, f)>],
                  iterator_types = ["reduction", "reduction", "reduction", "reduction", "parallel", "parallel"]}
      ins(%x : tensor<2x3x4x5x6x7xi8>) outs(%o : tensor<6x7xi8>) {
  ^bb0(%p: i8, %q: i8):
    linalg.yield %p : i8
  } -> tensor<6x7xi8>
  %y = tensor.collapse_shape %r [[0, 1]] : tensor<6x7xi8> into tensor<42xi8>
  return %y : tensor<42xi8>
}

// -----

// expected-error @below {{has several dae.plan; expected one at most}}
module {
  dae.plan format 1 machine "default" core "0000000000000000" {
  }
  dae.plan format 1 machine "default" core "0000000000000000" {
  }
  func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
    return %x : tensor<4xi8>
  }
}

// -----

// expected-error @below {{has no function main}}
module {
  func.func private @main(%x: tensor<4xi8>) -> tensor<4xi8>
}
