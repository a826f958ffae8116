// RUN: dae-opt %s --split-input-file --verify-diagnostics --dae-tensorize=intrinsics=%S/Inputs/blocks.mlir
// Blocks that are almost those of Inputs/blocks.mlir.

// A factor out of the range of the constant.
func.func @factorOutOfRange() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(i, l) -> (i, l)>, affine_map<(i, l) -> (3 - i, l)>, affine_map<(i, l) -> (i, l)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %a : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %c8 = arith.constant 8 : i32
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %s = arith.subi %wx, %wy : i32
    %r = arith.muli %s, %c8 : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// Two factors where the intrinsic has one.
func.func @twoFactors() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(i, l) -> (i, l)>, affine_map<(i, l) -> (i, l)>, affine_map<(i, l) -> (i, l)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %c3 : i32
    %q = arith.muli %wy, %c4 : i32
    %r = arith.subi %p, %q : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// What is read of INP lies in ACC.
func.func @otherScope() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(i, l) -> (i, l)>, affine_map<(i, l) -> (i, l)>, affine_map<(i, l) -> (i, l)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %y: i8, %old: i32):
    %c3 = arith.constant 3 : i32
    %wy = arith.extsi %y : i8 to i32
    %s = arith.subi %x, %wy : i32
    %r = arith.muli %s, %c3 : i32
    linalg.yield %r : i32
  }
  return
}
