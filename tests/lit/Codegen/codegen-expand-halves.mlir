// RUN: dae-opt %s --codegen-expand-halves | FileCheck %s

// What is computed with floats of 16 bits is computed in float32; conversions are arithmetic on bits.
// CHECK-LABEL: func.func @sum
// CHECK-NOT: arith.addf {{.*}} : f16
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: arith.truncf
func.func @sum(%x: f16, %y: f16) -> f16 {
  %z = arith.addf %x, %y : f16
  return %z : f16
}

// CHECK-LABEL: func.func @wider
// CHECK-NOT: arith.extf
// CHECK: arith.bitcast %{{.*}} : bf16 to i16
// CHECK: arith.bitcast %{{.*}} : i32 to f32
func.func @wider(%x: bf16) -> f32 {
  %y = arith.extf %x : bf16 to f32
  return %y : f32
}
