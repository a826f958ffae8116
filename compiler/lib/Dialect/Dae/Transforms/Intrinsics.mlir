// What the accelerator's instructions compute of rows: the built-in declarations (docs/intrinsics.md). `!any`
// and its like are int32 values that lie in any of some scopes, as the table of VECTOR's forms in docs/isa.md
// has them; each declaration gives an intrinsic for every choice that the table allows. Of equally fast ones
// the first declared counts.

#row = affine_map<(l) -> (l)>
#table = affine_map<(l) -> (0)>

!any = memref<?xi32, #dae.widened<inp, acc, param, imm>>
!rows = memref<?xi32, #dae.widened<inp, acc, param>>
!source = memref<?xi32, #dae.widened<inp, acc>>
!result = memref<?xi32, #dae.widened<acc, inp, out>>
!acc = memref<?xi32, #dae.scope<acc>>

// The operations of GEMM: a row of INP times a tile of WGT; and rows of INP, a tap each, times the weights of
// their lanes, where the rows are those of a window that slides over INP.
dae.intrinsic @gemm(%inp: memref<?xi8, #dae.scope<inp>>, %wgt: memref<?x?xi8, #dae.scope<wgt>>, %acc: !acc)
    attributes {neutral = 0 : i32} {
  linalg.generic {indexing_maps = [affine_map<(o, i) -> (i)>, affine_map<(o, i) -> (o, i)>, affine_map<(o, i) -> (o)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%inp, %wgt : memref<?xi8, #dae.scope<inp>>, memref<?x?xi8, #dae.scope<wgt>>) outs(%acc : !acc) {
  ^bb0(%x: i8, %w: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %product = arith.muli %wx, %ww : i32
    %sum = arith.addi %old, %product : i32
    linalg.yield %sum : i32
  }
  dae.gemm %inp, %wgt -> %acc : memref<?xi8, #dae.scope<inp>>, memref<?x?xi8, #dae.scope<wgt>> -> !acc
}

dae.intrinsic @window(%inp: memref<?x?xi8, #dae.scope<inp>>, %wgt: memref<?x?xi8, #dae.scope<wgt>>, %acc: !acc)
    attributes {neutral = 0 : i32} {
  linalg.generic {indexing_maps = [affine_map<(o, t) -> (t, o)>, affine_map<(o, t) -> (o, t)>, affine_map<(o, t) -> (o)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%inp, %wgt : memref<?x?xi8, #dae.scope<inp>>, memref<?x?xi8, #dae.scope<wgt>>) outs(%acc : !acc) {
  ^bb0(%x: i8, %w: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %ww = arith.extsi %w : i8 to i32
    %product = arith.muli %wx, %ww : i32
    %sum = arith.addi %old, %product : i32
    linalg.yield %sum : i32
  }
  dae.gemm %inp, %wgt -> %acc : memref<?x?xi8, #dae.scope<inp>>, memref<?x?xi8, #dae.scope<wgt>> -> !acc
}

// Reductions: the instruction begins with its first value, or goes on from what was there.
dae.intrinsic @reduce_add(%a: !rows, %d: !acc) attributes {neutral = 0 : i32} {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%a : !rows) outs(%d : !acc) {
  ^bb0(%x: i32, %old: i32):
    %r = arith.addi %old, %x : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<add> %a -> %d : !rows -> !acc
}

dae.intrinsic @reduce_max(%a: !rows, %d: !acc) attributes {neutral = -2147483648 : i32} {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%a : !rows) outs(%d : !acc) {
  ^bb0(%x: i32, %old: i32):
    %r = arith.maxsi %old, %x : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<max> %a -> %d : !rows -> !acc
}

dae.intrinsic @reduce_min(%a: !rows, %d: !acc) attributes {neutral = 2147483647 : i32} {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%a : !rows) outs(%d : !acc) {
  ^bb0(%x: i32, %old: i32):
    %r = arith.minsi %old, %x : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<min> %a -> %d : !rows -> !acc
}

dae.intrinsic @mac(%a: !source, %b: !any, %d: !acc) attributes {neutral = 0 : i32} {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%a, %b : !source, !any) outs(%d : !acc) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %product = arith.muli %x, %y : i32
    %r = arith.addi %old, %product : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<mac> %a, %b -> %d : !source, !any -> !acc
}

// Elementwise operations. A shift by a count outside of 0 to 31 has no meaning in a block.
dae.intrinsic @mov(%a: !any, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%a : !any) outs(%d : !result) {
  ^bb0(%x: i32, %old: i32):
    linalg.yield %x : i32
  }
  dae.vector #dae.op<mov> %a -> %d : !any -> !result
}

dae.intrinsic @mul(%a: !any, %b: !any, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !any, !any) outs(%d : !result) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %r = arith.muli %x, %y : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<mul> %a, %b -> %d : !any, !any -> !result
}

dae.intrinsic @add(%a: !any, %b: !any, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !any, !any) outs(%d : !result) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %r = arith.addi %x, %y : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<add> %a, %b -> %d : !any, !any -> !result
}

dae.intrinsic @sub(%a: !any, %b: !any, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !any, !any) outs(%d : !result) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %r = arith.subi %x, %y : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<sub> %a, %b -> %d : !any, !any -> !result
}

dae.intrinsic @max(%a: !any, %b: !any, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !any, !any) outs(%d : !result) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %r = arith.maxsi %x, %y : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<max> %a, %b -> %d : !any, !any -> !result
}

dae.intrinsic @min(%a: !any, %b: !any, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !any, !any) outs(%d : !result) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %r = arith.minsi %x, %y : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<min> %a, %b -> %d : !any, !any -> !result
}

