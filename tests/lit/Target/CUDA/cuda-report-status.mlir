// RUN: dae-opt %s --cuda-report-status | FileCheck %s

// The first word is for shapes, the second for indices; a kernel that demands nothing has none.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: %[[STATUS:[a-z0-9]+]]: memref<2xi32> {daedalus.status})
// CHECK: %[[BROKEN:.*]] = arith.xori %{{.*}}, %true
// CHECK: scf.if %[[BROKEN]]
// CHECK: memref.store %{{.*}}, %[[STATUS]]
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %[[STATUS]]
// CHECK-NOT: cf.assert
func.func @kernel(%axes: memref<1xi64>, %y: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i64
  %axis = memref.load %axes[%c0] : memref<1xi64>
  %isTwo = arith.cmpi eq, %axis, %two : i64
  cf.assert %isTwo, "shape"
  %isLess = arith.cmpi slt, %axis, %two : i64
  cf.assert %isLess, "indices"
  memref.store %axis, %y[%c0] : memref<1xi64>
  return
}

// CHECK-LABEL: func.func @nothing
// CHECK-SAME: (%{{[a-z0-9]+}}: memref<1xi64>)
func.func @nothing(%y: memref<1xi64>) {
  return
}
