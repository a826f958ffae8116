// RUN: dae-opt %s --codegen-widen-halves | FileCheck %s

// Arithmetic is that of float32; conversions stay.
// CHECK-LABEL: func.func @sum
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: %[[C:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.truncf %[[C]] {{.*}}: f32 to f16
func.func @sum(%a: f16, %b: f16) -> f16 {
  %c = arith.addf %a, %b : f16
  return %c : f16
}

// A float64 becomes a float32 that rounds to the same 16 bits, for which the bits that are lost make it odd.
// CHECK-LABEL: func.func @narrow
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.ori
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @narrow(%a: f64) -> bf16 {
  %b = arith.truncf %a : f64 to bf16
  return %b : bf16
}

// CHECK-LABEL: func.func @wide
// CHECK: %[[A:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.extf %[[A]] : f32 to f64
func.func @wide(%a: bf16) -> f64 {
  %b = arith.extf %a : bf16 to f64
  return %b : f64
}
