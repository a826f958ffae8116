// RUN: dae-opt %s --split-input-file --qnn-fold-constants | FileCheck %s

!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!q = !quant.uniform<u8:f32, 0.5:10>

// What a DequantizeLinear of an initializer becomes.
// CHECK-LABEL: @main
func.func @main() -> tensor<2x2xf32> {
  // CHECK: %[[w:.*]] = "tosa.const"() <{value = dense<{{\[\[}}1, 2], [3, -4]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:0
  // CHECK-NEXT: %[[r:.*]] = "quant.dcast"(%[[w]])
  // CHECK-NEXT: return %[[r]]
  %0 = "tosa.const"() <{value = dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>}> : () -> tensor<2x2xi8>
  %1 = "quant.scast"(%0) : (tensor<2x2xi8>) -> tensor<2x2x!w>
  %2 = "quant.dcast"(%1) : (tensor<2x2x!w>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// -----

!q = !quant.uniform<u8:f32, 0.5:10>

// Halves go to even, what is outside of the type to its ends, a NaN to zero.
// CHECK-LABEL: @main
func.func @main() -> tensor<6xi8> {
  // CHECK: dense<[10, 12, 0, -1, 10, 12]> : tensor<6xi8>
  %0 = "tosa.const"() <{value = dense<[0.0, 1.25, -9.0, 1.0e9, 0x7FC00000, 0.75]> : tensor<6xf32>}> : () -> tensor<6xf32>
  %1 = "quant.qcast"(%0) : (tensor<6xf32>) -> tensor<6x!q>
  %2 = "quant.scast"(%1) : (tensor<6x!q>) -> tensor<6xi8>
  return %2 : tensor<6xi8>
}

// -----

!q = !quant.uniform<i8:f32, 0.5>

// CHECK-LABEL: @main
// CHECK-NOT: tosa.reshape
func.func @main() -> (tensor<4xf32>, tensor<4x1xf32>) {
  %0 = "tosa.const"() <{value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!q>
  %1 = "quant.dcast"(%0) : (tensor<2x2x!q>) -> tensor<2x2xf32>
  %2 = tosa.reshape %1 {new_shape = array<i64: 4>} : (tensor<2x2xf32>) -> tensor<4xf32>
  %3 = "tosa.const"() <{value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %4 = tosa.reshape %3 {new_shape = array<i64: 4, 1>} : (tensor<2x2xf32>) -> tensor<4x1xf32>
  return %2, %4 : tensor<4xf32>, tensor<4x1xf32>
}

// -----

// Identity of an initializer, in whatever order; of what is computed it stays, and so does what is no copy.
// CHECK-LABEL: @main
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: %[[c:.*]] = "tosa.const"
  // CHECK-DAG: %[[x:.*]] = call @copy(%arg0)
  // CHECK-DAG: %[[n:.*]] = call @negative(%[[c]])
  // CHECK: return %[[c]], %[[x]], %[[n]]
  %0 = "tosa.const"() <{value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
  %1 = call @copy(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @copy(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @copy(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = call @negative(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
#id = affine_map<(d0) -> (d0)>
func.func private @copy(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
