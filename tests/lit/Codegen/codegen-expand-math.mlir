// RUN: dae-opt %s --codegen-expand-math | FileCheck %s

// Nothing is called, and no function of the dialect stays but those that processors have.
// CHECK-LABEL: func.func @functions
// CHECK-NOT: math.exp
// CHECK-NOT: math.asin
// CHECK-NOT: math.tanh
// CHECK: return
func.func @functions(%x: f32) -> (f32, f32, f32) {
  %e = math.exp %x : f32
  %a = math.asin %x : f32
  %t = math.tanh %x : f32
  return %e, %a, %t : f32, f32, f32
}

// CHECK-LABEL: func.func @root
// CHECK: math.sqrt
func.func @root(%x: f32) -> f32 {
  %y = math.sqrt %x : f32
  return %y : f32
}
