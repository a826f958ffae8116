// RUN: dae-opt %s --cpu-block-contractions | FileCheck %s
// RUN: dae-opt %s --cpu-block-contractions=dots=false | FileCheck %s --check-prefix=SINGLE

// Three columns of weights become a panel of sixteen, of which those that no output has are zeros. The sums are as many,
// and the first three of each row are the result.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 16 + d2)>
// CHECK-LABEL: func.func @floats
// CHECK-DAG: %[[PANELS:.*]] = arith.constant dense<{{\[\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00, {{.*}}], [4.000000e+00, 5.000000e+00, 6.000000e+00, 0.000000e+00, {{.*}}]]]> : tensor<1x2x16xf32>
// CHECK-DAG: %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x16xf32>)
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[Y]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %[[PANELS]] : tensor<4x2xf32>, tensor<1x2x16xf32>) outs(%[[F]] : tensor<4x16xf32>)
// CHECK: tensor.extract_slice %[[S]][0, 0] [4, 3] [1, 1]
func.func @floats(%x: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x3xf32>) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// Weights that are no constant stay as they are.
// CHECK-LABEL: func.func @variable
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x2xf32>, tensor<2x3xf32>)
func.func @variable(%x: tensor<4x2xf32>, %w: tensor<2x3xf32>, %f: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x3xf32>) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// Weights of bytes lie in groups of four, or one behind the other where no instruction adds four products.
// CHECK-LABEL: func.func @bytes
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<4x8xi16>, tensor<1x2x16x4xi8>)
// SINGLE-LABEL: func.func @bytes
// SINGLE: linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<4x8xi8>, tensor<1x8x16xi8>)
#x = affine_map<(i, j, k) -> (i, k)>
#w = affine_map<(i, j, k) -> (k, j)>
#y = affine_map<(i, j, k) -> (i, j)>
func.func @bytes(%x: tensor<4x8xi8>) -> tensor<4x16xi32> {
  %w = arith.constant dense<3> : tensor<8x16xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x16xi32>) -> tensor<4x16xi32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xi8>, tensor<8x16xi8>) outs(%f : tensor<4x16xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wide = arith.extsi %a : i8 to i32
    %weight = arith.extsi %b : i8 to i32
    %product = arith.muli %wide, %weight : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<4x16xi32>
  return %y : tensor<4x16xi32>
}
