// RUN: dae-opt %s --cpu-expand-floats=level=x86-64-v2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: dae-opt %s --cpu-expand-floats=level=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: dae-opt %s --cpu-expand-floats=level=rv32imc | FileCheck %s --check-prefixes=CHECK,SCALAR

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
// SCALAR: arith.addf
// V3-NEXT: math.fma
func.func @product(%x: f32, %y: f32, %z: f32) -> f32 {
  %r = math.fma %x, %y, %z : f32
  return %r : f32
}

// Without vectors, the largest element of a vector is found one element after the other.
// CHECK-LABEL: func.func @largest
// V2-NEXT: vector.reduction <maximumf>
// V3-NEXT: vector.reduction <maximumf>
// SCALAR-NOT: vector.reduction
// SCALAR: %[[A:.*]] = vector.extract %{{.*}}[0] : f32 from vector<2xf32>
// SCALAR: arith.cmpf ogt, %{{.*}}, %[[A]] : f32
// SCALAR: %[[B:.*]] = vector.extract %{{.*}}[1] : f32 from vector<2xf32>
// SCALAR: arith.cmpf ogt, %{{.*}}, %[[B]] : f32
func.func @largest(%x: vector<2xf32>, %start: f32) -> f32 {
  %r = vector.reduction <maximumf>, %x, %start : vector<2xf32> into f32
  return %r : f32
}
