// RUN: dae-opt %s --cpu-requantize-in-doubles | FileCheck %s

// The multiplier 3 * 2^29 and the shift 40 are 0.00146484375, a double. 1.5 * 2^52 is added in the same operation, and
// the low bits are the rounded sum.
// CHECK-LABEL: func.func @few_bits
// CHECK: arith.extsi
// CHECK: %[[SCALE:.*]] = arith.constant 0.00146484375 : f64
// CHECK: %[[REAL:.*]] = arith.sitofp %{{.*}} : i32 to f64
// CHECK: %[[ORIGIN:.*]] = arith.constant 0x4338000000000000 : f64
// CHECK: %[[SUM:.*]] = math.fma %[[REAL]], %[[SCALE]], %[[ORIGIN]] : f64
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SUM]] : f64 to i64
// CHECK: arith.trunci %[[BITS]] : i64 to i32
// CHECK-NOT: qnn.requantize
#same = affine_map<(i) -> (i)>
func.func @few_bits(%x: tensor<4xi16>) -> tensor<4xi8> {
  %bias = arith.constant 5 : i32
  %multiplier = arith.constant 1610612736 : i32
  %shift = arith.constant 40 : i8
  %e = tensor.empty() : tensor<4xi8>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : tensor<4xi16>) outs(%e : tensor<4xi8>) {
  ^bb0(%a: i16, %o: i8):
    %wide = arith.extsi %a : i16 to i32
    %q = qnn.requantize %wide, %bias, %multiplier, %shift {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %q : i8
  } -> tensor<4xi8>
  return %y : tensor<4xi8>
}

// A sum of any 32 bits may have a product that no double holds.
// CHECK-LABEL: func.func @many_bits
// CHECK: qnn.requantize
func.func @many_bits(%x: tensor<4xi32>) -> tensor<4xi8> {
  %bias = arith.constant 5 : i32
  %multiplier = arith.constant 1610612736 : i32
  %shift = arith.constant 40 : i8
  %e = tensor.empty() : tensor<4xi8>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4xi8>) {
  ^bb0(%a: i32, %o: i8):
    %q = qnn.requantize %a, %bias, %multiplier, %shift {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %q : i8
  } -> tensor<4xi8>
  return %y : tensor<4xi8>
}
