// RUN: dae-opt %s --split-input-file --qnn-signed-storage | FileCheck %s

!u = !quant.uniform<u8:f32, 0.5:10>
!w = !quant.uniform<u8:f32:0, {0.5:128, 0.25:128}>

// CHECK-LABEL: @main
func.func @main(%x: tensor<2x2xi8>) -> (tensor<2x2xi8>, tensor<2x2xf32>) {
  // CHECK: "tosa.const"() <{value = dense<{{\[\[}}-128, 127], [0, -1]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
  // CHECK: %[[b:.*]] = call @bytes_0(%arg0)
  // CHECK: %[[q:.*]] = "quant.scast"(%[[b]]) : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:-118>>
  // CHECK: %[[s:.*]] = qnn.add %[[q]], %[[q]]
  // CHECK: %[[o:.*]] = "quant.scast"(%[[s]])
  // CHECK: %[[r:.*]] = call @bytes_1(%[[o]])
  // CHECK: return %[[r]]
  %c = "tosa.const"() <{value = dense<[[0, -1], [-128, 127]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!w>
  %d = "quant.dcast"(%c) : (tensor<2x2x!w>) -> tensor<2x2xf32>
  %0 = "quant.scast"(%x) : (tensor<2x2xi8>) -> tensor<2x2x!u>
  %1 = qnn.add %0, %0 : (tensor<2x2x!u>, tensor<2x2x!u>) -> tensor<2x2x!u>
  %2 = "quant.scast"(%1) : (tensor<2x2x!u>) -> tensor<2x2xi8>
  return %2, %d : tensor<2x2xi8>, tensor<2x2xf32>
}
// CHECK: func.func private @bytes_0
// CHECK: arith.xori

// -----

!u = !quant.uniform<u8:f32, 0.5:10>
!v = !quant.uniform<u8:f32, 0.25:3>

// Bytes that are read as another type stay as they are.
// CHECK-LABEL: @main
// CHECK-NOT: call
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "quant.qcast"(%x) : (tensor<2xf32>) -> tensor<2x!u>
  %1 = "quant.scast"(%0) : (tensor<2x!u>) -> tensor<2xi8>
  // CHECK: "quant.scast"(%{{.*}}) : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01:-125>>
  %2 = "quant.scast"(%1) : (tensor<2xi8>) -> tensor<2x!v>
  %3 = "quant.dcast"(%2) : (tensor<2x!v>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}
