// RUN: dae-opt %s --cpu-allocate-scratch | FileCheck %s

// Two buffers of 40 and 24 bytes are parts of a last argument, each at a multiple of 64 bytes. One of a shared loop's
// iteration belongs to the iteration.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<10xf32>, %{{[a-z0-9]+}}: memref<6xf32>, %[[SCRATCH:[a-z0-9]+]]: memref<128xi8>)
// CHECK-NOT: memref.alloc()
// CHECK: %[[FIRST:.*]] = arith.constant 0 : index
// CHECK: %[[A:.*]] = memref.view %[[SCRATCH]][%[[FIRST]]][] : memref<128xi8> to memref<10xf32>
// CHECK: %[[SECOND:.*]] = arith.constant 64 : index
// CHECK: %[[B:.*]] = memref.view %[[SCRATCH]][%[[SECOND]]][] : memref<128xi8> to memref<6xf32>
// CHECK: linalg.exp ins(%[[X]] : memref<10xf32>) outs(%[[A]] : memref<10xf32>)
// CHECK: scf.forall
// CHECK-NEXT: %[[OWN:.*]] = memref.alloca() : memref<2xf32>
// CHECK: linalg.copy {{.*}} outs(%[[OWN]] : memref<2xf32>)
// CHECK-NOT: memref.alloc()
func.func @kernel(%x: memref<10xf32>, %y: memref<6xf32>) {
  %a = memref.alloc() : memref<10xf32>
  linalg.exp ins(%x : memref<10xf32>) outs(%a : memref<10xf32>)
  %b = memref.alloc() : memref<6xf32>
  scf.forall (%i) = (0) to (6) step (2) {
    %own = memref.alloc() : memref<2xf32>
    %from = memref.subview %a[%i] [2] [1] : memref<10xf32> to memref<2xf32, strided<[1], offset: ?>>
    %to = memref.subview %b[%i] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: ?>>
    linalg.copy ins(%from : memref<2xf32, strided<[1], offset: ?>>) outs(%own : memref<2xf32>)
    linalg.exp ins(%own : memref<2xf32>) outs(%to : memref<2xf32, strided<[1], offset: ?>>)
  }
  linalg.copy ins(%b : memref<6xf32>) outs(%y : memref<6xf32>)
  return
}
