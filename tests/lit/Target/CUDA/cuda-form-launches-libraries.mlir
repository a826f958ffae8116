// RUN: dae-opt %s --split-input-file --cuda-form-launches=libraries=cublas | FileCheck %s
// RUN: dae-opt %s --split-input-file --cuda-form-launches=libraries=cublas:matmul_i8 | FileCheck %s --check-prefix=BYTES
// RUN: dae-opt %s --split-input-file --cuda-form-launches=libraries=cublaslt,cublas | FileCheck %s --check-prefix=LT

// A product is the library's, and what is computed of it a launch behind; nobody fills its result before.
// CHECK-NOT: cuda.schedule
// CHECK-LABEL: func.func @halves(
// CHECK-SAME: %[[X:.*]]: memref<64x32xf16>, %[[Y:.*]]: memref<32x48xf16>, %[[OUT:.*]]: memref<64x48xf16>)
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<64x48xf32>
// CHECK-NOT: gpu.launch_func
// CHECK: cuda.gemm "cublas.matmul" %[[X]], %[[Y]] into %[[SUMS]] sizes [1, 64, 48, 32] strides x [0, 32, 1] y [0, 48, 1] out [0, 48, 1] : memref<64x32xf16>, memref<32x48xf16>, memref<64x48xf32>
// CHECK: gpu.launch_func @device::@halves$0 {{.*}} args(%[[SUMS]] : memref<64x48xf32>, %[[OUT]] : memref<64x48xf16>)
// CHECK-NOT: gpu.launch_func
// BYTES-LABEL: func.func @halves(
// BYTES-NOT: cuda.gemm
func.func @halves(%x: memref<64x32xf16>, %y: memref<32x48xf16>, %out: memref<64x48xf16>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x48xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x48xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : memref<64x32xf16>, memref<32x48xf16>) outs(%sums : memref<64x48xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %p = arith.extf %a : f16 to f32
    %q = arith.extf %b : f16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %o, %r : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<64x48xf32>) outs(%out : memref<64x48xf16>) {
  ^bb0(%s: f32, %o: f16):
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  }
  return
}

// -----

// Of a batch, with a second factor whose columns lie dense; what is there already is added.
// CHECK-LABEL: func.func @batch(
// CHECK: cuda.gemm "cublas.matmul" %{{.*}}, %{{.*}} into %{{.*}} sizes [6, 5, 7, 9] strides x [45, 9, 1] y [63, 1, 9] out [35, 7, 1] accumulates :
// CHECK-NOT: gpu.launch_func
func.func @batch(%x: memref<2x3x5x9xf32>, %y: memref<2x3x7x9xf32>, %out: memref<2x3x5x7xf32>) {
  linalg.generic {indexing_maps = [affine_map<(a, b, m, n, k) -> (a, b, m, k)>, affine_map<(a, b, m, n, k) -> (a, b, n, k)>, affine_map<(a, b, m, n, k) -> (a, b, m, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : memref<2x3x5x9xf32>, memref<2x3x7x9xf32>) outs(%out : memref<2x3x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    %s = arith.addf %o, %r : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// What the result begins with, where that is not 0, is filled in before.
// CHECK-LABEL: func.func @filled(
// CHECK: gpu.launch_func @device::@filled$0
// CHECK: cuda.gemm "cublas.matmul" {{.*}} accumulates
func.func @filled(%x: memref<64x32xf32>, %y: memref<32x48xf32>, %out: memref<64x48xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<64x48xf32>)
  linalg.matmul ins(%x, %y : memref<64x32xf32>, memref<32x48xf32>) outs(%out : memref<64x48xf32>)
  return
}

// -----

// A convolution of windows of one pixel is a product, of wider windows none that a library of products computes.
// CHECK-LABEL: func.func @pixels(
// CHECK: cuda.gemm "cublas.matmul" {{.*}} sizes [1, 50, 16, 8] strides x [0, 8, 1] y [0, 16, 1] out [0, 16, 1]
// CHECK-LABEL: func.func @windows(
// CHECK-NOT: cuda.gemm
// CHECK: gpu.launch_func
func.func @pixels(%x: memref<2x5x5x8xf32>, %y: memref<1x1x8x16xf32>, %out: memref<2x5x5x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2x5x5x16xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %y : memref<2x5x5x8xf32>, memref<1x1x8x16xf32>) outs(%out : memref<2x5x5x16xf32>)
  return
}
func.func @windows(%x: memref<2x5x5x8xf32>, %y: memref<3x3x8x16xf32>, %out: memref<2x3x3x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2x3x3x16xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %y : memref<2x5x5x8xf32>, memref<3x3x8x16xf32>) outs(%out : memref<2x3x3x16xf32>)
  return
}

// -----

// Of bytes, where lines begin at multiples of 4; others are generated code.
// CHECK-LABEL: func.func @bytes(
// CHECK: cuda.gemm "cublas.matmul_i8" {{.*}} sizes [1, 64, 48, 32]
// BYTES-LABEL: func.func @bytes(
// BYTES: cuda.gemm "cublas.matmul_i8"
func.func @bytes(%x: memref<64x32xi8>, %y: memref<32x48xi8>, %out: memref<64x48xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%out : memref<64x48xi32>)
  linalg.matmul ins(%x, %y : memref<64x32xi8>, memref<32x48xi8>) outs(%out : memref<64x48xi32>)
  return
}

// -----

// CHECK-LABEL: func.func @odd_bytes(
// CHECK-NOT: cuda.gemm
// CHECK: gpu.launch_func
func.func @odd_bytes(%x: memref<64x33xi8>, %y: memref<33x48xi8>, %out: memref<64x48xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%out : memref<64x48xi32>)
  linalg.matmul ins(%x, %y : memref<64x33xi8>, memref<33x48xi8>) outs(%out : memref<64x48xi32>)
  return
}

// -----

// cuBLASLt multiplies bytes of rows by columns alone, in multiples of 4; others are the next library's.
// LT-LABEL: func.func @by_columns(
// LT: cuda.gemm "cublaslt.matmul_i8"
// LT-LABEL: func.func @by_rows(
// LT: cuda.gemm "cublas.matmul_i8"
// LT-LABEL: func.func @odd(
// LT: cuda.gemm "cublas.matmul_i8"
func.func @by_columns(%x: memref<64x32xi8>, %y: memref<48x32xi8>, %out: memref<64x48xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%out : memref<64x48xi32>)
  linalg.matmul_transpose_b ins(%x, %y : memref<64x32xi8>, memref<48x32xi8>) outs(%out : memref<64x48xi32>)
  return
}
func.func @by_rows(%x: memref<64x32xi8>, %y: memref<32x48xi8>, %out: memref<64x48xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%out : memref<64x48xi32>)
  linalg.matmul ins(%x, %y : memref<64x32xi8>, memref<32x48xi8>) outs(%out : memref<64x48xi32>)
  return
}
func.func @odd(%x: memref<64x32xi8>, %y: memref<47x32xi8>, %out: memref<64x47xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%out : memref<64x47xi32>)
  linalg.matmul_transpose_b ins(%x, %y : memref<64x32xi8>, memref<47x32xi8>) outs(%out : memref<64x47xi32>)
  return
}
