// RUN: dae-opt %s --split-input-file --qnn-transposed-convolutions | FileCheck %s

!w = !quant.uniform<i8:f32:1, {0.5, 0.25:7}>

// The kernel is a block: one tap. Scales and zero points of the output channels are repeated.
// CHECK-LABEL: @main
func.func @main(%x: tensor<1x1x2x2xf32>) -> tensor<1x2x2x4xf32> {
  // CHECK-DAG: "tosa.const"() <{value = dense<{{\[\[\[\[}}1]]], {{\[\[\[}}3]]], {{\[\[\[}}2]]], {{\[\[\[}}4]]]]> : tensor<4x1x1x1xi8>}> : () -> tensor<4x1x1x1x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:7,5.000000e-01,2.500000e-01:7}>>
  // CHECK-DAG: "tosa.const"() <{value = dense<[1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<4xf32>}>
  // CHECK: %[[y:.*]] = qnn.conv %arg0 by %{{.*}} plus %{{.*}} : ({{.*}}) -> tensor<1x4x2x2xf32>
  // CHECK: tosa.reshape %[[y]] {new_shape = array<i64: 1, 1, 2, 2, 2, 2>}
  // CHECK: tosa.transpose
  // CHECK: tosa.reshape {{.*}} -> tensor<1x2x2x4xf32>
  %q = "tosa.const"() <{value = dense<[[[[1, 2]], [[3, 4]]]]> : tensor<1x2x1x2xi8>}> : () -> tensor<1x2x1x2x!w>
  %w = "quant.dcast"(%q) : (tensor<1x2x1x2x!w>) -> tensor<1x2x1x2xf32>
  %b = "tosa.const"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %y = qnn.transposed_conv %x by %w plus %b {strides = array<i64: 1, 2>}
      : (tensor<1x1x2x2xf32>, tensor<1x2x1x2xf32>, tensor<2xf32>) -> tensor<1x2x2x4xf32>
  return %y : tensor<1x2x2x4xf32>
}

// -----

// Three taps and a stride of 2: two taps a block, turned around, with a zero behind the kernel's end; a row is cut off.
// CHECK-LABEL: @main
func.func @main(%x: tensor<1x1x4x1xf32>) -> tensor<1x1x8x1xf32> {
  // CHECK: dense<{{\[\[\[\[}}3.000000e+00], [1.000000e+00]]], {{\[\[\[}}0.000000e+00], [2.000000e+00]]]]> : tensor<2x1x2x1xf32>
  // CHECK: %[[y:.*]] = qnn.conv {{.*}} {pad = array<i64: 1, 1, 0, 0>} : ({{.*}}) -> tensor<1x2x5x1xf32>
  // CHECK: tosa.slice {{.*}} {size = array<i64: 1, 1, 8, 1>, start = array<i64: 0, 0, 1, 0>}
  %w = "tosa.const"() <{value = dense<[[[[1.0], [2.0], [3.0]]]]> : tensor<1x1x3x1xf32>}> : () -> tensor<1x1x3x1xf32>
  %y = qnn.transposed_conv %x by %w {cut = array<i64: 1, 0>, strides = array<i64: 2, 1>}
      : (tensor<1x1x4x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x8x1xf32>
  return %y : tensor<1x1x8x1xf32>
}

// -----

// By what is no constant it stays.
// CHECK-LABEL: @main
func.func @main(%x: tensor<1x1x4x1xf32>, %w: tensor<1x1x3x1xf32>) -> tensor<1x1x6x1xf32> {
  // CHECK: qnn.transposed_conv
  %y = qnn.transposed_conv %x by %w : (tensor<1x1x4x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x6x1xf32>
  return %y : tensor<1x1x6x1xf32>
}
