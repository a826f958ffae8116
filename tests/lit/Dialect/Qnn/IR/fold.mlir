// RUN: dae-opt %s --canonicalize | FileCheck %s
// Constants fold as isa::requantize says; what has no meaning stays.

// CHECK-LABEL: @constants
func.func @constants() -> (i8, i8, i8, i8) {
  %five = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s1 = arith.constant 1 : i8
  // 5 / 2: a half
  // CHECK-DAG: %[[EVEN:.*]] = arith.constant 12 : i8
  %even = qnn.requantize %five, %zero, %one, %s1 {zero_point = 10 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
  // CHECK-DAG: %[[UP:.*]] = arith.constant 13 : i8
  %up = qnn.requantize %five, %zero, %one, %s1 {zero_point = 10 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  // acc + bias wraps to -2^31
  // CHECK-DAG: %[[WRAPPED:.*]] = arith.constant -128 : i8
  %greatest = arith.constant 2147483647 : i32
  %wrapped = qnn.requantize %greatest, %one, %one, %s1 {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  // CHECK-DAG: %[[HI:.*]] = arith.constant 7 : i8
  %hi = qnn.requantize %greatest, %zero, %one, %s1 {zero_point = 0 : i8, lo = -8 : i8, hi = 7 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  // CHECK: return %[[EVEN]], %[[UP]], %[[WRAPPED]], %[[HI]]
  return %even, %up, %wrapped, %hi : i8, i8, i8, i8
}

// CHECK-LABEL: @onlyOneValue
func.func @onlyOneValue(%x: i32, %s: i8) -> i8 {
  // CHECK: %[[C:.*]] = arith.constant 4 : i8
  // CHECK: return %[[C]]
  %q = qnn.requantize %x, %x, %x, %s {zero_point = 0 : i8, lo = 4 : i8, hi = 4 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  return %q : i8
}

// CHECK-LABEL: @noMeaning
func.func @noMeaning(%x: i32) -> (i8, i8) {
  %one = arith.constant 1 : i32
  %less = arith.constant -1 : i32
  %s = arith.constant 7 : i8
  %none = arith.constant 63 : i8
  // CHECK-COUNT-2: qnn.requantize
  %a = qnn.requantize %one, %one, %less, %s {zero_point = 0 : i8, lo = -4 : i8, hi = 4 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  %b = qnn.requantize %one, %one, %one, %none {zero_point = 0 : i8, lo = -4 : i8, hi = 4 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  return %a, %b : i8, i8
}

// CHECK-LABEL: @constantIntoBias
// CHECK-SAME: (%[[X:.*]]: i32, %[[M:.*]]: i32, %[[S:.*]]: i8)
func.func @constantIntoBias(%x: i32, %m: i32, %s: i8) -> i8 {
  %big = arith.constant 2147483647 : i32
  %two = arith.constant 2 : i32
  // CHECK: %[[BIAS:.*]] = arith.constant -2147483647 : i32
  // CHECK: qnn.requantize %[[X]], %[[BIAS]], %[[M]], %[[S]]
  %a = arith.addi %x, %big : i32
  %q = qnn.requantize %a, %two, %m, %s {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  return %q : i8
}

// A bias that is not constant takes nothing in.
// CHECK-LABEL: @biasOfAChannel
func.func @biasOfAChannel(%x: i32, %b: i32, %m: i32, %s: i8) -> i8 {
  %c = arith.constant 9 : i32
  // CHECK: %[[A:.*]] = arith.addi
  // CHECK: qnn.requantize %[[A]], %{{.*}}, %{{.*}}, %{{.*}}
  %a = arith.addi %x, %c : i32
  %q = qnn.requantize %a, %b, %m, %s {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  return %q : i8
}

// CHECK-LABEL: @tables
func.func @tables(%x: i8) -> (i8, i8) {
  %same = arith.constant dense<9> : tensor<256xi8>
  %first = arith.constant -128 : i8
  // CHECK-DAG: %[[NINE:.*]] = arith.constant 9 : i8
  %a = qnn.lookup %x of %same : tensor<256xi8>
  %b = qnn.lookup %first of %same : tensor<256xi8>
  // CHECK: return %[[NINE]], %[[NINE]]
  return %a, %b : i8, i8
}
