// RUN: dae-opt %s --cpu-lower-kernels | FileCheck %s

// A bias that is added behind a reshape of a product is added in the product's tiles, and nothing of the product is
// computed outside of them.

// CHECK-LABEL: func.func @product
// CHECK-NOT: linalg.generic
// CHECK: scf.forall
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
func.func @main(%x: tensor<1x64x256xf32>, %w: tensor<256x512xf32>, %b: tensor<512xf32>) -> tensor<1x64x512xf32> {
  %y = host.step @product(%x, %w, %b) {layers = array<i64: 0>, target = "cpu"} : (tensor<1x64x256xf32>, tensor<256x512xf32>, tensor<512xf32>) -> tensor<1x64x512xf32>
  return %y : tensor<1x64x512xf32>
}
func.func private @product(%x: tensor<1x64x256xf32>, %w: tensor<256x512xf32>, %b: tensor<512xf32>) -> tensor<1x64x512xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x64x256xf32> into tensor<64x256xf32>
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %p = linalg.matmul ins(%rows, %w : tensor<64x256xf32>, tensor<256x512xf32>) outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  %r = tensor.expand_shape %p [[0, 1], [2]] output_shape [1, 64, 512] : tensor<64x512xf32> into tensor<1x64x512xf32>
  %o = tensor.empty() : tensor<1x64x512xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r, %b : tensor<1x64x512xf32>, tensor<512xf32>) outs(%o : tensor<1x64x512xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x64x512xf32>
  return %y : tensor<1x64x512xf32>
}
