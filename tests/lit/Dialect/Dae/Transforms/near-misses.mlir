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

// -----

// GEMM adds.
func.func @differenceOfProducts() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<16x16xi8, #dae.scope<wgt>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %f = arith.constant 0 : i32
  linalg.fill ins(%f : i32) outs(%o : memref<4x16xi32, #dae.scope<acc>>)
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<16x16xi8, #dae.scope<wgt>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %r = arith.subi %old, %p : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// Only the diagonal of a tile of weights: two of GEMM's lanes are one dimension.
func.func @diagonalOfATile() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<16x16xi8, #dae.scope<wgt>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %f = arith.constant 0 : i32
  linalg.fill ins(%f : i32) outs(%o : memref<4x16xi32, #dae.scope<acc>>)
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<16x16xi8, #dae.scope<wgt>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %r = arith.addi %old, %p : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// Rows of a tile of weights are output lanes.
func.func @transposedTile() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<16x16xi8, #dae.scope<wgt>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %f = arith.constant 0 : i32
  linalg.fill ins(%f : i32) outs(%o : memref<4x16xi32, #dae.scope<acc>>)
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<16x16xi8, #dae.scope<wgt>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %r = arith.addi %old, %p : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// A sum begins at 0.
func.func @sumFromOne() {
  %a = dae.alloc : memref<4x3x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %f = arith.constant 1 : i32
  // expected-error @below {{does not fill with the value that reduce_add starts from}}
  linalg.fill ins(%f : i32) outs(%o : memref<4x16xi32, #dae.scope<acc>>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a : memref<4x3x16xi8, #dae.scope<inp>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.addi %old, %wx : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// A maximum of int8 begins at -128 or below.
func.func @maximumFromZero() {
  %a = dae.alloc : memref<4x3x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %f = arith.constant -127 : i32
  // expected-error @below {{does not fill with the value that reduce_max starts from}}
  linalg.fill ins(%f : i32) outs(%o : memref<4x16xi32, #dae.scope<acc>>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a : memref<4x3x16xi8, #dae.scope<inp>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.maxsi %old, %wx : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// A minimum begins at 127 or above.
func.func @minimumFromTheLeast() {
  %a = dae.alloc : memref<4x3x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %f = arith.constant -128 : i32
  // expected-error @below {{does not fill with the value that reduce_min starts from}}
  linalg.fill ins(%f : i32) outs(%o : memref<4x16xi32, #dae.scope<acc>>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a : memref<4x3x16xi8, #dae.scope<inp>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.minsi %old, %wx : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// The sign of the sum changes with each element.
func.func @alternatingSum() {
  %a = dae.alloc : memref<4x3x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %f = arith.constant 0 : i32
  linalg.fill ins(%f : i32) outs(%o : memref<4x16xi32, #dae.scope<acc>>)
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a : memref<4x3x16xi8, #dae.scope<inp>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.subi %wx, %old : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// Rows of one instruction are in no order.
func.func @shiftsItsOwnRows() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{reads the buffer that it writes elsewhere than where it writes}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (-d0 + 3, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%o : memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %old: i32):
    %c = arith.constant 3 : i32
    %r = arith.muli %x, %c : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// A sum of int8 that wraps; VECTOR clamps.
func.func @wrapsToInt8() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi8, #dae.scope<inp>>) outs(%o : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i8, %y: i8, %old: i8):
    %r = arith.addi %x, %y : i8
    linalg.yield %r : i8
  }
  return
}

// -----

// A part of int8 and what is no int8: cut, not clamped.
func.func @clampsBelowInt8() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %old: i8):
    %lo = arith.constant -129 : i32
    %hi = arith.constant 127 : i32
    %m = arith.maxsi %x, %lo : i32
    %n = arith.minsi %m, %hi : i32
    %r = arith.trunci %n : i32 to i8
    linalg.yield %r : i8
  }
  return
}

// -----

// The larger without a sign.
func.func @unsignedMaximum() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %r = arith.maxui %x, %y : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// Zeros come from the left; VECTOR keeps the sign.
func.func @unsignedShift() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %c = arith.constant 31 : i32
    %k = arith.andi %y, %c : i32
    %r = arith.shrui %x, %k : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// VECTOR takes five bits of the count.
func.func @shiftByFourBits() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %c = arith.constant 15 : i32
    %k = arith.andi %y, %c : i32
    %r = arith.shrsi %x, %k : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// An int8 is extended with its sign.
func.func @extendsWithZeros() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32, %old: i32):
    %w = arith.extui %x : i8 to i32
    %r = arith.addi %w, %y : i32
    linalg.yield %r : i32
  }
  return
}

// -----

// The bias lies first in PARAM.
func.func @multiplierFirst() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi128, #dae.scope<param>>
  %o = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi128, #dae.scope<param>>) outs(%o : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i128, %old: i8):
    %c32 = arith.constant 32 : i128
    %c64 = arith.constant 64 : i128
    %y32 = arith.shrui %y, %c32 : i128
    %y64 = arith.shrui %y, %c64 : i128
    %p = arith.trunci %y : i128 to i32
    %q = arith.trunci %y32 : i128 to i32
    %s = arith.trunci %y64 : i128 to i8
    %r = qnn.requantize %x, %q, %p, %s {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
    linalg.yield %r : i8
  }
  return
}

// -----

// The shift lies at byte 8.
func.func @shiftBehindItsByte() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi128, #dae.scope<param>>
  %o = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi128, #dae.scope<param>>) outs(%o : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i128, %old: i8):
    %c32 = arith.constant 32 : i128
    %c64 = arith.constant 72 : i128
    %y32 = arith.shrui %y, %c32 : i128
    %y64 = arith.shrui %y, %c64 : i128
    %p = arith.trunci %y : i128 to i32
    %q = arith.trunci %y32 : i128 to i32
    %s = arith.trunci %y64 : i128 to i8
    %r = qnn.requantize %x, %p, %q, %s {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
    linalg.yield %r : i8
  }
  return
}

// -----

// The table is read at -x.
func.func @tableOfTheNegative() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<256xi8, #dae.scope<lut>>
  %o = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<256xi8, #dae.scope<lut>>) outs(%o : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i8, %y: i8, %old: i8):
    %z = arith.constant 0 : i8
    %i = arith.subi %z, %x : i8
    %r = qnn.lookup %i of %y : i8
    linalg.yield %r : i8
  }
  return
}

// -----

// Three rows, where VECTOR has two.
func.func @sumOfThree() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %s = arith.addi %x, %y : i32
    %m = arith.muli %x, %y : i32
    %r = arith.addi %s, %m : i32
    linalg.yield %r : i32
  }
  return
}
