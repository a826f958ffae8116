// RUN: dae-opt %s --codegen-compute-before-reshapes | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// The sum is computed on the shape that the product has, and reshaped behind.
// CHECK-LABEL: func.func @before
// CHECK: linalg.matmul
// CHECK-NOT: tensor.expand_shape %{{.*}}: tensor<4x6xf32>
// CHECK: arith.addf
// CHECK: tensor.expand_shape
func.func @before(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<2x2x6xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %deep = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xf32> into tensor<2x2x6xf32>
  %f = tensor.empty() : tensor<2x2x6xf32>
  %one = arith.constant 1.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%deep : tensor<2x2x6xf32>) outs(%f : tensor<2x2x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %one : f32
    linalg.yield %s : f32
  } -> tensor<2x2x6xf32>
  return %y : tensor<2x2x6xf32>
}
