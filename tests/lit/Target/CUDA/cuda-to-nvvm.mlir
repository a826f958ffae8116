// RUN: dae-opt %s --pass-pipeline='builtin.module(gpu.module(cuda-to-nvvm))' | FileCheck %s

// Buffers are bare pointers to different memory, where vectors may lie, and nothing of a library is called.
// CHECK: llvm.func @root(%[[X:[a-z0-9]+]]: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %[[Y:[a-z0-9]+]]: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}) attributes {gpu.kernel
// CHECK-SAME: nvvm.kernel
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: llvm.intr.sqrt
// CHECK-NOT: llvm.call
module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @root(%x: memref<32xf32>, %y: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %i = gpu.thread_id x
      %a = memref.load %x[%i] : memref<32xf32>
      %b = math.sqrt %a : f32
      memref.store %b, %y[%i] : memref<32xf32>
      gpu.return
    }
  }
}
