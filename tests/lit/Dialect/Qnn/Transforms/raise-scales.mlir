// RUN: dae-opt %s --qnn-raise-scales | FileCheck %s

#same = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: @scaledClampedCut
func.func @scaledClampedCut(%x: tensor<4x2xi32>) -> tensor<4x2xi8> {
  %m = arith.constant 1073741824 : i32
  %s = arith.constant 35 : i8
  %z = arith.constant 3 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 100 : i32
  %e = tensor.empty() : tensor<4x2xi8>
  // CHECK: ^bb0(%[[X:.*]]: i32, %{{.*}}: i8):
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: %[[Q:.*]] = qnn.requantize %[[X]], %[[ZERO]], %{{.*}}, %{{.*}} {hi = 100 : i8, lo = -128 : i8, rounding = #qnn.rounding<half_up>, zero_point = 3 : i8}
  // CHECK-NEXT: linalg.yield %[[Q]]
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xi32>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%a: i32, %o: i8):
    %v = tosa.apply_scale %a, %m, %s {double_round = false} : (i32, i32, i8) -> i32
    %w = arith.addi %v, %z : i32
    %p = arith.maxsi %w, %lo : i32
    %q = arith.minsi %p, %hi : i32
    %r = arith.trunci %q : i32 to i8
    linalg.yield %r : i8
  } -> tensor<4x2xi8>
  return %y : tensor<4x2xi8>
}

// Channel by channel, the bias with it, clamped to int8 and then from below.
// CHECK-LABEL: @channels
func.func @channels(%x: tensor<4x2xi32>) -> tensor<4x2xi8> {
  %b = arith.constant dense<[5, -6]> : tensor<2xi32>
  %m = arith.constant dense<[1073741824, 5]> : tensor<2xi32>
  %s = arith.constant dense<[35, 31]> : tensor<2xi8>
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %relu = arith.constant 0 : i8
  %e = tensor.empty() : tensor<4x2xi8>
  // CHECK: ^bb0(%[[X:.*]]: i32, %[[B:.*]]: i32, %[[M:.*]]: i32, %[[S:.*]]: i8, %{{.*}}: i8):
  // CHECK-NEXT: %[[Q:.*]] = qnn.requantize %[[X]], %[[B]], %[[M]], %[[S]] {hi = 127 : i8, lo = 0 : i8, rounding = #qnn.rounding<half_up>, zero_point = 0 : i8}
  // CHECK-NEXT: linalg.yield %[[Q]]
  %y = linalg.generic {indexing_maps = [#same, #channel, #channel, #channel, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b, %m, %s : tensor<4x2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi8>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%a: i32, %bias: i32, %mult: i32, %shift: i8, %o: i8):
    %sum = arith.addi %a, %bias : i32
    %v = tosa.apply_scale %sum, %mult, %shift {double_round = false} : (i32, i32, i8) -> i32
    %p = arith.minsi %v, %hi : i32
    %q = arith.maxsi %p, %lo : i32
    %r = arith.trunci %q : i32 to i8
    %t = arith.maxsi %r, %relu : i8
    linalg.yield %t : i8
  } -> tensor<4x2xi8>
  return %y : tensor<4x2xi8>
}

// What is not equal stays.
// CHECK-LABEL: @notEqual
// CHECK-NOT: qnn.requantize
func.func @notEqual(%x: tensor<4x2xi32>, %run: i8) -> (tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>) {
  %m = arith.constant 2147483647 : i32
  %s31 = arith.constant 31 : i8
  %s35 = arith.constant 35 : i8
  %z = arith.constant 3 : i32
  %far = arith.constant 128 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %e = tensor.empty() : tensor<4x2xi8>
  // Rounded twice.
  %a = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xi32>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%in: i32, %o: i8):
    %v = tosa.apply_scale %in, %m, %s35 {double_round = true} : (i32, i32, i8) -> i32
    %p = arith.maxsi %v, %lo : i32
    %q = arith.minsi %p, %hi : i32
    %r = arith.trunci %q : i32 to i8
    linalg.yield %r : i8
  } -> tensor<4x2xi8>
  // The zero point carries 2^31 - 2 over the end of 32 bits.
  %b = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xi32>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%in: i32, %o: i8):
    %v = tosa.apply_scale %in, %m, %s31 {double_round = false} : (i32, i32, i8) -> i32
    %w = arith.addi %v, %z : i32
    %p = arith.maxsi %w, %lo : i32
    %q = arith.minsi %p, %hi : i32
    %r = arith.trunci %q : i32 to i8
    linalg.yield %r : i8
  } -> tensor<4x2xi8>
  // A shift that comes at run time.
  %c = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xi32>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%in: i32, %o: i8):
    %v = tosa.apply_scale %in, %m, %run {double_round = false} : (i32, i32, i8) -> i32
    %p = arith.maxsi %v, %lo : i32
    %q = arith.minsi %p, %hi : i32
    %r = arith.trunci %q : i32 to i8
    linalg.yield %r : i8
  } -> tensor<4x2xi8>
  // Cut without a clamp.
  %d = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xi32>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%in: i32, %o: i8):
    %v = tosa.apply_scale %in, %m, %s35 {double_round = false} : (i32, i32, i8) -> i32
    %p = arith.maxsi %v, %lo : i32
    %r = arith.trunci %p : i32 to i8
    linalg.yield %r : i8
  } -> tensor<4x2xi8>
  // Clamped to more than int8.
  %f = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xi32>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%in: i32, %o: i8):
    %v = tosa.apply_scale %in, %m, %s35 {double_round = false} : (i32, i32, i8) -> i32
    %p = arith.maxsi %v, %lo : i32
    %q = arith.minsi %p, %far : i32
    %r = arith.trunci %q : i32 to i8
    linalg.yield %r : i8
  } -> tensor<4x2xi8>
  // A zero point that int8 does not hold.
  %g = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xi32>) outs(%e : tensor<4x2xi8>) {
  ^bb0(%in: i32, %o: i8):
    %v = tosa.apply_scale %in, %m, %s35 {double_round = false} : (i32, i32, i8) -> i32
    %w = arith.addi %v, %far : i32
    %p = arith.maxsi %w, %lo : i32
    %q = arith.minsi %p, %hi : i32
    %r = arith.trunci %q : i32 to i8
    linalg.yield %r : i8
  } -> tensor<4x2xi8>
  return %a, %b, %c, %d, %f, %g : tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>, tensor<4x2xi8>
}
