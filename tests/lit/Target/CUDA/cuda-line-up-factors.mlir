// RUN: dae-opt %s --cuda-line-up-factors | FileCheck %s

// A product of bytes reads its second factor along K, once that is transposed.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @bytes
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<512x512xi8>, %[[Y:[a-z0-9]+]]: tensor<512x64xi8>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[Y]] : tensor<512x64xi8>) outs(%{{.*}} : tensor<64x512xi8>) permutation = [1, 0]
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #{{.*}}], {{.*}}} ins(%[[X]], %[[T]] : tensor<512x512xi8>, tensor<64x512xi8>)
func.func @bytes(%x: tensor<512x512xi8>, %y: tensor<512x64xi8>, %sums: tensor<512x64xi32>) -> tensor<512x64xi32> {
  %z = linalg.matmul ins(%x, %y : tensor<512x512xi8>, tensor<512x64xi8>) outs(%sums : tensor<512x64xi32>) -> tensor<512x64xi32>
  return %z : tensor<512x64xi32>
}

// Of halves it is read along its rows as it is.
// CHECK-LABEL: func.func @halves
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul
func.func @halves(%x: tensor<128x128xf16>, %y: tensor<128x64xf16>, %sums: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %z = linalg.matmul ins(%x, %y : tensor<128x128xf16>, tensor<128x64xf16>) outs(%sums : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %z : tensor<128x64xf32>
}

// A convolution gets the channels of its padded image last, and those of constant filters without an operation.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x16x30x30xf16>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<1x16x30x30xf16>) outs(%{{.*}} : tensor<1x30x30x16xf16>) permutation = [0, 2, 3, 1]
// CHECK: %[[P:.*]] = tensor.pad %[[T]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: %[[W:.*]] = arith.constant dense<1.500000e+00> : tensor<256x3x3x16xf16>
// CHECK: linalg.generic {{.*}} ins(%[[P]], %[[W]] : tensor<1x32x32x16xf16>, tensor<256x3x3x16xf16>) outs(%{{.*}} : tensor<1x256x30x30xf32>)
func.func @convolution(%x: tensor<1x16x30x30xf16>, %sums: tensor<1x256x30x30xf32>) -> tensor<1x256x30x30xf32> {
  %zero = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<1x16x30x30xf16> to tensor<1x16x32x32xf16>
  %w = arith.constant dense<1.5> : tensor<256x16x3x3xf16>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x16x32x32xf16>, tensor<256x16x3x3xf16>) outs(%sums : tensor<1x256x30x30xf32>) -> tensor<1x256x30x30xf32>
  return %y : tensor<1x256x30x30xf32>
}

// With windows of one pixel it reads pixels that are neighbours, if they are whole chunks.
// CHECK-LABEL: func.func @pixels
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @pixels(%x: tensor<1x128x28x28xf16>, %sums: tensor<1x32x28x28xf32>) -> tensor<1x32x28x28xf32> {
  %w = arith.constant dense<1.5> : tensor<32x128x1x1xf16>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x128x28x28xf16>, tensor<32x128x1x1xf16>) outs(%sums : tensor<1x32x28x28xf32>) -> tensor<1x32x28x28xf32>
  return %y : tensor<1x32x28x28xf32>
}

// CHECK-LABEL: func.func @odd_pixels
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x1024x7x7xf16>) outs(%{{.*}} : tensor<1x7x7x1024xf16>)
func.func @odd_pixels(%x: tensor<1x1024x7x7xf16>, %sums: tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32> {
  %w = arith.constant dense<1.5> : tensor<512x1024x1x1xf16>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x1024x7x7xf16>, tensor<512x1024x1x1xf16>) outs(%sums : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  return %y : tensor<1x512x7x7xf32>
}

// Nothing is moved for few products, or for few uses, or where no loop of K has whole chunks.
// CHECK-LABEL: func.func @little
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @little(%x: tensor<128x256xi8>, %y: tensor<256x256xi8>, %sums: tensor<128x256xi32>,
                  %u: tensor<16x1024xi8>, %v: tensor<1024x1024xi8>, %more: tensor<16x1024xi32>,
                  %s: tensor<1024x250xi8>, %t: tensor<250x1024xi8>, %odd: tensor<1024x1024xi32>)
    -> (tensor<128x256xi32>, tensor<16x1024xi32>, tensor<1024x1024xi32>) {
  %a = linalg.matmul ins(%x, %y : tensor<128x256xi8>, tensor<256x256xi8>) outs(%sums : tensor<128x256xi32>) -> tensor<128x256xi32>
  %b = linalg.matmul ins(%u, %v : tensor<16x1024xi8>, tensor<1024x1024xi8>) outs(%more : tensor<16x1024xi32>) -> tensor<16x1024xi32>
  %c = linalg.matmul ins(%s, %t : tensor<1024x250xi8>, tensor<250x1024xi8>) outs(%odd : tensor<1024x1024xi32>) -> tensor<1024x1024xi32>
  return %a, %b, %c : tensor<128x256xi32>, tensor<16x1024xi32>, tensor<1024x1024xi32>
}
