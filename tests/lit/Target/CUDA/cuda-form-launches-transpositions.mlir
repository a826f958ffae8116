// RUN: dae-opt %s --split-input-file --cuda-form-launches | FileCheck %s

// A tile goes through shared memory: it is read along the input's rows and written along the result's.
// CHECK-LABEL: func.func @transpose
// CHECK: gpu.launch_func @device::@transpose$0 blocks in (%[[BLOCKS:c12]],
// CHECK: gpu.func @transpose$0(%[[X:[a-z0-9]+]]: memref<100x65xf32>, %[[Y:[a-z0-9]+]]: memref<65x100xf32>) workgroup(%[[TILE:[a-z0-9]+]] : memref<32x33xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-4: memref.store %{{.*}}, %[[TILE]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[TILE]]
// CHECK: memref.store %{{.*}}, %[[Y]]
func.func @transpose(%x: memref<100x65xf32>, %y: memref<65x100xf32>) {
  linalg.transpose ins(%x : memref<100x65xf32>) outs(%y : memref<65x100xf32>) permutation = [1, 0]
  return
}

// -----

// With arithmetic, and an input that lies as the result does, which needs no tile.
// CHECK-LABEL: func.func @sum
// CHECK: gpu.func @sum$0({{.*}}) workgroup(%[[TILE:[a-z0-9]+]] : memref<32x33xi8, #gpu.address_space<workgroup>>{{[^,]*}})
// CHECK: gpu.barrier
// CHECK: arith.addi
func.func @sum(%x: memref<64x64xi8>, %z: memref<64x64xi8>, %y: memref<64x64xi8>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %z : memref<64x64xi8>, memref<64x64xi8>) outs(%y : memref<64x64xi8>) {
  ^bb0(%a: i8, %c: i8, %o: i8):
    %sum = arith.addi %a, %c : i8
    linalg.yield %sum : i8
  }
  return
}

// -----

// Rows that stay rows need no tile.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: workgroup(
func.func @rows(%x: memref<32x16x64xf32>, %y: memref<16x32x64xf32>) {
  linalg.transpose ins(%x : memref<32x16x64xf32>) outs(%y : memref<16x32x64xf32>) permutation = [1, 0, 2]
  return
}
