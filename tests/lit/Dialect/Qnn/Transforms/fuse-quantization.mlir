// RUN: dae-opt %s --split-input-file --qnn-fuse-quantization | FileCheck %s

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:-8>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>

// A convolution, a clamp and a maximum: the clamp follows the convolution, the maximum the clamp. ReLU is a clamp to the
// zero point and above.
// CHECK-LABEL: @main
func.func @main(%bytes: tensor<1x3x4x4xi8>) -> tensor<1x2x2x2xi8> {
  // CHECK-DAG: dense<[4, 16]> : tensor<2xi32>}> : () -> tensor<2x!quant.uniform<i32:f32:0, {2.500000e-01,1.250000e-01}>>
  // CHECK: %[[c:.*]] = qnn.conv %{{.*}} by %{{.*}} plus %{{.*}} : (tensor<1x3x4x4x!quant{{.*}}) -> tensor<1x2x4x4x!quant.uniform<i8:f32, 2.500000e-01:-8>>
  // CHECK: %[[r:.*]] = tosa.clamp %[[c]] {max_fp = {{.*}}, max_int = 127 : i64, min_fp = 0.000000e+00 : f32, min_int = -8 : i64}
  // CHECK: %[[p:.*]] = qnn.max_pool %[[r]]
  // CHECK: "quant.scast"(%[[p]])
  %q = "quant.scast"(%bytes) : (tensor<1x3x4x4xi8>) -> tensor<1x3x4x4x!x>
  %x = "quant.dcast"(%q) : (tensor<1x3x4x4x!x>) -> tensor<1x3x4x4xf32>
  %wq = "tosa.const"() <{value = dense<1> : tensor<2x3x1x1xi8>}> : () -> tensor<2x3x1x1x!w>
  %w = "quant.dcast"(%wq) : (tensor<2x3x1x1x!w>) -> tensor<2x3x1x1xf32>
  %b = "tosa.const"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %c = qnn.conv %x by %w plus %b : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %r = tosa.clamp %c {min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 0x7F800000 : f32}
      : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %p = qnn.max_pool %r {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
  %o = "quant.qcast"(%p) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!y>
  %s = "quant.scast"(%o) : (tensor<1x2x2x2x!y>) -> tensor<1x2x2x2xi8>
  return %s : tensor<1x2x2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:-8>

// The sum, difference, product, mean and concatenation of dequantized tensors; a part of another scale is rescaled.
// CHECK-LABEL: @main
// CHECK-NOT: quant.dcast
// CHECK: qnn.add %[[a:.*]], %[[b:.*]] :
// CHECK: qnn.sub
// CHECK: qnn.mul
// CHECK: qnn.average_pool
// CHECK: %[[c:.*]] = tosa.cast %[[b]]
// CHECK: qnn.concat %[[a]], %[[c]] along 1
func.func @main(%m: tensor<1x2x2x2xi8>, %n: tensor<1x2x2x2xi8>)
    -> (tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x1x1xi8>, tensor<1x4x2x2xi8>) {
  %p = "quant.scast"(%m) : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2x!x>
  %q = "quant.scast"(%n) : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2x!y>
  %a = "quant.dcast"(%p) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xf32>
  %b = "quant.dcast"(%q) : (tensor<1x2x2x2x!y>) -> tensor<1x2x2x2xf32>
  %0 = qnn.add %a, %b : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = "quant.qcast"(%0) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!x>
  %2 = "quant.scast"(%1) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xi8>
  %3 = qnn.sub %a, %b : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %4 = "quant.qcast"(%3) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!x>
  %5 = "quant.scast"(%4) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xi8>
  %6 = qnn.mul %a, %b : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %7 = "quant.qcast"(%6) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!x>
  %8 = "quant.scast"(%7) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xi8>
  %9 = qnn.average_pool %a {kernel = array<i64: 2, 2>} : tensor<1x2x2x2xf32> -> tensor<1x2x1x1xf32>
  %10 = "quant.qcast"(%9) : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x1x!x>
  %11 = "quant.scast"(%10) : (tensor<1x2x1x1x!x>) -> tensor<1x2x1x1xi8>
  %12 = qnn.concat %a, %b along 1 : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %13 = "quant.qcast"(%12) : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2x!x>
  %14 = "quant.scast"(%13) : (tensor<1x4x2x2x!x>) -> tensor<1x4x2x2xi8>
  return %2, %5, %8, %11, %14
      : tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x1x1xi8>, tensor<1x4x2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:-8>

// A chain of functions is one table: x * 2 + 1, clamped to 0 and above, negated.
// CHECK-LABEL: @main
// CHECK: %[[t:.*]] = "tosa.const"() <{value = dense<"0xF8F8{{.*}}"> : tensor<256xi8>}>
// CHECK: tosa.table %{{.*}}, %[[t]]
// CHECK-NOT: quant.qcast
func.func @main(%m: tensor<4xi8>) -> tensor<4xi8> {
  %q = "quant.scast"(%m) : (tensor<4xi8>) -> tensor<4x!x>
  %x = "quant.dcast"(%q) : (tensor<4x!x>) -> tensor<4xf32>
  %two = "tosa.const"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "tosa.const"() <{value = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = qnn.mul %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = qnn.add %one, %0 : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = tosa.clamp %1 {min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 0x7F800000 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @negative(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "quant.qcast"(%3) : (tensor<4xf32>) -> tensor<4x!y>
  %5 = "quant.scast"(%4) : (tensor<4x!y>) -> tensor<4xi8>
  return %5 : tensor<4xi8>
}
#id = affine_map<(d0) -> (d0)>
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

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:-8>

// From one scale to another, clamped; a clamp that leaves all is dropped, and equal types need nothing.
// CHECK-LABEL: @main
// CHECK: %[[q:.*]] = "quant.scast"(%arg0)
// CHECK: %[[c:.*]] = tosa.cast %[[q]]
// CHECK: %[[l:.*]] = tosa.clamp %[[c]] {{.*}}min_int = -4
// CHECK: %[[s:.*]] = "quant.scast"(%[[l]])
// CHECK: return %[[s]], %arg0
func.func @main(%m: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %q = "quant.scast"(%m) : (tensor<4xi8>) -> tensor<4x!x>
  %x = "quant.dcast"(%q) : (tensor<4x!x>) -> tensor<4xf32>
  %0 = tosa.clamp %x {min_int = 0 : i64, max_int = 0 : i64, min_fp = 1.0 : f32, max_fp = 1000.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "quant.qcast"(%0) : (tensor<4xf32>) -> tensor<4x!y>
  %2 = "quant.scast"(%1) : (tensor<4x!y>) -> tensor<4xi8>
  %3 = tosa.clamp %x {min_int = 0 : i64, max_int = 0 : i64, min_fp = -1000.0 : f32, max_fp = 1000.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "quant.qcast"(%3) : (tensor<4xf32>) -> tensor<4x!x>
  %5 = "quant.scast"(%4) : (tensor<4x!x>) -> tensor<4xi8>
  return %2, %5 : tensor<4xi8>, tensor<4xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>

// What moves elements moves bytes, a number beside them is quantized; what computes stays as it is, and is dequantized
// where it is first read.
// CHECK-LABEL: @main
// CHECK: %[[q:.*]] = "quant.scast"(%arg0)
// CHECK: %[[r:.*]] = tosa.reshape %[[q]]
// CHECK: %[[b:.*]] = "quant.scast"(%[[r]])
// CHECK: %[[m:.*]] = call @[[moved:.*]](%[[b]]) : (tensor<2x2xi8>) -> tensor<2x3xi8>
// CHECK: %[[n:.*]] = "quant.scast"(%[[m]])
// CHECK: %[[d:.*]] = "quant.dcast"(%[[n]])
// CHECK: call @rows(%[[d]])
// CHECK: func.func private @[[moved]](%{{.*}}: tensor<2x2xi8>) -> tensor<2x3xi8>
// CHECK: arith.constant 7 : i8
func.func @main(%m: tensor<4xi8>) -> tensor<2xf32> {
  %q = "quant.scast"(%m) : (tensor<4xi8>) -> tensor<4x!x>
  %x = "quant.dcast"(%q) : (tensor<4x!x>) -> tensor<4xf32>
  %0 = tosa.reshape %x {new_shape = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<2x2xf32>
  %1 = call @padded(%0) : (tensor<2x2xf32>) -> tensor<2x3xf32>
  %2 = call @rows(%1) : (tensor<2x3xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
func.func private @padded(%x: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %c = arith.constant 2.0 : f32
  %y = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<2x2xf32> to tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
func.func private @rows(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %y = linalg.reduce {arith.addf} ins(%x : tensor<2x3xf32>) outs(%f : tensor<2xf32>) dimensions = [1]
  return %y : tensor<2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>

// A clamp in front of a maximum joins what quantizes; two clamps are one.
// CHECK-LABEL: @main
// CHECK: %[[p:.*]] = qnn.max_pool %{{.*}} : tensor<1x1x2x2x!quant
// CHECK: %[[c:.*]] = tosa.clamp %[[p]] {{.*}}max_int = 7 : i64, {{.*}}min_int = 3 : i64
// CHECK: "quant.scast"(%[[c]])
func.func @main(%m: tensor<1x1x2x2xi8>) -> tensor<1x1x1x1xi8> {
  %q = "quant.scast"(%m) : (tensor<1x1x2x2xi8>) -> tensor<1x1x2x2x!x>
  %x = "quant.dcast"(%q) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xf32>
  %0 = tosa.clamp %x {min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 0x7F800000 : f32} : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  %1 = qnn.max_pool %0 {kernel = array<i64: 2, 2>} : tensor<1x1x2x2xf32> -> tensor<1x1x1x1xf32>
  %2 = tosa.clamp %1 {min_int = 0 : i64, max_int = 0 : i64, min_fp = -9.0 : f32, max_fp = 2.0 : f32} : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  %3 = "quant.qcast"(%2) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1x!x>
  %4 = "quant.scast"(%3) : (tensor<1x1x1x1x!x>) -> tensor<1x1x1x1xi8>
  return %4 : tensor<1x1x1x1xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>

// A clamp of a concatenation is one of its parts; and what is dequantized is so where it is first read, not before.
// CHECK-LABEL: @main
// CHECK-NOT: quant.dcast
// CHECK: %[[a:.*]] = tosa.clamp
// CHECK: %[[b:.*]] = tosa.clamp
// CHECK: qnn.concat %[[a]], %[[b]] along 0
// CHECK: %[[d:.*]] = "quant.dcast"
// CHECK-NEXT: call @rooted(%[[d]])
func.func @main(%m: tensor<2xi8>, %n: tensor<2xi8>) -> (tensor<4xi8>, tensor<2xf32>) {
  %p = "quant.scast"(%m) : (tensor<2xi8>) -> tensor<2x!x>
  %q = "quant.scast"(%n) : (tensor<2xi8>) -> tensor<2x!x>
  %x = "quant.dcast"(%p) : (tensor<2x!x>) -> tensor<2xf32>
  %y = "quant.dcast"(%q) : (tensor<2x!x>) -> tensor<2xf32>
  %0 = qnn.concat %x, %y along 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %1 = tosa.clamp %0 {min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 1.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "quant.qcast"(%1) : (tensor<4xf32>) -> tensor<4x!x>
  %3 = "quant.scast"(%2) : (tensor<4x!x>) -> tensor<4xi8>
  %4 = call @rooted(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %3, %4 : tensor<4xi8>, tensor<2xf32>
}
#id = affine_map<(d0) -> (d0)>
func.func private @rooted(%x: tensor<2xf32>) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = math.sqrt %in : f32
    linalg.yield %n : f32
  } -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.25>
!b = !quant.uniform<i32:f32, 0.1250000149>

// A bias in units of a float32 product of scales is in the accumulator's units; in other units it is rescaled.
// CHECK-LABEL: @main
// CHECK-DAG: dense<[100000000, -1]> : tensor<2xi32>
// CHECK-DAG: dense<[400000048, -4]> : tensor<2xi32>
func.func @main(%m: tensor<1x2xi8>) -> (tensor<1x2xi8>, tensor<1x2xi8>) {
  %q = "quant.scast"(%m) : (tensor<1x2xi8>) -> tensor<1x2x!x>
  %x = "quant.dcast"(%q) : (tensor<1x2x!x>) -> tensor<1x2xf32>
  %wq = "tosa.const"() <{value = dense<1> : tensor<2x2xi8>}> : () -> tensor<2x2x!w>
  %w = "quant.dcast"(%wq) : (tensor<2x2x!w>) -> tensor<2x2xf32>
  %bq = "tosa.const"() <{value = dense<[100000000, -1]> : tensor<2xi32>}> : () -> tensor<2x!b>
  %b = "quant.dcast"(%bq) : (tensor<2x!b>) -> tensor<2xf32>
  %y = qnn.matmul %x by %w plus %b : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %r = "quant.qcast"(%y) : (tensor<1x2xf32>) -> tensor<1x2x!x>
  %s = "quant.scast"(%r) : (tensor<1x2x!x>) -> tensor<1x2xi8>
  %v = "tosa.const"() <{value = dense<1> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32, 0.0625>>
  %u = "quant.dcast"(%v) : (tensor<2x2x!quant.uniform<i8:f32, 0.0625>>) -> tensor<2x2xf32>
  %z = qnn.matmul %x by %u plus %b : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %o = "quant.qcast"(%z) : (tensor<1x2xf32>) -> tensor<1x2x!x>
  %t = "quant.scast"(%o) : (tensor<1x2x!x>) -> tensor<1x2xi8>
  return %s, %t : tensor<1x2xi8>, tensor<1x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:-8>

// What two branches make of one source is one table, with the quantization between them: x * -x and that plus x. Of
// two sources it is no table; what is read by others exists twice.
// CHECK-LABEL: @main
// CHECK: %[[x:.*]] = "quant.scast"(%arg0)
// CHECK: %[[m:.*]] = "quant.scast"(%arg1)
// CHECK: %[[n:.*]] = tosa.table %[[x]]
// CHECK: %[[t:.*]] = tosa.table %[[x]]
// CHECK: "quant.scast"(%[[t]])
// CHECK: qnn.mul %[[m]], %[[n]]
// CHECK-NOT: tosa.table
func.func @main(%a: tensor<4xi8>, %b: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %q = "quant.scast"(%a) : (tensor<4xi8>) -> tensor<4x!x>
  %x = "quant.dcast"(%q) : (tensor<4x!x>) -> tensor<4xf32>
  %p = "quant.scast"(%b) : (tensor<4xi8>) -> tensor<4x!x>
  %m = "quant.dcast"(%p) : (tensor<4x!x>) -> tensor<4xf32>
  %0 = call @negative(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "quant.qcast"(%0) : (tensor<4xf32>) -> tensor<4x!y>
  %2 = "quant.dcast"(%1) : (tensor<4x!y>) -> tensor<4xf32>
  %3 = qnn.mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "quant.qcast"(%3) : (tensor<4xf32>) -> tensor<4x!y>
  %5 = "quant.dcast"(%4) : (tensor<4x!y>) -> tensor<4xf32>
  %6 = qnn.add %5, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = "quant.qcast"(%6) : (tensor<4xf32>) -> tensor<4x!y>
  %8 = "quant.scast"(%7) : (tensor<4x!y>) -> tensor<4xi8>
  %9 = qnn.mul %m, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %10 = "quant.qcast"(%9) : (tensor<4xf32>) -> tensor<4x!y>
  %11 = "quant.scast"(%10) : (tensor<4x!y>) -> tensor<4xi8>
  return %8, %11 : tensor<4xi8>, tensor<4xi8>
}
#id = affine_map<(d0) -> (d0)>
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

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:-8>

// A quantization goes in front of a reshape of what can be quantized, and stays behind one of what cannot.
// CHECK-LABEL: @main
// CHECK: %[[p:.*]] = qnn.average_pool %{{.*}} -> tensor<1x2x1x1x!quant
// CHECK: %[[r:.*]] = tosa.reshape %[[p]] {{.*}} -> tensor<1x2x!quant
// CHECK: "quant.scast"(%[[r]])
// CHECK: %[[f:.*]] = tosa.reshape %arg1 {{.*}} -> tensor<4xf32>
// CHECK: "quant.qcast"(%[[f]])
func.func @main(%a: tensor<1x2x2x2xi8>, %real: tensor<2x2xf32>) -> (tensor<1x2xi8>, tensor<4xi8>) {
  %q = "quant.scast"(%a) : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2x!x>
  %x = "quant.dcast"(%q) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xf32>
  %0 = qnn.average_pool %x {kernel = array<i64: 2, 2>} : tensor<1x2x2x2xf32> -> tensor<1x2x1x1xf32>
  %1 = tosa.reshape %0 {new_shape = array<i64: 1, 2>} : (tensor<1x2x1x1xf32>) -> tensor<1x2xf32>
  %2 = "quant.qcast"(%1) : (tensor<1x2xf32>) -> tensor<1x2x!y>
  %3 = "quant.scast"(%2) : (tensor<1x2x!y>) -> tensor<1x2xi8>
  %4 = tosa.reshape %real {new_shape = array<i64: 4>} : (tensor<2x2xf32>) -> tensor<4xf32>
  %5 = "quant.qcast"(%4) : (tensor<4xf32>) -> tensor<4x!y>
  %6 = "quant.scast"(%5) : (tensor<4x!y>) -> tensor<4xi8>
  return %3, %6 : tensor<1x2xi8>, tensor<4xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:-8>

// A part of what is dequantized is a part of the bytes, and its own quantization a rescaling. Parts of a sum that is
// not quantized itself have scales of their own, so the sum stays in float.
// CHECK-LABEL: @main
// CHECK: %[[p:.*]] = "quant.scast"(%arg0)
// CHECK: %[[s:.*]] = tosa.slice %[[p]] {{.*}} -> tensor<2x!quant
// CHECK: tosa.cast %[[s]]
// CHECK: qnn.add {{.*}} -> tensor<4xf32>
// CHECK: tosa.slice {{.*}} -> tensor<2xf32>
// CHECK: tosa.slice {{.*}} -> tensor<2xf32>
func.func @main(%a: tensor<4xi8>, %b: tensor<4xi8>) -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %p = "quant.scast"(%a) : (tensor<4xi8>) -> tensor<4x!x>
  %q = "quant.scast"(%b) : (tensor<4xi8>) -> tensor<4x!y>
  %x = "quant.dcast"(%p) : (tensor<4x!x>) -> tensor<4xf32>
  %y = "quant.dcast"(%q) : (tensor<4x!y>) -> tensor<4xf32>
  %0 = tosa.slice %x {start = array<i64: 1>, size = array<i64: 2>} : (tensor<4xf32>) -> tensor<2xf32>
  %1 = "quant.qcast"(%0) : (tensor<2xf32>) -> tensor<2x!y>
  %2 = "quant.scast"(%1) : (tensor<2x!y>) -> tensor<2xi8>
  %3 = qnn.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = tosa.slice %3 {start = array<i64: 0>, size = array<i64: 2>} : (tensor<4xf32>) -> tensor<2xf32>
  %5 = tosa.slice %3 {start = array<i64: 2>, size = array<i64: 2>} : (tensor<4xf32>) -> tensor<2xf32>
  %6 = "quant.qcast"(%4) : (tensor<2xf32>) -> tensor<2x!x>
  %7 = "quant.qcast"(%5) : (tensor<2xf32>) -> tensor<2x!y>
  %8 = "quant.scast"(%6) : (tensor<2x!x>) -> tensor<2xi8>
  %9 = "quant.scast"(%7) : (tensor<2x!y>) -> tensor<2xi8>
  return %2, %8, %9 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// -----

!q = !quant.uniform<i8:f32, 0.5:3>
!k = !quant.uniform<i8:f32, 0.25:-128>
!y = !quant.uniform<i8:f32, 2.0:5>

// Products of two computed tensors. Heads that stand behind their rows are read where they lie, whatever transposes them;
// values, whose rows are the reduction, are transposed first.
// CHECK-LABEL: @main
// CHECK-SAME: (%[[m:.*]]: tensor<1x5x3x8xi8>, %[[n:.*]]: tensor<1x7x3x8xi8>, %[[o:.*]]: tensor<1x3x5x7xi8>)
// CHECK-NOT: quant.dcast
// CHECK-DAG: %[[order:.*]] = "tosa.const"() <{value = dense<[0, 2, 3, 1]> : tensor<4xi64>}>
// CHECK-DAG: %[[p:.*]] = "quant.scast"(%[[m]])
// CHECK-DAG: %[[r:.*]] = "quant.scast"(%[[n]])
// CHECK-DAG: %[[s:.*]] = "quant.scast"(%[[o]])
// CHECK: qnn.batch_matmul %[[p]] by %[[r]] {left_order = array<i64: 0, 2, 1, 3>, right_order = array<i64: 0, 2, 3, 1>} : (
// CHECK: %[[v:.*]] = tosa.transpose %[[r]], %[[order]]
// CHECK: qnn.batch_matmul %[[s]] by %[[v]] {right_order = array<i64: 0, 1, 3, 2>} : (
func.func @main(%m: tensor<1x5x3x8xi8>, %n: tensor<1x7x3x8xi8>, %o: tensor<1x3x5x7xi8>)
    -> (tensor<1x3x5x7xi8>, tensor<1x3x5x8xi8>) {
  %p = "quant.scast"(%m) : (tensor<1x5x3x8xi8>) -> tensor<1x5x3x8x!q>
  %r = "quant.scast"(%n) : (tensor<1x7x3x8xi8>) -> tensor<1x7x3x8x!k>
  %s = "quant.scast"(%o) : (tensor<1x3x5x7xi8>) -> tensor<1x3x5x7x!k>
  %a = "quant.dcast"(%p) : (tensor<1x5x3x8x!q>) -> tensor<1x5x3x8xf32>
  %b = "quant.dcast"(%r) : (tensor<1x7x3x8x!k>) -> tensor<1x7x3x8xf32>
  %c = "quant.dcast"(%s) : (tensor<1x3x5x7x!k>) -> tensor<1x3x5x7xf32>
  %heads = "tosa.const"() <{value = dense<[0, 2, 1, 3]> : tensor<4xi64>}> : () -> tensor<4xi64>
  %swap = "tosa.const"() <{value = dense<[0, 1, 3, 2]> : tensor<4xi64>}> : () -> tensor<4xi64>
  %queries = tosa.transpose %a, %heads : (tensor<1x5x3x8xf32>, tensor<4xi64>) -> tensor<1x3x5x8xf32>
  %values = tosa.transpose %b, %heads : (tensor<1x7x3x8xf32>, tensor<4xi64>) -> tensor<1x3x7x8xf32>
  %keys = tosa.transpose %values, %swap : (tensor<1x3x7x8xf32>, tensor<4xi64>) -> tensor<1x3x8x7xf32>
  %0 = qnn.batch_matmul %queries by %keys : (tensor<1x3x5x8xf32>, tensor<1x3x8x7xf32>) -> tensor<1x3x5x7xf32>
  %1 = "quant.qcast"(%0) : (tensor<1x3x5x7xf32>) -> tensor<1x3x5x7x!y>
  %2 = "quant.scast"(%1) : (tensor<1x3x5x7x!y>) -> tensor<1x3x5x7xi8>
  %3 = qnn.batch_matmul %c by %values : (tensor<1x3x5x7xf32>, tensor<1x3x7x8xf32>) -> tensor<1x3x5x8xf32>
  %4 = "quant.qcast"(%3) : (tensor<1x3x5x8xf32>) -> tensor<1x3x5x8x!y>
  %5 = "quant.scast"(%4) : (tensor<1x3x5x8x!y>) -> tensor<1x3x5x8xi8>
  return %2, %5 : tensor<1x3x5x7xi8>, tensor<1x3x5x8xi8>
}

// -----

!q = !quant.uniform<i8:f32, 0.5:3>

// A product with a matrix that is computed is one of batches too.
// CHECK-LABEL: @main
// CHECK: %[[t:.*]] = tosa.transpose
// CHECK: qnn.batch_matmul %{{.*}} by %[[t]] {right_order = array<i64: 1, 0>} : (
func.func @main(%m: tensor<2x5x8xi8>, %n: tensor<8x4xi8>) -> tensor<2x5x4xi8> {
  %p = "quant.scast"(%m) : (tensor<2x5x8xi8>) -> tensor<2x5x8x!q>
  %r = "quant.scast"(%n) : (tensor<8x4xi8>) -> tensor<8x4x!q>
  %a = "quant.dcast"(%p) : (tensor<2x5x8x!q>) -> tensor<2x5x8xf32>
  %b = "quant.dcast"(%r) : (tensor<8x4x!q>) -> tensor<8x4xf32>
  %0 = qnn.matmul %a by %b : (tensor<2x5x8xf32>, tensor<8x4xf32>) -> tensor<2x5x4xf32>
  %1 = "quant.qcast"(%0) : (tensor<2x5x4xf32>) -> tensor<2x5x4x!q>
  %2 = "quant.scast"(%1) : (tensor<2x5x4x!q>) -> tensor<2x5x4xi8>
  return %2 : tensor<2x5x4xi8>
}

// -----

!x = !quant.uniform<i8:f32, 0.5:3>
!y = !quant.uniform<i8:f32, 0.25:-8>
!w = !quant.uniform<i8:f32:0, {0.5, 0.25}>

// A product that is quantized with what is added to it, on either side, behind a clamp; two products of which none is
// quantized give sums, and functions of their own make real numbers of them: here less 3 * 3, times 0.25 or 0.125.
// CHECK-LABEL: @main
// CHECK: %[[q:.*]] = "quant.scast"(%arg0)
// CHECK: %[[r:.*]] = "quant.scast"(%arg1)
// CHECK: %[[c:.*]] = qnn.conv %[[q]] by %{{.*}} plus %{{.*}} and %[[r]] : (
// CHECK: tosa.clamp %[[c]]
// CHECK: qnn.conv %[[q]] by %{{.*}} plus %{{.*}} and %[[r]] : (
// CHECK: %[[s:.*]] = qnn.conv %[[q]] by %{{.*}} : ({{.*}}) -> tensor<1x2x2x2xi32>
// CHECK: %[[a:.*]] = call @[[f:.*]](%[[s]]) : (tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xf32>
// CHECK: %[[t:.*]] = qnn.conv %[[q]] by %{{.*}} : ({{.*}}) -> tensor<1x2x2x2xi32>
// CHECK: %[[b:.*]] = call @{{.*}}(%[[t]])
// CHECK: qnn.add %[[a]], %[[b]]
// CHECK: func.func private @[[f]]
// CHECK-DAG: dense<9> : tensor<2xi32>
// CHECK-DAG: dense<[2.500000e-01, 1.250000e-01]> : tensor<2xf32>
// CHECK: linalg.generic
func.func @main(%m: tensor<1x3x2x2xi8>, %n: tensor<1x2x2x2xi8>)
    -> (tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>) {
  %q = "quant.scast"(%m) : (tensor<1x3x2x2xi8>) -> tensor<1x3x2x2x!x>
  %p = "quant.scast"(%n) : (tensor<1x2x2x2xi8>) -> tensor<1x2x2x2x!y>
  %x = "quant.dcast"(%q) : (tensor<1x3x2x2x!x>) -> tensor<1x3x2x2xf32>
  %r = "quant.dcast"(%p) : (tensor<1x2x2x2x!y>) -> tensor<1x2x2x2xf32>
  %wq = "tosa.const"() <{value = dense<1> : tensor<2x3x1x1xi8>}> : () -> tensor<2x3x1x1x!w>
  %w = "quant.dcast"(%wq) : (tensor<2x3x1x1x!w>) -> tensor<2x3x1x1xf32>
  %0 = qnn.conv %x by %w : (tensor<1x3x2x2xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = qnn.add %0, %r : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = tosa.clamp %1 {min_int = 0 : i64, max_int = 0 : i64, min_fp = 0.0 : f32, max_fp = 0x7F800000 : f32}
      : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = "quant.qcast"(%2) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!y>
  %4 = "quant.scast"(%3) : (tensor<1x2x2x2x!y>) -> tensor<1x2x2x2xi8>
  %5 = qnn.conv %x by %w : (tensor<1x3x2x2xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x2x2xf32>
  %6 = qnn.add %r, %5 : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %7 = "quant.qcast"(%6) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!x>
  %8 = "quant.scast"(%7) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xi8>
  %9 = qnn.conv %x by %w : (tensor<1x3x2x2xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x2x2xf32>
  %10 = qnn.conv %x by %w : (tensor<1x3x2x2xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x2x2xf32>
  %11 = qnn.add %9, %10 : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %12 = "quant.qcast"(%11) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2x!x>
  %13 = "quant.scast"(%12) : (tensor<1x2x2x2x!x>) -> tensor<1x2x2x2xi8>
  return %4, %8, %13 : tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>, tensor<1x2x2x2xi8>
}

// -----

!x = !quant.uniform<i8:f32, 1.0e-5>
!w = !quant.uniform<i8:f32, 1.0e-5>
// A bias of -1e12 units takes units 2^10 as large, in which the weight is 0.
// CHECK-LABEL: @main
// CHECK-DAG: dense<0> : tensor<1x1x1x1xi8>
// CHECK-DAG: dense<-976562500> : tensor<1xi32>
// CHECK: qnn.conv
func.func @main(%bytes: tensor<1x1x2x2xi8>) -> tensor<1x1x2x2xi8> {
  %q = "quant.scast"(%bytes) : (tensor<1x1x2x2xi8>) -> tensor<1x1x2x2x!x>
  %x = "quant.dcast"(%q) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xf32>
  %wq = "tosa.const"() <{value = dense<1> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1x!w>
  %w = "quant.dcast"(%wq) : (tensor<1x1x1x1x!w>) -> tensor<1x1x1x1xf32>
  %b = "tosa.const"() <{value = dense<-100.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = qnn.conv %x by %w plus %b : (tensor<1x1x2x2xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x1x2x2xf32>
  %r = "quant.qcast"(%y) : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2x!x>
  %s = "quant.scast"(%r) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xi8>
  return %s : tensor<1x1x2x2xi8>
}
