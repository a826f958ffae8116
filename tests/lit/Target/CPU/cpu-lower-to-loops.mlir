// RUN: dae-opt %s --cpu-lower-to-loops | FileCheck %s

// Whatever operation it is, it becomes loops over its elements.
// CHECK-LABEL: func.func @copy
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<2x3xf32>, %[[Y:[a-z0-9]+]]: memref<3x2xf32>)
// CHECK-NOT: linalg.
// CHECK: scf.for %{{.*}} = %{{.*}} to %c3
// CHECK: scf.for %{{.*}} = %{{.*}} to %c2
// CHECK: %[[V:.*]] = memref.load %[[X]]
// CHECK: memref.store %[[V]], %[[Y]]
// CHECK: return
func.func @copy(%x: memref<2x3xf32>, %y: memref<3x2xf32>) {
  linalg.transpose ins(%x : memref<2x3xf32>) outs(%y : memref<3x2xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @sum
// CHECK-NOT: linalg.
// CHECK: scf.for
// CHECK: %[[A:.*]] = memref.load
// CHECK: %[[B:.*]] = memref.load
// CHECK: %[[S:.*]] = arith.addf %[[B]], %[[A]] : f32
// CHECK: memref.store %[[S]], %{{.*}}[] : memref<f32>
func.func @sum(%x: memref<3xf32>, %y: memref<f32>) {
  linalg.reduce {arith.addf} ins(%x : memref<3xf32>) outs(%y : memref<f32>) dimensions = [0]
  return
}
