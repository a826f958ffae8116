// RUN: dae-opt %s --cpu-generalize-contractions | FileCheck %s

// A matrix product becomes linalg.generic with its body; a generic operation that writes one number everywhere becomes
// linalg.fill.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @product
// CHECK: %[[F:.*]] = linalg.fill ins(%{{.*}} : f32)
// CHECK-NOT: linalg.matmul
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<4x5xf32>, tensor<5x6xf32>) outs(%[[F]] : tensor<4x6xf32>)
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NOT: linalg.generic
#none = affine_map<(i, j) -> ()>
#same = affine_map<(i, j) -> (i, j)>
func.func @product(%x: tensor<4x5xf32>, %w: tensor<5x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.generic {indexing_maps = [#none, #same], iterator_types = ["parallel", "parallel"]} ins(%zero : f32) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x5xf32>, tensor<5x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// What is no sum of products stays as it is.
// CHECK-LABEL: func.func @sum
// CHECK: linalg.reduce
func.func @sum(%x: tensor<4x5xf32>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.reduce {arith.addf} ins(%x : tensor<4x5xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %y : tensor<4xf32>
}
