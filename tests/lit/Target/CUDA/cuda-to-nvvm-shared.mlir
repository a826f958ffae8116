// RUN: dae-opt %s --pass-pipeline='builtin.module(gpu.module(cuda-to-nvvm))' | FileCheck %s

// Dynamic shared memory is declared, not defined: a launch says how much it is.
// CHECK: llvm.mlir.global external @[[SHARED:[a-z_0-9]+]]() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: llvm.func @dynamic
// CHECK: llvm.mlir.addressof @[[SHARED]]
module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @dynamic(%x: memref<4xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %at = arith.constant 16 : index
      %view = memref.view %bytes[%at][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
      %first = arith.constant 0 : index
      %number = memref.load %x[%first] : memref<4xf32>
      memref.store %number, %view[%first] : memref<4xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}
