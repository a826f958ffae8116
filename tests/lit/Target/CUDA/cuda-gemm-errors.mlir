// RUN: dae-opt %s --split-input-file --verify-diagnostics

func.func @sizes(%x: memref<64x32xf32>, %y: memref<32x48xf32>, %out: memref<64x48xf32>) {
  // expected-error @below {{has sizes that are not of the batch, of M, N and K}}
  cuda.gemm "cublas.matmul" %x, %y into %out sizes [64, 48, 32] strides x [0, 32, 1] y [0, 48, 1] out [0, 48, 1] : memref<64x32xf32>, memref<32x48xf32>, memref<64x48xf32>
  return
}

// -----

func.func @types(%x: memref<64x32xf16>, %y: memref<32x48xf32>, %out: memref<64x48xf32>) {
  // expected-error @below {{expected factors of one type, and sums of float32, or int32 of int8}}
  cuda.gemm "cublas.matmul" %x, %y into %out sizes [1, 64, 48, 32] strides x [0, 32, 1] y [0, 48, 1] out [0, 48, 1] : memref<64x32xf16>, memref<32x48xf32>, memref<64x48xf32>
  return
}

// -----

func.func @strides(%x: memref<64x32xf32>, %y: memref<32x48xf32>, %out: memref<64x48xf32>) {
  // expected-error @below {{of no product of matrices whose rows or columns lie dense}}
  cuda.gemm "cublas.matmul" %x, %y into %out sizes [1, 64, 48, 32] strides x [0, 31, 1] y [0, 48, 1] out [0, 48, 1] : memref<64x32xf32>, memref<32x48xf32>, memref<64x48xf32>
  return
}

// -----

func.func @beyond(%x: memref<64x32xf32>, %y: memref<32x48xf32>, %out: memref<64x48xf32>) {
  // expected-error @below {{reads or writes beyond its buffers}}
  cuda.gemm "cublas.matmul" %x, %y into %out sizes [2, 64, 48, 32] strides x [1, 32, 1] y [0, 48, 1] out [3072, 48, 1] : memref<64x32xf32>, memref<32x48xf32>, memref<64x48xf32>
  return
}

// -----

func.func @function(%x: memref<64x32xf32>, %y: memref<32x48xf32>, %out: memref<64x48xf32>) {
  // expected-error @below {{calls 'cublas.conv', which no library has}}
  cuda.gemm "cublas.conv" %x, %y into %out sizes [1, 64, 48, 32] strides x [0, 32, 1] y [0, 48, 1] out [0, 48, 1] : memref<64x32xf32>, memref<32x48xf32>, memref<64x48xf32>
  return
}

// -----

func.func @other(%x: memref<64x32xf32>, %y: memref<32x48xf32>, %out: memref<64x48xf32>) {
  // expected-error @below {{calls 'cudnn.conv', which computes something else}}
  cuda.gemm "cudnn.conv" %x, %y into %out sizes [1, 64, 48, 32] strides x [0, 32, 1] y [0, 48, 1] out [0, 48, 1] : memref<64x32xf32>, memref<32x48xf32>, memref<64x48xf32>
  return
}
