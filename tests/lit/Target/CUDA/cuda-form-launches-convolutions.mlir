// RUN: dae-opt %s --split-input-file --cuda-form-launches=libraries=cudnn | FileCheck %s
// RUN: dae-opt %s --split-input-file --cuda-form-launches=libraries=cublas,cudnn | FileCheck %s --check-prefix=BOTH

// The library pads itself what is padded with 0 as much behind as in front; what is computed of the sums is a launch
// behind.
// CHECK-LABEL: func.func @padded(
// CHECK-SAME: %[[X:.*]]: memref<2x7x5x8xf32>, %[[W:.*]]: memref<16x3x3x8xf32>, %[[OUT:.*]]: memref<2x4x3x16xf32>)
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<2x4x3x16xf32>
// CHECK-NOT: gpu.launch_func
// CHECK: cuda.conv "cudnn.conv" %[[X]], %[[W]] into %[[SUMS]] images [2, 8, 7, 5] filters [16, 3, 3] pads [1, 1] strides [2, 2] dilations [1, 1] channels_last : memref<2x7x5x8xf32>, memref<16x3x3x8xf32>, memref<2x4x3x16xf32>
// CHECK: gpu.launch_func @device::@padded$0 {{.*}} args(%[[SUMS]] : memref<2x4x3x16xf32>, %[[OUT]] : memref<2x4x3x16xf32>)
// CHECK-NOT: gpu.launch_func
// BOTH-LABEL: func.func @padded(
// BOTH: cuda.conv
func.func @padded(%x: memref<2x7x5x8xf32>, %w: memref<16x3x3x8xf32>, %out: memref<2x4x3x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<2x9x7x8xf32>
  %sums = memref.alloc() : memref<2x4x3x16xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<2x9x7x8xf32>)
  %inside = memref.subview %padded[0, 1, 1, 0] [2, 7, 5, 8] [1, 1, 1, 1] : memref<2x9x7x8xf32> to memref<2x7x5x8xf32, strided<[504, 56, 8, 1], offset: 64>>
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<2x7x5x8xf32>) outs(%inside : memref<2x7x5x8xf32, strided<[504, 56, 8, 1], offset: 64>>) {
  ^bb0(%s: f32, %o: f32):
    linalg.yield %s : f32
  }
  linalg.fill ins(%zero : f32) outs(%sums : memref<2x4x3x16xf32>)
  linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%padded, %w : memref<2x9x7x8xf32>, memref<16x3x3x8xf32>) outs(%sums : memref<2x4x3x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : memref<2x4x3x16xf32>) outs(%out : memref<2x4x3x16xf32>) {
  ^bb0(%s: f32, %o: f32):
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// A result of float16 is the library's, which rounds it; where more is computed of the sums, it is generated code.
// CHECK-LABEL: func.func @rounded(
// CHECK-SAME: , %[[OUT:[a-z0-9]+]]: memref<1x4x3x3xf16>)
// CHECK-NOT: gpu.launch_func
// CHECK: cuda.conv "cudnn.conv" %{{.*}}, %{{.*}} into %[[OUT]] images [1, 2, 5, 5] filters [4, 3, 3] pads [0, 0] strides [1, 1] dilations [1, 1] : memref<1x2x5x5xf16>, memref<4x2x3x3xf16>, memref<1x4x3x3xf16>
// CHECK-NOT: gpu.launch_func
// CHECK-LABEL: func.func @with_more(
// CHECK-NOT: cuda.conv
#image = affine_map<(n, f, i, j, c, r, s) -> (n, c, i + r, j + s)>
#filters = affine_map<(n, f, i, j, c, r, s) -> (f, c, r, s)>
#result = affine_map<(n, f, i, j, c, r, s) -> (n, f, i, j)>
#same = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @rounded(%x: memref<1x2x5x5xf16>, %w: memref<4x2x3x3xf16>, %out: memref<1x4x3x3xf16>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<1x4x3x3xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<1x4x3x3xf32>)
  linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<1x2x5x5xf16>, memref<4x2x3x3xf16>) outs(%sums : memref<1x4x3x3xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %p = arith.extf %a : f16 to f32
    %q = arith.extf %b : f16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %o, %r : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : memref<1x4x3x3xf32>) outs(%out : memref<1x4x3x3xf16>) {
  ^bb0(%s: f32, %o: f16):
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  }
  return
}
func.func @with_more(%x: memref<1x2x5x5xf16>, %w: memref<4x2x3x3xf16>, %out: memref<1x4x3x3xf16>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %sums = memref.alloc() : memref<1x4x3x3xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<1x4x3x3xf32>)
  linalg.generic {indexing_maps = [#image, #filters, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : memref<1x2x5x5xf16>, memref<4x2x3x3xf16>) outs(%sums : memref<1x4x3x3xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %p = arith.extf %a : f16 to f32
    %q = arith.extf %b : f16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %o, %r : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : memref<1x4x3x3xf32>) outs(%out : memref<1x4x3x3xf16>) {
  ^bb0(%s: f32, %o: f16):
    %u = arith.addf %s, %one : f32
    %t = arith.truncf %u : f32 to f16
    linalg.yield %t : f16
  }
  return
}

