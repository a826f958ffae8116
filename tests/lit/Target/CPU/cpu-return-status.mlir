// RUN: dae-opt %s --cpu-return-status | FileCheck %s

// An assertion becomes what the kernel returns: 1 where it does not hold, and 2 for one of indices.
// CHECK-LABEL: func.func @checked
// CHECK-SAME: (%[[SHAPE:[a-z0-9]+]]: i1, %[[INDEX:[a-z0-9]+]]: i1) -> i32
// CHECK-NOT: cf.assert
// CHECK: %[[GOOD:.*]] = arith.andi %{{.*}}, %[[SHAPE]]
// CHECK: %[[BAD:.*]] = arith.xori %[[GOOD]], %true
// CHECK: %[[A:.*]] = arith.extui %[[BAD]] : i1 to i32
// CHECK: %[[INSIDE:.*]] = arith.andi %{{.*}}, %[[INDEX]]
// CHECK: %[[OUTSIDE:.*]] = arith.xori %[[INSIDE]], %true
// CHECK: %[[ONE:.*]] = arith.extui %[[OUTSIDE]] : i1 to i32
// CHECK: %[[B:.*]] = arith.shli %[[ONE]], %c1_i32
// CHECK: %[[STATUS:.*]] = arith.ori %[[A]], %[[B]]
// CHECK: return %[[STATUS]] : i32
func.func @checked(%shape: i1, %index: i1) {
  cf.assert %shape, "shapes"
  cf.assert %index, "indices"
  return
}

// A function that kernels call returns nothing.
// CHECK-LABEL: func.func private @part
// CHECK-NOT: i32
// CHECK: return{{$}}
func.func private @part(%y: memref<2xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%y : memref<2xf32>)
  return
}
