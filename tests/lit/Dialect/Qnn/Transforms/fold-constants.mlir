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

// -----

!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!v = !quant.uniform<i8:f32:1, {0.5, 0.25}>

// Scales along a dimension go with it; where it goes nowhere the reshape stays.
// CHECK-LABEL: @main
func.func @main() -> (tensor<2x3x1x1xf32>, tensor<1x2x3xf32>, tensor<6xf32>) {
  // CHECK-DAG: %[[a:.*]] = "quant.dcast"(%{{.*}}) : (tensor<2x3x1x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>)
  // CHECK-DAG: %[[b:.*]] = "quant.dcast"(%{{.*}}) : (tensor<1x2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>)
  // CHECK-DAG: %[[c:.*]] = tosa.reshape
  // CHECK: return %[[a]], %[[b]], %[[c]]
  %0 = "tosa.const"() <{value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>}> : () -> tensor<2x3x!w>
  %1 = "quant.dcast"(%0) : (tensor<2x3x!w>) -> tensor<2x3xf32>
  %2 = tosa.reshape %1 {new_shape = array<i64: 2, 3, 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3x1x1xf32>
  %3 = tosa.reshape %1 {new_shape = array<i64: 1, 2, 3>} : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  %4 = tosa.reshape %1 {new_shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %2, %3, %4 : tensor<2x3x1x1xf32>, tensor<1x2x3xf32>, tensor<6xf32>
}

// -----

// A reshape of a reshape is one, or none.
// CHECK-LABEL: @main
func.func @main(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<3x2xf32>) {
  // CHECK: %[[y:.*]] = tosa.reshape %arg0 {new_shape = array<i64: 3, 2>}
  // CHECK-NEXT: return %arg0, %[[y]]
  %0 = tosa.reshape %x {new_shape = array<i64: 2, 3>} : (tensor<6xf32>) -> tensor<2x3xf32>
  %1 = tosa.reshape %0 {new_shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  %2 = tosa.reshape %0 {new_shape = array<i64: 3, 2>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1, %2 : tensor<6xf32>, tensor<3x2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:3>

// Quantizations of one tensor to one type are one.
// CHECK-LABEL: @main
func.func @main(%x: tensor<4xf32>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  // CHECK: "quant.qcast"(%arg0) {{.*}}5.000000e-01:3
  // CHECK: "quant.qcast"(%arg0) {{.*}}2.500000e-01:3
  // CHECK-NOT: quant.qcast
  %0 = "quant.qcast"(%x) : (tensor<4xf32>) -> tensor<4x!x>
  %1 = "quant.qcast"(%x) : (tensor<4xf32>) -> tensor<4x!y>
  %2 = "quant.qcast"(%x) : (tensor<4xf32>) -> tensor<4x!x>
  %3 = "quant.scast"(%0) : (tensor<4x!x>) -> tensor<4xi8>
  %4 = "quant.scast"(%1) : (tensor<4x!y>) -> tensor<4xi8>
  %5 = "quant.scast"(%2) : (tensor<4x!x>) -> tensor<4xi8>
  return %3, %4, %5 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>

// What a product reads is dequantized right before it; what is computed in float stays.
// CHECK-LABEL: @main
func.func @main(%bytes: tensor<2x3xi8>, %real: tensor<2x3xf32>) -> (tensor<3x1x2xf32>, tensor<6xf32>) {
  // CHECK: %[[q:.*]] = "quant.scast"(%arg0)
  // CHECK: %[[t:.*]] = tosa.transpose %[[q]], {{.*}} -> tensor<3x2x!quant
  // CHECK: %[[r:.*]] = tosa.reshape %[[t]] {{.*}} -> tensor<3x1x2x!quant
  // CHECK: %[[x:.*]] = "quant.dcast"(%[[r]])
  // CHECK: %[[y:.*]] = tosa.reshape %arg1
  // CHECK: return %[[x]], %[[y]]
  %q = "quant.scast"(%bytes) : (tensor<2x3xi8>) -> tensor<2x3x!x>
  %x = "quant.dcast"(%q) : (tensor<2x3x!x>) -> tensor<2x3xf32>
  %order = "tosa.const"() <{value = dense<[1, 0]> : tensor<2xi64>}> : () -> tensor<2xi64>
  %0 = tosa.transpose %x, %order : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %1 = tosa.reshape %0 {new_shape = array<i64: 3, 1, 2>} : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
  %2 = tosa.reshape %real {new_shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %1, %2 : tensor<3x1x2xf32>, tensor<6xf32>
}
