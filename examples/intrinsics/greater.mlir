// 1 where a is greater than b, else 0: their difference, cut to 0 and 1.
#row = affine_map<(l) -> (l)>
!int8 = memref<?xi8, #dae.scope<inp>>
!acc = memref<?xi32, #dae.scope<acc>>

dae.intrinsic @greater(%a: !int8, %b: !int8, %d: !acc) {
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%a, %b : !int8, !int8) outs(%d : !acc) {
  ^bb0(%x: i8, %y: i8, %old: i32):
    %is = arith.cmpi sgt, %x, %y : i8
    %one = arith.extui %is : i1 to i32
    linalg.yield %one : i32
  }
  %difference = dae.alloc : !acc
  %positive = dae.alloc : !acc
  dae.vector #dae.op<sub> %a, %b -> %difference : !int8, !int8 -> !acc
  dae.vector #dae.op<max> %difference -> %positive {immediate = 0 : i64} : !acc -> !acc
  dae.vector #dae.op<min> %positive -> %d {immediate = 1 : i64} : !acc -> !acc
}
