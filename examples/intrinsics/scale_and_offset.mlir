// x * scale + offset with a scale and an offset a channel, both of four bits and packed into one byte.
#row = affine_map<(l) -> (l)>
!acc = memref<?xi32, #dae.scope<acc>>
!bytes = memref<?xi8, #dae.scope<param>>

dae.intrinsic @scale_and_offset(%a: !acc, %p: !bytes {dae.pack = @nibbles}, %d: !acc) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%a, %p : !acc, !bytes) outs(%d : !acc) {
  ^bb0(%x: i32, %byte: i8, %old: i32):
    %c4 = arith.constant 4 : i32
    %c28 = arith.constant 28 : i32
    %wide = arith.extsi %byte : i8 to i32
    %offset = arith.shrsi %wide, %c4 : i32
    %high = arith.shli %wide, %c28 : i32
    %scale = arith.shrsi %high, %c28 : i32
    %product = arith.muli %x, %scale : i32
    %sum = arith.addi %product, %offset : i32
    linalg.yield %sum : i32
  }
  %high = dae.alloc : !acc
  %scale = dae.alloc : !acc
  %product = dae.alloc : !acc
  %offset = dae.alloc : !acc
  dae.vector #dae.op<shl> %p -> %high {immediate = 28 : i64} : !bytes -> !acc
  dae.vector #dae.op<shr> %high -> %scale {immediate = 28 : i64} : !acc -> !acc
  dae.vector #dae.op<mul> %a, %scale -> %product : !acc, !acc -> !acc
  dae.vector #dae.op<shr> %p -> %offset {immediate = 4 : i64} : !bytes -> !acc
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
