// RUN: dae-opt %s --cpu-drop-unit-loops | FileCheck %s

// A depthwise convolution, one input channel and one output channel in each of three groups: the loops of these two
// channels go, and so do their dimensions of the operands.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d0 + d2, d1)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @depthwise
// CHECK-DAG: %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<6x3x1xf32> into tensor<6x3xf32>
// CHECK-DAG: %[[V:.*]] = tensor.collapse_shape %{{.*}} : tensor<2x3x1x1xf32> into tensor<2x3xf32>
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[IN]], #[[W]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[V]] : tensor<6x3xf32>, tensor<2x3xf32>)
// CHECK: tensor.expand_shape %[[Y]] {{.*}} : tensor<5x3xf32> into tensor<5x3x1xf32>
#in = affine_map<(i, g, o, k, c) -> (i + k, g, c)>
#w = affine_map<(i, g, o, k, c) -> (k, g, c, o)>
#out = affine_map<(i, g, o, k, c) -> (i, g, o)>
func.func @depthwise(%x: tensor<6x3x1xf32>, %w: tensor<2x3x1x1xf32>) -> tensor<5x3x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x3x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x3x1xf32>) -> tensor<5x3x1xf32>
  %y = linalg.generic {indexing_maps = [#in, #w, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<6x3x1xf32>, tensor<2x3x1x1xf32>) outs(%f : tensor<5x3x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x3x1xf32>
  return %y : tensor<5x3x1xf32>
}
