// RUN: dae-opt %s --cuda-take-stored-factors | FileCheck %s

// Both factors are float16 in memory: the product reads them and widens them itself, as tensor cores do.
// CHECK-LABEL: func.func @halves
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf16>, %[[B:[a-z0-9]+]]: tensor<8x4xf16>
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<4x8xf16>, tensor<8x4xf16>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f16, %[[Y:.*]]: f16, %[[S:.*]]: f32)
// CHECK-DAG: arith.extf %[[X]] : f16 to f32
// CHECK-DAG: arith.extf %[[Y]] : f16 to f32
// CHECK: arith.mulf
// CHECK: arith.addf
#same = affine_map<(i, j) -> (i, j)>
func.func @halves(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>, %sums: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<8x4xf32>
  %x = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %wide = arith.extf %in : f16 to f32
    linalg.yield %wide : f32
  } -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8x4xf16>) outs(%f : tensor<8x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %wide = arith.extf %in : f16 to f32
    linalg.yield %wide : f32
  } -> tensor<8x4xf32>
  %z = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%sums : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// One of two stays widened before.
// CHECK-LABEL: func.func @mixed
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x4xf32>)
func.func @mixed(%a: tensor<4x8xf16>, %y: tensor<8x4xf32>, %sums: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %x = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %wide = arith.extf %in : f16 to f32
    linalg.yield %wide : f32
  } -> tensor<4x8xf32>
  %z = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%sums : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
