// RUN: dae-opt %s --codegen-expand-requantize | FileCheck %s

// The accelerator's arithmetic: the product with the multiplier has 64 bits, and is clamped behind the shift.
// CHECK-LABEL: func.func @requantized
// CHECK-NOT: qnn.requantize
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: arith.shrsi
// CHECK: arith.maxsi
// CHECK: arith.minsi
func.func @requantized(%acc: i32, %bias: i32, %multiplier: i32, %shift: i8) -> i8 {
  %r = qnn.requantize %acc, %bias, %multiplier, %shift {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  return %r : i8
}
