// RUN: dae-opt %s --cpu-emulate-tiles | FileCheck %s

// A tile is a vector of its rows, loaded and stored one by one. The product is two loops over tiles in the function's
// memory: of each row, four bytes times those of each of sixteen columns, added up.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<2x8xi8>, %[[W:[a-z0-9]+]]: memref<2x64xi8>, %[[Y:[a-z0-9]+]]: memref<2x16xi32>)
// CHECK-NOT: amx.
// CHECK-DAG: %[[SUMS:.*]] = memref.alloca() : memref<2x16xi32>
// CHECK-DAG: %[[BYTES:.*]] = memref.alloca() : memref<2x8xi8>
// CHECK-DAG: %[[WEIGHTS:.*]] = memref.alloca() : memref<2x64xi8>
// CHECK-COUNT-2: vector.load %[[X]]
// CHECK-COUNT-2: vector.load %[[W]]
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %c2
// CHECK: scf.for %[[QUAD:.*]] = %{{.*}} to %c2
// CHECK: vector.load %[[BYTES]][%[[ROW]], %{{.*}}] : memref<2x8xi8>, vector<4xi8>
// CHECK: vector.load %[[WEIGHTS]][%[[QUAD]], %{{.*}}] : memref<2x64xi8>, vector<64xi8>
// CHECK: arith.muli {{.*}} : vector<64xi32>
// CHECK-COUNT-4: arith.addi {{.*}} : vector<16xi32>
// CHECK: vector.store %{{.*}}, %[[SUMS]][%[[ROW]], %{{.*}}]
// CHECK-COUNT-2: vector.store %{{.*}}, %[[Y]]
// CHECK-NOT: amx.
func.func @product(%x: memref<2x8xi8>, %w: memref<2x64xi8>, %y: memref<2x16xi32>) {
  %c0 = arith.constant 0 : index
  %sums = amx.tile_zero : vector<2x16xi32>
  %a = amx.tile_load %x[%c0, %c0] : memref<2x8xi8> into vector<2x8xi8>
  %b = amx.tile_load %w[%c0, %c0] : memref<2x64xi8> into vector<2x64xi8>
  %s = amx.tile_muli %a, %b, %sums : vector<2x8xi8>, vector<2x64xi8>, vector<2x16xi32>
  amx.tile_store %y[%c0, %c0], %s : memref<2x16xi32>, vector<2x16xi32>
  return
}
