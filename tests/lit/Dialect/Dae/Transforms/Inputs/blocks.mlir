// Intrinsics of a user: with a constant in a range, and with constants that are packed.
#row = affine_map<(l) -> (l)>
#none = affine_map<(l) -> ()>
!int8 = memref<?xi8, #dae.scope<inp>>
!acc = memref<?xi32, #dae.scope<acc>>
!packed = memref<?xi8, #dae.scope<param>>

dae.intrinsic @scaled_difference(%a: !int8, %b: !int8, %k: i32 {dae.range = #dae.range<2, 7>}, %d: !acc) {
  linalg.generic {indexing_maps = [#row, #row, #none, #row], iterator_types = ["parallel"]}
      ins(%a, %b, %k : !int8, !int8, i32) outs(%d : !acc) {
  ^bb0(%x: i8, %y: i8, %factor: i32, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %s = arith.subi %wx, %wy : i32
    %r = arith.muli %s, %factor : i32
    linalg.yield %r : i32
  }
  %t = dae.alloc : !acc
  dae.vector #dae.op<sub> %a, %b -> %t : !int8, !int8 -> !acc
  dae.vector #dae.op<mul> %t, %k -> %d : !acc, i32 -> !acc
}

// x * scale + offset a channel, both of four bits, packed into one byte.
dae.intrinsic @scale_and_offset(%a: !acc, %p: !packed {dae.pack = @nibbles}, %d: !acc) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%a, %p : !acc, !packed) outs(%d : !acc) {
  ^bb0(%x: i32, %byte: i8, %old: i32):
    %c4 = arith.constant 4 : i32
    %c28 = arith.constant 28 : i32
    %w = arith.extsi %byte : i8 to i32
    %offset = arith.shrsi %w, %c4 : i32
    %high = arith.shli %w, %c28 : i32
    %scale = arith.shrsi %high, %c28 : i32
    %product = arith.muli %x, %scale : i32
    %r = arith.addi %product, %offset : i32
    linalg.yield %r : i32
  }
  %high = dae.alloc : !acc
  %scale = dae.alloc : !acc
  %product = dae.alloc : !acc
  %offset = dae.alloc : !acc
  dae.vector #dae.op<shl> %p -> %high {immediate = 28 : i64} : !packed -> !acc
  dae.vector #dae.op<shr> %high -> %scale {immediate = 28 : i64} : !acc -> !acc
  dae.vector #dae.op<mul> %a, %scale -> %product : !acc, !acc -> !acc
  dae.vector #dae.op<shr> %p -> %offset {immediate = 4 : i64} : !packed -> !acc
  dae.vector #dae.op<add> %product, %offset -> %d : !acc, !acc -> !acc
}

func.func private @nibbles(%scale: i8 {dae.range = #dae.range<-8, 7>}, %offset: i8 {dae.range = #dae.range<-8, 7>}) -> i8 {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %low = arith.andi %scale, %c15 : i8
  %high = arith.shli %offset, %c4 : i8
  %byte = arith.ori %low, %high : i8
  return %byte : i8
}
