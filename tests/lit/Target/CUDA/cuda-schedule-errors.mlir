// RUN: dae-opt %s --split-input-file --verify-diagnostics --cuda-form-launches

// expected-error@+2 {{is computed by threads, and has a tile}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by threads stages 2
}

// -----

// expected-error@+2 {{has a tile that is not three powers of two: rows, columns, and elements along K}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by fma tile [24, 16, 16] stages 2
}

// -----

// expected-error@+2 {{has no number of stages from 2 to 16}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by fma tile [32, 32, 16]
}

// -----

// expected-error@+2 {{is computed by fma, whose blocks have 16 x 16 threads, and has warps}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by fma tile [32, 32, 16] warps [1, 2] stages 2
}

// -----

// expected-error@+2 {{has no warps: how many share the rows, and the columns}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by tensor_cores tile [32, 32, 16] stages 2
}

// -----

// expected-error@+2 {{has a tile of 16 x 32 x 16; expected at least 32 x 16 x 16}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by tensor_cores tile [16, 32, 16] warps [2, 1] stages 2
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

// expected-error@+2 {{has 128 threads with 512 sums each; expected 1024 and 128 at most}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by tensor_cores tile [256, 256, 16] warps [2, 2] stages 2
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

// expected-error@+2 {{needs 131072 bytes of shared memory; expected 101376 at most}}
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by tensor_cores tile [128, 128, 64] warps [2, 4] stages 4
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

// expected-error@+2 {{is of float32, which tensor cores round; expected by fma or by threads}}
cuda.schedule format 1 {
  cuda.product f32 [1, 64, 64, 128] by tensor_cores tile [32, 32, 16] warps [1, 1] stages 2
}
func.func @floats(%a: memref<64x128xf32>, %b: memref<128x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x128xf32>, memref<128x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// expected-error@+1 {{is a schedule of format 2; this compiler reads format 1}}
cuda.schedule format 2 {
}

// -----

cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by threads
  // expected-error@+1 {{schedules products of f16 1 64 64 128 again; line}}
  cuda.product f16 [1, 64, 64, 128] by threads
}

// -----

cuda.schedule format 1 {
  // expected-error@+1 {{has sizes that are not four numbers from 1 to 2^31: of the batch, of M, N and K}}
  cuda.product f16 [64, 64, 128] by threads
}
