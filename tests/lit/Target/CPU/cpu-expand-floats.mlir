// RUN: dae-opt %s --cpu-expand-floats=level=x86-64-v2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: dae-opt %s --cpu-expand-floats=level=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3

// The larger of two floats is a comparison that is false for a NaN, and a NaN of the first operand is the result.
// CHECK-LABEL: func.func @larger
// CHECK-SAME: (%[[X:[a-z0-9]+]]: vector<8xf32>, %[[Y:[a-z0-9]+]]: vector<8xf32>)
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpf ogt, %[[X]], %[[Y]] : vector<8xf32>
// CHECK-NEXT: %[[LARGER:.*]] = arith.select %[[MORE]], %[[X]], %[[Y]]
// CHECK-NEXT: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : vector<8xf32>
// CHECK-NEXT: %[[R:.*]] = arith.select %[[NAN]], %[[X]], %[[LARGER]]
// CHECK-NEXT: return %[[R]]
func.func @larger(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %r = arith.maximumf %x, %y : vector<8xf32>
  return %r : vector<8xf32>
}

// CHECK-LABEL: func.func @smaller
// CHECK: arith.cmpf olt
// CHECK-NOT: arith.minimumf
func.func @smaller(%x: f32, %y: f32) -> f32 {
  %r = arith.minimumf %x, %y : f32
  return %r : f32
}

// Where the level has no FMA, the product is rounded too.
// CHECK-LABEL: func.func @product
// V2-NEXT: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// V2-NEXT: arith.addf %[[P]], %{{.*}} : f32
// V3-NEXT: math.fma
func.func @product(%x: f32, %y: f32, %z: f32) -> f32 {
  %r = math.fma %x, %y, %z : f32
  return %r : f32
}