// -----

// What is there already is added; filters whose results are last are generated code.
// CHECK-LABEL: func.func @added(
// CHECK: cuda.conv "cudnn.conv" {{.*}} dilations [1, 2] accumulates
// CHECK-NOT: gpu.launch_func
// CHECK-LABEL: func.func @results_last(
// CHECK-NOT: cuda.conv
// CHECK: gpu.launch_func
func.func @added(%x: memref<1x2x5x5xf32>, %w: memref<4x2x3x2xf32>, %out: memref<1x4x3x3xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : memref<1x2x5x5xf32>, memref<4x2x3x2xf32>) outs(%out : memref<1x4x3x3xf32>)
  return
}
func.func @results_last(%x: memref<2x5x5x8xf32>, %w: memref<3x3x8x16xf32>, %out: memref<2x3x3x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2x3x3x16xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<2x5x5x8xf32>, memref<3x3x8x16xf32>) outs(%out : memref<2x3x3x16xf32>)
  return
}

// -----

// One pixel: the first library in the list that computes it.
// CHECK-LABEL: func.func @pixels(
// CHECK: cuda.conv "cudnn.conv" {{.*}} filters [16, 1, 1]
// BOTH-LABEL: func.func @pixels(
// BOTH: cuda.gemm "cublas.matmul"
func.func @pixels(%x: memref<2x5x5x8xf32>, %w: memref<16x1x1x8xf32>, %out: memref<2x5x5x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2x5x5x16xf32>)
  linalg.conv_2d_nhwc_fhwc ins(%x, %w : memref<2x5x5x8xf32>, memref<16x1x1x8xf32>) outs(%out : memref<2x5x5x16xf32>)
  return
}

// -----

// What is padded with ones, or with more behind than in front, the library does not pad.
// CHECK-LABEL: func.func @ones(
// CHECK-NOT: cuda.conv
// CHECK-LABEL: func.func @behind(
// CHECK-NOT: cuda.conv
// CHECK: gpu.module
func.func @ones(%x: memref<1x4x4x8xf32>, %w: memref<16x3x3x8xf32>, %out: memref<1x4x4x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %padded = memref.alloc() : memref<1x6x6x8xf32>
  linalg.fill ins(%one : f32) outs(%padded : memref<1x6x6x8xf32>)
  %inside = memref.subview %padded[0, 1, 1, 0] [1, 4, 4, 8] [1, 1, 1, 1] : memref<1x6x6x8xf32> to memref<1x4x4x8xf32, strided<[288, 48, 8, 1], offset: 56>>
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<1x4x4x8xf32>) outs(%inside : memref<1x4x4x8xf32, strided<[288, 48, 8, 1], offset: 56>>) {
  ^bb0(%s: f32, %o: f32):
    linalg.yield %s : f32
  }
  linalg.fill ins(%zero : f32) outs(%out : memref<1x4x4x16xf32>)
  linalg.conv_2d_nhwc_fhwc ins(%padded, %w : memref<1x6x6x8xf32>, memref<16x3x3x8xf32>) outs(%out : memref<1x4x4x16xf32>)
  return
}
func.func @behind(%x: memref<1x4x4x8xf32>, %w: memref<16x3x3x8xf32>, %out: memref<1x4x4x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<1x6x6x8xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x6x6x8xf32>)
  %inside = memref.subview %padded[0, 0, 1, 0] [1, 4, 4, 8] [1, 1, 1, 1] : memref<1x6x6x8xf32> to memref<1x4x4x8xf32, strided<[288, 48, 8, 1], offset: 8>>
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<1x4x4x8xf32>) outs(%inside : memref<1x4x4x8xf32, strided<[288, 48, 8, 1], offset: 8>>) {
  ^bb0(%s: f32, %o: f32):
    linalg.yield %s : f32
  }
  linalg.fill ins(%zero : f32) outs(%out : memref<1x4x4x16xf32>)
  linalg.conv_2d_nhwc_fhwc ins(%padded, %w : memref<1x6x6x8xf32>, memref<16x3x3x8xf32>) outs(%out : memref<1x4x4x16xf32>)
  return
}
