// RUN: dae-opt %s --cpu-convert-narrow | FileCheck %s

// Buffers are pointers, indices have 32 bits, and so have those of vectors.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: i32) -> i32
// CHECK-NOT: i64
// CHECK: llvm.mlir.constant(8 : index) : i32
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.fadd
// CHECK: llvm.store %{{.*}} : vector<4xf32>, !llvm.ptr
// CHECK: llvm.return
func.func @kernel(%x: memref<4x8xf32>, %y: memref<4xf32>, %row: i32) -> i32 {
  %i = arith.index_cast %row : i32 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %ones = vector.broadcast %one : f32 to vector<4xf32>
  %v = vector.load %x[%i, %zero] : memref<4x8xf32>, vector<4xf32>
  %sum = arith.addf %v, %ones : vector<4xf32>
  vector.store %sum, %y[%zero] : memref<4xf32>, vector<4xf32>
  %good = arith.constant 0 : i32
  return %good : i32
}
