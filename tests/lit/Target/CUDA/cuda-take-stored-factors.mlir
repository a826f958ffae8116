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

// A constant of numbers that float16 has is one of float16, and a padded factor is padded as it is stored.
// CHECK-LABEL: func.func @padded
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x6xf16>
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f16
// CHECK: %[[P:.*]] = tensor.pad %[[A]] low[0, 1] high[0, 1]
// CHECK: tensor.yield %[[ZERO]] : f16
// CHECK: %[[B:.*]] = arith.constant dense<1.500000e+00> : tensor<8x4xf16>
// CHECK: linalg.generic {{.*}} ins(%[[P]], %[[B]] : tensor<4x8xf16>, tensor<8x4xf16>) outs(%{{.*}} : tensor<4x4xf32>)
func.func @padded(%a: tensor<4x6xf16>, %sums: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %x = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x6xf16>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f16, %out: f32):
    %wide = arith.extf %in : f16 to f32
    linalg.yield %wide : f32
  } -> tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<4x8xf32>
  %y = arith.constant dense<1.5> : tensor<8x4xf32>
  %z = linalg.matmul ins(%p, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%sums : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// Numbers that float16 has not: a third, and a border of 2^17.
// CHECK-LABEL: func.func @others
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x4xf32>)
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x10xf32>, tensor<10x4xf32>)
func.func @others(%a: tensor<4x8xf16>, %sums: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %x = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %wide = arith.extf %in : f16 to f32
    linalg.yield %wide : f32
  } -> tensor<4x8xf32>
  %third = arith.constant dense<0.333333333> : tensor<8x4xf32>
  %z = linalg.matmul ins(%x, %third : tensor<4x8xf32>, tensor<8x4xf32>) outs(%sums : tensor<4x4xf32>) -> tensor<4x4xf32>
  %large = arith.constant 131072.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %large : f32
  } : tensor<4x8xf32> to tensor<4x10xf32>
  %y = arith.constant dense<1.5> : tensor<10x4xf32>
  %w = linalg.matmul ins(%p, %y : tensor<4x10xf32>, tensor<10x4xf32>) outs(%sums : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z, %w : tensor<4x4xf32>, tensor<4x4xf32>
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
