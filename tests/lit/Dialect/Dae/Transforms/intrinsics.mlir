// RUN: dae-opt %s --dae-tensorize=intrinsics=%S/Inputs/blocks.mlir | FileCheck %s
// RUN: dae-opt %S/Inputs/blocks.mlir | dae-opt | FileCheck %s --check-prefix=TEXT
// RUN: not dae-opt %s --dae-tensorize 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not dae-opt %s --dae-tensorize=intrinsics=%S/Inputs/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// TEXT: dae.intrinsic @scaled_difference(%{{.*}}: memref<?xi8, #dae.scope<inp>>, %{{.*}}: memref<?xi8, #dae.scope<inp>>, %{{.*}}: i32 {dae.range = #dae.range<2, 7>}, %{{.*}}: memref<?xi32, #dae.scope<acc>>)
// TEXT: dae.vector <mul> %{{.*}}, %{{.*}} -> %{{.*}} : memref<?xi32, #dae.scope<acc>>, i32 -> memref<?xi32, #dae.scope<acc>>
// WITHOUT: on operands that no intrinsic of the accelerator matches
// NONE: Inputs/none.mlir

// The block is written as 5 x - y 5; temporaries have a row for each of 4 x 3 rows, and y is read in another
// order.
// CHECK-LABEL: @expanded
func.func @expanded() {
  %a = dae.alloc : memref<4x3x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<3x4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x3x16xi32, #dae.scope<acc>>
  // CHECK: %[[T:.*]] = dae.alloc : memref<12x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <sub> %0, %1 -> %[[T]] {layer = 7 : i64, loops = [#dae.loop<4 x (3, 3, 1)>, #dae.loop<3 x (1, 1, 4)>]}
  // CHECK: dae.vector <mul> %[[T]] -> %2 {immediate = 5 : i64, layer = 7 : i64, loops = [#dae.loop<4 x (3, 3, 0)>, #dae.loop<3 x (1, 1, 0)>]}
  linalg.generic {indexing_maps = [affine_map<(i, j, l) -> (j, i, l)>, affine_map<(i, j, l) -> (i, j, l)>, affine_map<(i, j, l) -> (i, j, l)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b, %a : memref<3x4x16xi8, #dae.scope<inp>>, memref<4x3x16xi8, #dae.scope<inp>>) outs(%d : memref<4x3x16xi32, #dae.scope<acc>>) {
  ^bb0(%y: i8, %x: i8, %old: i32):
    %c5 = arith.constant 5 : i32
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %c5, %wx : i32
    %q = arith.muli %wy, %c5 : i32
    %r = arith.subi %p, %q : i32
    linalg.yield %r : i32
  } loc(fused<7 : i64>["node"])
  return
}

// CHECK-LABEL: @packed
func.func @packed() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %p = dae.alloc : memref<1x16xi8, #dae.scope<param>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <shl> %1 -> %{{.*}} {immediate = 28 : i64, loops = [#dae.loop<4 x (1, 0, 0)>]}
  // CHECK: dae.vector <shr>
  // CHECK: dae.vector <mul>
  // CHECK: dae.vector <shr> %1 -> %{{.*}} {immediate = 4 : i64
  // CHECK: dae.vector <add> %{{.*}}, %{{.*}} -> %2
  linalg.generic {indexing_maps = [affine_map<(i, l) -> (i, l)>, affine_map<(i, l) -> (0, l)>, affine_map<(i, l) -> (i, l)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %p : memref<4x16xi32, #dae.scope<acc>>, memref<1x16xi8, #dae.scope<param>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %byte: i8, %old: i32):
    %c4 = arith.constant 4 : i32
    %c28 = arith.constant 28 : i32
    %w = arith.extsi %byte : i8 to i32
    %offset = arith.shrsi %w, %c4 : i32
    %high = arith.shli %w, %c28 : i32
    %scale = arith.shrsi %high, %c28 : i32
    %product = arith.muli %scale, %x : i32
    %r = arith.addi %offset, %product : i32
    linalg.yield %r : i32
  }
  return
}
