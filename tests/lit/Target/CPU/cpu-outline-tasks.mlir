// RUN: dae-opt %s --cpu-outline-tasks | FileCheck %s

// The body of a shared loop becomes a function of the kernel's arguments, of the number of a task, from which it computes
// where the tile lies, and of the worker's memory, in which the tile's buffer is. The runtime is asked to run all three.
// CHECK-LABEL: func.func private @kernel.task0
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<6x4xf32>, %[[Y:[a-z0-9]+]]: memref<6x4xf32>, %[[TASK:[a-z0-9]+]]: i64, %[[MEMORY:[a-z0-9]+]]: memref<64xi8>)
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[TASK]] : i64 to index
// CHECK: %[[ROW:.*]] = arith.muli %[[NUMBER]], %c2
// CHECK: %[[I:.*]] = arith.addi %[[ROW]], %c0
// CHECK: %[[OWN:.*]] = memref.view %[[MEMORY]][%{{.*}}][] : memref<64xi8> to memref<2x4xf32>
// CHECK: %[[FROM:.*]] = memref.subview %[[X]][%[[I]], 0] [2, 4] [1, 1]
// CHECK: %[[TO:.*]] = memref.subview %[[Y]][%[[I]], 0] [2, 4] [1, 1]
// CHECK: linalg.exp ins(%[[FROM]] : {{.*}}) outs(%[[OWN]] :
// CHECK: linalg.copy ins(%[[OWN]] : {{.*}}) outs(%[[TO]] :
// CHECK-LABEL: func.func @kernel(
// CHECK-NOT: scf.forall
// CHECK: %[[COUNT:.*]] = arith.constant 3 : i64
// CHECK-NEXT: cpu.run @kernel.task0(%[[COUNT]]) worker 64
// CHECK-NEXT: return
func.func @kernel(%x: memref<6x4xf32>, %y: memref<6x4xf32>) -> i32 {
  %good = arith.constant 0 : i32
  scf.forall (%i) = (0) to (6) step (2) {
    %own = memref.alloca() : memref<2x4xf32>
    %from = memref.subview %x[%i, 0] [2, 4] [1, 1] : memref<6x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    %to = memref.subview %y[%i, 0] [2, 4] [1, 1] : memref<6x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp ins(%from : memref<2x4xf32, strided<[4, 1], offset: ?>>) outs(%own : memref<2x4xf32>)
    linalg.copy ins(%own : memref<2x4xf32>) outs(%to : memref<2x4xf32, strided<[4, 1], offset: ?>>)
  }
  return %good : i32
}
