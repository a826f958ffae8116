// RUN: dae-opt %s --dae-tensorize | FileCheck %s
// Taps of a window are reduction loops; its fields follow from where the block reads them.

// 3 x 3, stride 1, on lines of 9 positions.
// CHECK-LABEL: @lines
func.func @lines() {
  %i = dae.alloc : memref<5x9x16xi8, #dae.scope<inp>>
  %w = dae.alloc : memref<1x16x16xi8, #dae.scope<wgt>>
  %a = dae.alloc : memref<3x7x16xi32, #dae.scope<acc>>
  %k = dae.window : memref<3x3xi8>
  // CHECK: dae.gemm %0, %1 -> %2
  // CHECK-SAME: accumulate
  // CHECK-SAME: lead = 2 : i64, line = 9 : i64, loops = [#dae.loop<3 x (9, 0, 7)>, #dae.loop<7 x (1, 0, 1)>]
  // CHECK-SAME: step = 1 : i64, window = 3 : i64
  linalg.generic {indexing_maps = [affine_map<(y, x, r, c, l) -> (y + r, x + 2 - c, l)>,
                                   affine_map<(y, x, r, c, l) -> (0, l, r * 5 + c)>,
                                   affine_map<(y, x, r, c, l) -> (r, c)>, affine_map<(y, x, r, c, l) -> (y, x, l)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]}
      ins(%i, %w, %k : memref<5x9x16xi8, #dae.scope<inp>>, memref<1x16x16xi8, #dae.scope<wgt>>, memref<3x3xi8>)
      outs(%a : memref<3x7x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i8, %e: i8, %old: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %s = arith.addi %old, %m : i32
    linalg.yield %s : i32
  }
  return
}

// One row of 4 taps, stride 2.
// CHECK-LABEL: @row
func.func @row() {
  %i = dae.alloc : memref<10x16xi8, #dae.scope<inp>>
  %w = dae.alloc : memref<1x16x16xi8, #dae.scope<wgt>>
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %k = dae.window : memref<1x4xi8>
  // CHECK: lead = 3 : i64, loops = [#dae.loop<4 x (1, 0, 1)>]
  // CHECK-SAME: step = 2 : i64, window = 1 : i64
  linalg.generic {indexing_maps = [affine_map<(x, r, c, l) -> (x * 2 + 3 - c, l)>,
                                   affine_map<(x, r, c, l) -> (0, l, r * 16 + c)>,
                                   affine_map<(x, r, c, l) -> (r, c)>, affine_map<(x, r, c, l) -> (x, l)>],
                  iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%i, %w, %k : memref<10x16xi8, #dae.scope<inp>>, memref<1x16x16xi8, #dae.scope<wgt>>, memref<1x4xi8>)
      outs(%a : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i8, %e: i8, %old: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %s = arith.addi %old, %m : i32
    linalg.yield %s : i32
  }
  return
}
