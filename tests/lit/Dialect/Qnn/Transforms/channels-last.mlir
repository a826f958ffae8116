// RUN: dae-opt %s --split-input-file --qnn-channels-last | FileCheck %s

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
!b = !quant.uniform<i32:f32, 0.125>

// The image is permuted once where it comes in, and where plain numbers are read; the weights lie so from the start.
// CHECK-LABEL: @main
func.func @main(%bytes: tensor<1x2x4x4xi8>) -> tensor<1x2x4x4xi8> {
  // CHECK: %[[q:.*]] = "quant.scast"(%arg0)
  // CHECK: %[[i:.*]] = tosa.transpose %[[q]], %{{.*}} : (tensor<1x2x4x4x!quant{{.*}} -> tensor<1x4x4x2x!quant
  // CHECK: dense<{{\[\[\[\[}}1, 2]]], {{\[\[\[}}3, 4]]]]> : tensor<2x1x1x2xi8>
  // CHECK: %[[c:.*]] = qnn.conv %[[i]] by %{{.*}} plus %{{.*}} {channels_last} {{.*}} -> tensor<1x4x4x2x!quant
  // CHECK: %[[l:.*]] = tosa.clamp %[[c]]
  // CHECK: %[[a:.*]] = qnn.add %[[l]], %[[i]]
  // CHECK: %[[p:.*]] = qnn.max_pool %[[a]] {channels_last, {{.*}} -> tensor<1x4x4x2x!quant
  // CHECK: %[[s:.*]] = "quant.scast"(%[[p]])
  // CHECK: %[[o:.*]] = tosa.transpose %[[s]], %{{.*}} : (tensor<1x4x4x2xi8>, tensor<4xi64>) -> tensor<1x2x4x4xi8>
  // CHECK: return %[[o]]
  %q = "quant.scast"(%bytes) : (tensor<1x2x4x4xi8>) -> tensor<1x2x4x4x!x>
  %w = "tosa.const"() <{value = dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>}> : () -> tensor<2x2x1x1x!w>
  %b = "tosa.const"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2x!b>
  %c = qnn.conv %q by %w plus %b : (tensor<1x2x4x4x!x>, tensor<2x2x1x1x!w>, tensor<2x!b>) -> tensor<1x2x4x4x!x>
  %l = tosa.clamp %c {min_int = 3 : i64, max_int = 127 : i64, min_fp = 0.0 : f32, max_fp = 62.0 : f32} : (tensor<1x2x4x4x!x>) -> tensor<1x2x4x4x!x>
  %a = qnn.add %l, %q : (tensor<1x2x4x4x!x>, tensor<1x2x4x4x!x>) -> tensor<1x2x4x4x!x>
  %p = qnn.max_pool %a {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x2x4x4x!x> -> tensor<1x2x4x4x!x>
  %s = "quant.scast"(%p) : (tensor<1x2x4x4x!x>) -> tensor<1x2x4x4xi8>
  return %s : tensor<1x2x4x4xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
!b = !quant.uniform<i32:f32, 0.125>

// One channel moves no element. A flattened image is read as it lies, by weights whose columns are permuted.
// CHECK-LABEL: @main
func.func @main(%bytes: tensor<1x1x2x2xi8>, %more: tensor<1x2x1x2xi8>) -> (tensor<1x4xi8>, tensor<1x1xi8>) {
  // CHECK: tosa.reshape %{{.*}} {new_shape = array<i64: 1, 2, 2, 1>}
  // CHECK: qnn.upsample %{{.*}} {channels_last, factors = array<i64: 1, 1>}
  // CHECK: tosa.transpose
  // CHECK: dense<{{\[\[}}1, 3, 2, 4]]> : tensor<1x4xi8>
  // CHECK: tosa.reshape %{{.*}} {new_shape = array<i64: 1, 4>}
  // CHECK: qnn.matmul
  // CHECK-NOT: tosa.transpose
  %q = "quant.scast"(%bytes) : (tensor<1x1x2x2xi8>) -> tensor<1x1x2x2x!x>
  %u = qnn.upsample %q {factors = array<i64: 1, 1>} : tensor<1x1x2x2x!x> -> tensor<1x1x2x2x!x>
  %r = tosa.reshape %u {new_shape = array<i64: 1, 4>} : (tensor<1x1x2x2x!x>) -> tensor<1x4x!x>
  %s = "quant.scast"(%r) : (tensor<1x4x!x>) -> tensor<1x4xi8>
  %i = "quant.scast"(%more) : (tensor<1x2x1x2xi8>) -> tensor<1x2x1x2x!x>
  %f = tosa.reshape %i {new_shape = array<i64: 1, 4>} : (tensor<1x2x1x2x!x>) -> tensor<1x4x!x>
  %w = "tosa.const"() <{value = dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>}> : () -> tensor<1x4x!w>
  %b = "tosa.const"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1x!b>
  %m = qnn.matmul %f by %w plus %b {transposed} : (tensor<1x4x!x>, tensor<1x4x!w>, tensor<1x!b>) -> tensor<1x1x!x>
  %o = "quant.scast"(%m) : (tensor<1x1x!x>) -> tensor<1x1xi8>
  return %s, %o : tensor<1x4xi8>, tensor<1x1xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>

// A concatenation along channels, operands of other ranks, and a mean; what is of f32 stays.
// CHECK-LABEL: @main
// CHECK: qnn.concat {{.*}} along 3 : {{.*}} -> tensor<1x2x2x4x!quant
// CHECK: dense<{{.*}}> : tensor<1x1x1x2xi8>
// CHECK: qnn.add {{.*}} tensor<1x1x1x2x!quant
// CHECK: qnn.average_pool {{.*}} {channels_last
// CHECK: qnn.average_pool %arg1 {kernel
func.func @main(%bytes: tensor<1x2x2x2xi8>, %real: tensor<1x2x2x2xf32>) -> (tensor<1x4x2x2xi8>, tensor<1x2x1x1xi8>, tensor<1x2x1x1xf32>) {
  %q = "quant.scast"(%bytes) : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2x!x>
  %c = qnn.concat %q, %q along 1 : (tensor<1x2x2x2x!x>, tensor<1x2x2x2x!x>) -> tensor<1x4x2x2x!x>
  %s = "quant.scast"(%c) : (tensor<1x4x2x2x!x>) -> tensor<1x4x2x2xi8>
  %k = "tosa.const"() <{value = dense<[[[1]], [[2]]]> : tensor<2x1x1xi8>}> : () -> tensor<2x1x1x!x>
  %a = qnn.add %q, %k : (tensor<1x2x2x2x!x>, tensor<2x1x1x!x>) -> tensor<1x2x2x2x!x>
  %m = qnn.average_pool %a {kernel = array<i64: 2, 2>} : tensor<1x2x2x2x!x> -> tensor<1x2x1x1x!x>
  %t = "quant.scast"(%m) : (tensor<1x2x1x1x!x>) -> tensor<1x2x1x1xi8>
  %f = qnn.average_pool %real {kernel = array<i64: 2, 2>} : tensor<1x2x2x2xf32> -> tensor<1x2x1x1xf32>
  return %s, %t, %f : tensor<1x4x2x2xi8>, tensor<1x2x1x1xi8>, tensor<1x2x1x1xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>

// Rows of an image of height 1 lie as the image, through what computes element by element.
// CHECK-LABEL: @main
func.func @main(%bytes: tensor<1x3x1x8xi8>) -> tensor<1x3x1x4xi8> {
  // CHECK: %[[i:.*]] = tosa.transpose
  // CHECK: %[[p:.*]] = qnn.max_pool %[[i]]
  // CHECK: %[[l:.*]] = tosa.clamp %[[p]] {{.*}} : (tensor<1x1x8x3x!quant
  // CHECK: %[[a:.*]] = qnn.add %[[l]], %[[p]] : {{.*}} -> tensor<1x1x8x3x!quant
  // CHECK: %[[m:.*]] = qnn.max_pool %[[a]]
  // CHECK: %[[s:.*]] = "quant.scast"(%[[m]])
  // CHECK: tosa.transpose %[[s]]
  // CHECK-NOT: tosa.transpose
  %q = "quant.scast"(%bytes) : (tensor<1x3x1x8xi8>) -> tensor<1x3x1x8x!x>
  %p = qnn.max_pool %q {kernel = array<i64: 1, 3>, pad = array<i64: 0, 0, 1, 1>} : tensor<1x3x1x8x!x> -> tensor<1x3x1x8x!x>
  %r = tosa.reshape %p {new_shape = array<i64: 1, 3, 8>} : (tensor<1x3x1x8x!x>) -> tensor<1x3x8x!x>
  %l = tosa.clamp %r {min_int = 3 : i64, max_int = 127 : i64, min_fp = 0.0 : f32, max_fp = 62.0 : f32} : (tensor<1x3x8x!x>) -> tensor<1x3x8x!x>
  %a = qnn.add %l, %r : (tensor<1x3x8x!x>, tensor<1x3x8x!x>) -> tensor<1x3x8x!x>
  %i = tosa.reshape %a {new_shape = array<i64: 1, 3, 1, 8>} : (tensor<1x3x8x!x>) -> tensor<1x3x1x8x!x>
  %m = qnn.max_pool %i {kernel = array<i64: 1, 2>, strides = array<i64: 1, 2>} : tensor<1x3x1x8x!x> -> tensor<1x3x1x4x!x>
  %s = "quant.scast"(%m) : (tensor<1x3x1x4x!x>) -> tensor<1x3x1x4xi8>
  return %s : tensor<1x3x1x4xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
!b = !quant.uniform<i32:f32, 0.125>

// What follows a product of matrices is no image, though it has four dimensions: nothing is transposed.
// CHECK-LABEL: @main
// CHECK: qnn.matmul
// CHECK-NOT: tosa.transpose
// CHECK: qnn.add %{{.*}}, %{{.*}} : {{.*}} -> tensor<1x2x3x2x!quant
// CHECK-NOT: tosa.transpose
func.func @main(%a: tensor<1x2x3x4xi8>) -> tensor<1x2x3x2xi8> {
  %x = "quant.scast"(%a) : (tensor<1x2x3x4xi8>) -> tensor<1x2x3x4x!x>
  %w = "tosa.const"() <{value = dense<1> : tensor<2x4xi8>}> : () -> tensor<2x4x!w>
  %b = "tosa.const"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2x!b>
  %m = qnn.matmul %x by %w plus %b {transposed} : (tensor<1x2x3x4x!x>, tensor<2x4x!w>, tensor<2x!b>) -> tensor<1x2x3x2x!x>
  %c = "tosa.const"() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!x>
  %y = qnn.add %c, %m : (tensor<2x!x>, tensor<1x2x3x2x!x>) -> tensor<1x2x3x2x!x>
  %r = "quant.scast"(%y) : (tensor<1x2x3x2x!x>) -> tensor<1x2x3x2xi8>
  return %r : tensor<1x2x3x2xi8>
}
