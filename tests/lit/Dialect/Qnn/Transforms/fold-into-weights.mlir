// RUN: dae-opt %s --split-input-file --qnn-fold-into-weights | FileCheck %s

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
!b = !quant.uniform<i32:f32, 0.125>

// Factors 2 and -4, summands 1 and 0.5; scale and bias behind a DequantizeLinear, as ONNX Runtime writes them.
!p = !quant.uniform<i8:f32, 0.5>
// CHECK-LABEL: @main
func.func @main(%bytesIn: tensor<1x1x2x2xi8>) -> tensor<1x2x2x2xi8> {
  // CHECK-DAG: dense<{{.*}}{{\[\[\[\[}}1]]], [{{\[\[}}128]]]]> : tensor<2x1x1x1xi16>}> : () -> tensor<2x1x1x1x!quant.uniform<i16:f32:0, {5.000000e-01,1.000000e+00}>>
  // CHECK-DAG: dense<[12, -15]> : tensor<2xi32>}> : () -> tensor<2x!quant.uniform<i32:f32:0, {2.500000e-01,5.000000e-01}>>
  // CHECK: %[[y:.*]] = qnn.conv %{{.*}} by %{{.*}} plus %{{.*}} : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>)
  // CHECK-NOT: qnn.batch_norm
  %q = "quant.scast"(%bytesIn) : (tensor<1x1x2x2xi8>) -> tensor<1x1x2x2x!x>
  %x = "quant.dcast"(%q) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xf32>
  %wq = "tosa.const"() <{value = dense<[[[[1]]], [[[-128]]]]> : tensor<2x1x1x1xi8>}> : () -> tensor<2x1x1x1x!w>
  %w = "quant.dcast"(%wq) : (tensor<2x1x1x1x!w>) -> tensor<2x1x1x1xf32>
  %bq = "tosa.const"() <{value = dense<[8, 16]> : tensor<2xi32>}> : () -> tensor<2x!b>
  %b = "quant.dcast"(%bq) : (tensor<2x!b>) -> tensor<2xf32>
  %y = qnn.conv %x by %w plus %b : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %sq = "tosa.const"() <{value = dense<[4, -8]> : tensor<2xi8>}> : () -> tensor<2x!p>
  %scale = "quant.dcast"(%sq) : (tensor<2x!p>) -> tensor<2xf32>
  %oq = "tosa.const"() <{value = dense<[2, 1]> : tensor<2xi8>}> : () -> tensor<2x!p>
  %bias = "quant.dcast"(%oq) : (tensor<2x!p>) -> tensor<2xf32>
  %mean = "tosa.const"() <{value = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %variance = "tosa.const"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %n = qnn.batch_norm %y by %scale, %bias, %mean, %variance {epsilon = 0.0 : f32}
      : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %r = "quant.qcast"(%n) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!x>
  %bytes = "quant.scast"(%r) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xi8>
  return %bytes : tensor<1x2x2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>

// A summand becomes the bias, of the shape that it broadcasts from; the second one has a bias before it.
// CHECK-LABEL: @main
func.func @main(%bytes: tensor<2x2xi8>) -> tensor<2x3xi8> {
  // CHECK: "tosa.const"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>}>
  // CHECK: %[[y:.*]] = qnn.matmul %{{.*}} by %{{.*}} plus %{{.*}} :
  // CHECK: qnn.add %[[y]]
  %q = "quant.scast"(%bytes) : (tensor<2x2xi8>) -> tensor<2x2x!x>
  %x = "quant.dcast"(%q) : (tensor<2x2x!x>) -> tensor<2x2xf32>
  %wq = "tosa.const"() <{value = dense<1> : tensor<2x3xi8>}> : () -> tensor<2x3x!w>
  %w = "quant.dcast"(%wq) : (tensor<2x3x!w>) -> tensor<2x3xf32>
  %y = qnn.matmul %x by %w : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = "tosa.const"() <{value = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
  %z = qnn.add %b, %y : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %v = qnn.add %z, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %r = "quant.qcast"(%v) : (tensor<2x3xf32>) -> tensor<2x3x!x>
  %s = "quant.scast"(%r) : (tensor<2x3x!x>) -> tensor<2x3xi8>
  return %s : tensor<2x3xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>

// Of a quantized image a depthwise convolution by 127 2^8 times 1 / (127 2^8); of one that is not quantized again it stays.
// CHECK-LABEL: @main
func.func @main(%bytes: tensor<1x2x2x2xi8>) -> (tensor<1x2x2x2xi8>, tensor<1x2x2x2xf32>) {
  // CHECK: dense<32512> : tensor<2x1x1x1xi16>
  // CHECK: qnn.conv {{.*}} {groups = 2 : i64}
  // CHECK: qnn.batch_norm
  %q = "quant.scast"(%bytes) : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2x!x>
  %x = "quant.dcast"(%q) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xf32>
  %p = "tosa.const"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %n = qnn.batch_norm %x by %p, %p, %p, %p {epsilon = 0.0 : f32}
      : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %r = "quant.qcast"(%n) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!x>
  %s = "quant.scast"(%r) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xi8>
  %m = qnn.batch_norm %x by %p, %p, %p, %p {epsilon = 1.0 : f32}
      : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  return %s, %m : tensor<1x2x2x2xi8>, tensor<1x2x2x2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>

// Of a quantized matrix it is one of an image, in another shape; of one that is not quantized again it stays.
// CHECK-LABEL: @main
func.func @main(%bytes: tensor<3x2xi8>) -> (tensor<3x2xi8>, tensor<3x2xf32>) {
  // CHECK: %[[q:.*]] = "quant.scast"(%arg0)
  // CHECK: %[[i:.*]] = tosa.reshape %[[q]] {new_shape = array<i64: 3, 2, 1, 1>}
  // CHECK: %[[x:.*]] = "quant.dcast"(%[[i]])
  // CHECK: %[[c:.*]] = qnn.conv %[[x]] {{.*}} {groups = 2 : i64}
  // CHECK: %[[y:.*]] = tosa.reshape %[[c]] {new_shape = array<i64: 3, 2>}
  // CHECK: "quant.qcast"(%[[y]])
  // CHECK: qnn.batch_norm
  %q = "quant.scast"(%bytes) : (tensor<3x2xi8>) -> tensor<3x2x!x>
  %x = "quant.dcast"(%q) : (tensor<3x2x!x>) -> tensor<3x2xf32>
  %p = "tosa.const"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %n = qnn.batch_norm %x by %p, %p, %p, %p {epsilon = 0.0 : f32}
      : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %r = "quant.qcast"(%n) : (tensor<3x2xf32>) -> tensor<3x2x!x>
  %s = "quant.scast"(%r) : (tensor<3x2x!x>) -> tensor<3x2xi8>
  %m = qnn.batch_norm %x by %p, %p, %p, %p {epsilon = 1.0 : f32}
      : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %s, %m : tensor<3x2xi8>, tensor<3x2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 1.0e-5>
!w = !quant.uniform<i8:f32, 1.0e-5>
// A bias of 1e12 units takes units 2^10 as large, in which the weight is 0.
// CHECK-LABEL: @main
// CHECK-DAG: dense<0> : tensor<1x1x1x1xi8>
// CHECK-DAG: dense<976562500> : tensor<1xi32>
// CHECK: qnn.conv
func.func @main(%bytes: tensor<1x1x2x2xi8>) -> tensor<1x1x2x2xi8> {
  %q = "quant.scast"(%bytes) : (tensor<1x1x2x2xi8>) -> tensor<1x1x2x2x!x>
  %x = "quant.dcast"(%q) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xf32>
  %wq = "tosa.const"() <{value = dense<1> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1x!w>
  %w = "quant.dcast"(%wq) : (tensor<1x1x1x1x!w>) -> tensor<1x1x1x1xf32>
  %y = qnn.conv %x by %w : (tensor<1x1x2x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x2xf32>
  %p = "tosa.const"() <{value = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %b = "tosa.const"() <{value = dense<100.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %m = "tosa.const"() <{value = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %n = qnn.batch_norm %y by %p, %b, %m, %p {epsilon = 0.0 : f32}
      : (tensor<1x1x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x2x2xf32>
  %r = "quant.qcast"(%n) : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2x!x>
  %s = "quant.scast"(%r) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xi8>
  return %s : tensor<1x1x2x2xi8>
}
