// RUN: dae-opt %s --cpu-lower-kernels | FileCheck %s

// The maxima of windows are those of their columns, then those of rows of these. In tiles that touch no edge of the
// image but the sides, columns are read from the image itself: nothing is copied.

// CHECK-LABEL: func.func @pool
// CHECK: scf.forall
// CHECK: scf.if
// CHECK: memref.store {{.*}}memref<1x?x?x112xf32
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: } else {
// CHECK-NOT: memref.store {{.*}}112xf32
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: arith.maximumf
// CHECK-NOT: memref.store {{.*}}112xf32
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK-NOT: memref.store {{.*}}56xf32
// CHECK: return
func.func @main(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %y = host.step @pool(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32>
  return %y : tensor<1x64x56x56xf32>
}
func.func private @pool(%x: tensor<1x64x112x112xf32>) -> tensor<1x64x56x56xf32> {
  %least = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %least : f32
  } : tensor<1x64x112x112xf32> to tensor<1x64x113x113xf32>
  %w = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x64x56x56xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %y = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x64x113x113xf32>, tensor<3x3xf32>) outs(%f : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %y : tensor<1x64x56x56xf32>
}
