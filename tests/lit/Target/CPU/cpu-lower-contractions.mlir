// RUN: dae-opt %s --cpu-lower-contractions=level=x86-64-v2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: dae-opt %s --cpu-lower-contractions=level=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: dae-opt %s --cpu-lower-contractions=level=x86-64-v2-emulated-amx | FileCheck %s --check-prefixes=CHECK,AMX

// The sums of a block of rows are values that the loop of the reduction carries, and begin with zeros, so that nothing
// fills the output before. Where the level has FMA, one operation multiplies and adds.
// CHECK-LABEL: func.func @floats
// CHECK-NOT: linalg.
// CHECK: scf.for {{.*}} iter_args({{.*}} -> (vector<16xf32>, vector<16xf32>
// V2-NOT: vector.fma
// V2: arith.mulf {{.*}} : vector<16xf32>
// V2: arith.addf {{.*}} : vector<16xf32>
// V3: vector.fma {{.*}} : vector<16xf32>
// CHECK: scf.yield
// CHECK: vector.store {{.*}}, vector<16xf32>
// CHECK: return
func.func @floats(%x: memref<12x8xf32>, %w: memref<1x8x16xf32>, %y: memref<12x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<12x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, p, c, k) -> (i, k)>, affine_map<(i, p, c, k) -> (p, k, c)>, affine_map<(i, p, c, k) -> (i, p * 16 + c)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<12x8xf32>, memref<1x8x16xf32>) outs(%y : memref<12x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// Bytes are multiplied in pairs, or in whole tiles.
// CHECK-LABEL: func.func @bytes
// CHECK-NOT: linalg.
// V2: llvm.call_intrinsic "llvm.x86.sse2.pmadd.wd"
// V3: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// AMX: %[[SUMS:.*]] = amx.tile_zero : vector<16x16xi32>
// AMX: %[[P:.*]] = amx.tile_muli %{{.*}}, %{{.*}}, %[[SUMS]] : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
// AMX: amx.tile_store {{.*}}, %[[P]]
// CHECK: return
func.func @bytes(%x: memref<16x64xi8>, %w: memref<1x16x16x4xi8>, %y: memref<16x16xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<16x16xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, p, c, k, d) -> (i, k * 4 + d)>, affine_map<(i, p, c, k, d) -> (p, k, c, d)>, affine_map<(i, p, c, k, d) -> (i, p * 16 + c)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : memref<16x64xi8>, memref<1x16x16x4xi8>) outs(%y : memref<16x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %u = arith.extsi %a : i8 to i32
    %v = arith.extsi %b : i8 to i32
    %p = arith.muli %u, %v : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  }
  return
}
