// RUN: dae-opt %s --split-input-file --verify-diagnostics --cuda-form-launches=architecture=sm_90a

// expected-error@+2 {{has 2 warps that share the rows; expected groups of 4}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by warpgroups tile [64, 64, 32] warps [2, 1] stages 2
}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @halves(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x128xf16>, memref<128x64xf16>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// expected-error@+2 {{has a tile of 64 x 64 x 32; expected at least 128 rows, 16 to 256 columns, and 16 along K}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by warpgroups tile [64, 64, 32] warps [8, 1] stages 2
}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @halves(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x128xf16>, memref<128x64xf16>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// expected-error@+2 {{needs 262144 bytes of shared memory; expected 232448 at most}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by warpgroups tile [128, 128, 128] warps [8, 1] stages 4
}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @halves(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x128xf16>, memref<128x64xf16>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  return
}

// -----

cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by threads
  cuda.product f16 [1, 64, 64, 128] by warpgroups tile [64, 64, 32] warps [4, 1] stages 2
  // expected-error@+1 {{schedules products of f16 1 64 64 128 by warpgroups again; line}}
  cuda.product f16 [1, 64, 64, 128] by warpgroups tile [64, 64, 32] warps [4, 1] stages 2
}
