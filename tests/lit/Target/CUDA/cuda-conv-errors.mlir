// RUN: dae-opt %s --split-input-file --verify-diagnostics

func.func @sizes(%x: memref<1x8x7x7xf32>, %w: memref<16x8x3x3xf32>, %out: memref<1x16x5x5xf32>) {
  // expected-error @below {{has sizes that are not of images N, C, H, W and filters F, R, S}}
  cuda.conv "cudnn.conv" %x, %w into %out images [1, 8, 7] filters [16, 3, 3] pads [0, 0] strides [1, 1] dilations [1, 1] : memref<1x8x7x7xf32>, memref<16x8x3x3xf32>, memref<1x16x5x5xf32>
  return
}

// -----

func.func @types(%x: memref<1x8x7x7xf16>, %w: memref<16x8x3x3xf16>, %out: memref<1x16x5x5xf32>) {
  // expected-error @below {{expected images, filters and a result of one type}}
  cuda.conv "cudnn.conv" %x, %w into %out images [1, 8, 7, 7] filters [16, 3, 3] pads [0, 0] strides [1, 1] dilations [1, 1] : memref<1x8x7x7xf16>, memref<16x8x3x3xf16>, memref<1x16x5x5xf32>
  return
}

// -----

func.func @pads(%x: memref<1x8x7x7xf32>, %w: memref<16x8x3x3xf32>, %out: memref<1x16x9x5xf32>) {
  // expected-error @below {{has sizes of no convolution}}
  cuda.conv "cudnn.conv" %x, %w into %out images [1, 8, 7, 7] filters [16, 3, 3] pads [3, 0] strides [1, 1] dilations [1, 1] : memref<1x8x7x7xf32>, memref<16x8x3x3xf32>, memref<1x16x9x5xf32>
  return
}

// -----

func.func @beyond(%x: memref<1x8x7x7xf32>, %w: memref<16x8x3x3xf32>, %out: memref<1x16x5x5xf32>) {
  // expected-error @below {{reads or writes beyond its buffers}}
  cuda.conv "cudnn.conv" %x, %w into %out images [1, 8, 7, 7] filters [16, 3, 3] pads [1, 0] strides [1, 1] dilations [1, 1] : memref<1x8x7x7xf32>, memref<16x8x3x3xf32>, memref<1x16x5x5xf32>
  return
}

// -----

func.func @function(%x: memref<1x8x7x7xf32>, %w: memref<16x8x3x3xf32>, %out: memref<1x16x5x5xf32>) {
  // expected-error @below {{calls 'cublas.conv', which no library has}}
  cuda.conv "cublas.conv" %x, %w into %out images [1, 8, 7, 7] filters [16, 3, 3] pads [0, 0] strides [1, 1] dilations [1, 1] : memref<1x8x7x7xf32>, memref<16x8x3x3xf32>, memref<1x16x5x5xf32>
  return
}

// -----

func.func @other(%x: memref<1x8x7x7xf32>, %w: memref<16x8x3x3xf32>, %out: memref<1x16x5x5xf32>) {
  // expected-error @below {{calls 'cublas.matmul', which computes something else}}
  cuda.conv "cublas.matmul" %x, %w into %out images [1, 8, 7, 7] filters [16, 3, 3] pads [0, 0] strides [1, 1] dilations [1, 1] : memref<1x8x7x7xf32>, memref<16x8x3x3xf32>, memref<1x16x5x5xf32>
  return
}