dae.intrinsic @shr(%a: !any, %b: !any, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !any, !any) outs(%d : !result) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %r = arith.shrsi %x, %y : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<shr> %a, %b -> %d : !any, !any -> !result
}

dae.intrinsic @shl(%a: !any, %b: !any, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !any, !any) outs(%d : !result) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %r = arith.shli %x, %y : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<shl> %a, %b -> %d : !any, !any -> !result
}

// The same by the low five bits of any count.
dae.intrinsic @shr_by_low_bits(%a: !any, %b: !rows, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !any, !rows) outs(%d : !result) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %c31 = arith.constant 31 : i32
    %count = arith.andi %y, %c31 : i32
    %r = arith.shrsi %x, %count : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<shr> %a, %b -> %d : !any, !rows -> !result
}

dae.intrinsic @shl_by_low_bits(%a: !any, %b: !rows, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : !any, !rows) outs(%d : !result) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %c31 = arith.constant 31 : i32
    %count = arith.andi %y, %c31 : i32
    %r = arith.shli %x, %count : i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<shl> %a, %b -> %d : !any, !rows -> !result
}

// The four bytes of each int32.
dae.intrinsic @mov32(%a: !acc, %d: memref<?xi32, #dae.scope<out>>) {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%a : !acc) outs(%d : memref<?xi32, #dae.scope<out>>) {
  ^bb0(%x: i32, %old: i32):
    linalg.yield %x : i32
  }
  dae.vector #dae.op<mov32> %a -> %d : !acc -> memref<?xi32, #dae.scope<out>>
}

// A table of int8; a is clamped to int8 first.
dae.intrinsic @lut(%a: !source, %t: memref<256xi8, #dae.scope<lut>>, %d: !result) {
  linalg.generic {indexing_maps = [#row, #table, #row], iterator_types = ["parallel"]}
      ins(%a, %t : !source, memref<256xi8, #dae.scope<lut>>) outs(%d : !result) {
  ^bb0(%x: i32, %first: i8, %old: i32):
    %low = arith.constant -128 : i32
    %high = arith.constant 127 : i32
    %atLeast = arith.maxsi %x, %low : i32
    %clamped = arith.minsi %atLeast, %high : i32
    %index = arith.trunci %clamped : i32 to i8
    %entry = qnn.lookup %index of %first : i8
    %r = arith.extsi %entry : i8 to i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<lut> %a, %t -> %d : !source, memref<256xi8, #dae.scope<lut>> -> !result
}

// Requantization; its zero point, limits and rounding are those of the block.
dae.intrinsic @requant(%a: !source, %p: memref<?xi128, #dae.scope<param>> {dae.pack = @parameters}, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%a, %p : !source, memref<?xi128, #dae.scope<param>>) outs(%d : !result) {
  ^bb0(%x: i32, %word: i128, %old: i32):
    %c32 = arith.constant 32 : i128
    %c64 = arith.constant 64 : i128
    %word32 = arith.shrui %word, %c32 : i128
    %word64 = arith.shrui %word, %c64 : i128
    %bias = arith.trunci %word : i128 to i32
    %multiplier = arith.trunci %word32 : i128 to i32
    %shift = arith.trunci %word64 : i128 to i8
    %q = qnn.requantize %x, %bias, %multiplier, %shift
        {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    %r = arith.extsi %q : i8 to i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<requant> %a, %p -> %d : !source, memref<?xi128, #dae.scope<param>> -> !result
}

// Requantization, and what it gives through a table.
dae.intrinsic @requant_lut(%a: !source, %p: memref<?xi128, #dae.scope<param>> {dae.pack = @parameters},
                           %t: memref<256xi8, #dae.scope<lut>>, %d: !result) {
  linalg.generic {indexing_maps = [#row, #row, #table, #row], iterator_types = ["parallel"]}
      ins(%a, %p, %t : !source, memref<?xi128, #dae.scope<param>>, memref<256xi8, #dae.scope<lut>>) outs(%d : !result) {
  ^bb0(%x: i32, %word: i128, %first: i8, %old: i32):
    %c32 = arith.constant 32 : i128
    %c64 = arith.constant 64 : i128
    %word32 = arith.shrui %word, %c32 : i128
    %word64 = arith.shrui %word, %c64 : i128
    %bias = arith.trunci %word : i128 to i32
    %multiplier = arith.trunci %word32 : i128 to i32
    %shift = arith.trunci %word64 : i128 to i8
    %q = qnn.requantize %x, %bias, %multiplier, %shift
        {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    %entry = qnn.lookup %q of %first : i8
    %r = arith.extsi %entry : i8 to i32
    linalg.yield %r : i32
  }
  dae.vector #dae.op<requant_lut> %a, %p through %t -> %d
      : !source, memref<?xi128, #dae.scope<param>> through memref<256xi8, #dae.scope<lut>> -> !result
}

func.func private @parameters(%bias: i32, %multiplier: i32 {dae.range = #dae.range<0, 2147483647>},
                              %shift: i8 {dae.range = #dae.range<1, 62>}) -> i128 {
  %c32 = arith.constant 32 : i128
  %c64 = arith.constant 64 : i128
  %word0 = arith.extui %bias : i32 to i128
  %word1 = arith.extui %multiplier : i32 to i128
  %word2 = arith.extui %shift : i8 to i128
  %high1 = arith.shli %word1, %c32 : i128
  %high2 = arith.shli %word2, %c64 : i128
  %low = arith.ori %word0, %high1 : i128
  %word = arith.ori %low, %high2 : i128
  return %word : i128
}
