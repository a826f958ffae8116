// RUN: dae-opt %s --cpu-separate-pools | FileCheck %s

// The maxima of windows of three by three with a stride of two: first those of three numbers above each other, in every
// column, then those of three of these side by side.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2 * 2 + d4, d3)>
// CHECK-DAG: #[[SIDE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3 * 2 + d4)>
// CHECK-LABEL: func.func @pool
// CHECK-NOT: linalg.pooling_nchw_max
// CHECK: %[[COLUMNS:.*]] = linalg.generic {indexing_maps = [#[[IN]], {{.*}}"reduction"]} ins(%{{.*}}, %{{.*}} : tensor<1x1x9x9xf32>, tensor<3x{{.*}}>) outs(%{{.*}} : tensor<1x1x4x9xf32>)
// CHECK: arith.maximumf
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[COLUMNS]] into
// CHECK: %[[THESE:.*]] = tensor.extract_slice %[[ALL]]
// CHECK: linalg.generic {indexing_maps = [#[[SIDE]], {{.*}}"reduction"]} ins(%[[THESE]], %{{.*}} : tensor<1x1x4x9xf32>, tensor<3x{{.*}}>) outs(%{{.*}} : tensor<1x1x4x4xf32>)
// CHECK: arith.maximumf
func.func @pool(%x: tensor<1x2x9x9xf32>) -> tensor<1x2x4x4xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x2x9x9xf32>, tensor<3x3xf32>) outs(%f : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// Sums would be other floats in another order.
// CHECK-LABEL: func.func @sum
// CHECK: linalg.pooling_nchw_sum
func.func @sum(%x: tensor<1x2x9x9xf32>, %f: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %window = tensor.empty() : tensor<3x3xf32>
  %y = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x2x9x9xf32>, tensor<3x3xf32>) outs(%f : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}
