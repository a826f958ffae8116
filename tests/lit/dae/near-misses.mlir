// RUN: dae-opt %s --split-input-file --verify-diagnostics --dae-tensorize
// Blocks that are almost those of an intrinsic.

// The row is another one for each lane.
func.func @rowOfALane() {
  %a = dae.alloc : memref<31x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<16x16xi8, #dae.scope<out>>
  // expected-error @below {{computes a0 on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<31x16xi8, #dae.scope<inp>>) outs(%o : memref<16x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  }
  return
}

// -----

// Not the first entry, by which a table is named.
func.func @middleOfATable() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %t = dae.alloc : memref<256xi8, #dae.scope<lut>>
  %o = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // expected-error @below {{reads a table elsewhere than at its first entry, by which a table is named}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (5)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %t : memref<4x16xi8, #dae.scope<inp>>, memref<256xi8, #dae.scope<lut>>) outs(%o : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i8, %first: i8, %y: i8):
    %v = qnn.lookup %x of %first : i8
    linalg.yield %v : i8
  }
  return
}

// -----

// The last of four products, where the instruction would add them.
func.func @lastOfFour() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<16xi32, #dae.scope<acc>>
  // expected-error @below {{computes 3*ext32(a0) on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%o : memref<16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32):
    %c = arith.constant 3 : i32
    %w = arith.extsi %x : i8 to i32
    %p = arith.muli %w, %c : i32
    linalg.yield %p : i32
  }
  return
}

// -----

func.func @reductionThatMovesTheOutput() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{has a parallel loop that its output does not move along, or a reduction that it does}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32):
    %c = arith.constant 3 : i32
    %w = arith.extsi %x : i8 to i32
    %p = arith.muli %w, %c : i32
    %s = arith.addi %y, %p : i32
    linalg.yield %s : i32
  }
  return
}

// -----

func.func @readsWhatOnlyAFillWrote() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%a : memref<4x16xi32, #dae.scope<acc>>)
  // expected-error @below {{reads a buffer that is filled and that no block wrote since}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %y: i32):
    %c = arith.constant 3 : i32
    %p = arith.muli %x, %c : i32
    linalg.yield %p : i32
  }
  return
}

// -----

// The row that is not written would hold what it held before.
func.func @writesAPartOfWhatIsFilled() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<5x16xi32, #dae.scope<acc>>
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%o : memref<5x16xi32, #dae.scope<acc>>)
  // expected-error @below {{writes a part of a buffer that is filled; expected all of it}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0 + 1, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%o : memref<5x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32):
    %c = arith.constant 3 : i32
    %w = arith.extsi %x : i8 to i32
    %p = arith.muli %w, %c : i32
    %s = arith.addi %y, %p : i32
    linalg.yield %s : i32
  }
  return
}
