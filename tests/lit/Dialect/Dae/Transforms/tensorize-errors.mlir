// RUN: dae-opt %s --split-input-file --verify-diagnostics --dae-tensorize --dae-allocate

func.func @noIntrinsic() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // expected-error @below {{computes trunc8(a0) on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i8):
    %t = arith.trunci %x : i32 to i8
    linalg.yield %t : i8
  }
  return
}

// -----

func.func @tooLarge() {
  // expected-error @below {{needs 4096 rows of inp, which has 2048 rows on machine default, some in use; choose smaller tiles}}
  %a = dae.alloc : memref<4096x16xi8, #dae.scope<inp>>
  return
}

// -----

func.func @noScope() {
  // expected-error @below {{expects a memref with a #dae.scope memory space, found 'memref<4x16xi8>'}}
  %a = dae.alloc : memref<4x16xi8>
  return
}

// -----

func.func @wrongScope() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %t = dae.tensor {base = 1 : i64, offset = 0 : i64} : memref<64xi8>
  // expected-error @below {{expects destination in scope inp or wgt or param or lut, found 'memref<4x16xi32, #dae.scope<acc>>'}}
  %l = dae.load %t -> %a {run = 64 : i64} : memref<64xi8> -> memref<4x16xi32, #dae.scope<acc>>
  return
}

// -----

func.func @badLoop() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  %t = dae.tensor {base = 1 : i64, offset = 0 : i64} : memref<64xi8>
  // expected-error @below {{expects loop counts from 1 to 65535, found #dae.loop<0 x (16, 1)>}}
  %l = dae.store %a -> %t {run = 16 : i64, loops = [#dae.loop<0 x (16, 1)>]} : memref<4x16xi8, #dae.scope<out>> -> memref<64xi8>
  return
}

// -----

func.func @elementsOfAnotherScope() {
  // expected-error @below {{expects elements that acc holds, found 'memref<4x16xf32, #dae.scope<acc>>'}}
  %a = dae.alloc : memref<4x16xf32, #dae.scope<acc>>
  return
}

// -----

func.func @noBytes() {
  // expected-error @below {{expects from 1 to 1099511627776 bytes, found 'memref<0x16xi8, #dae.scope<inp>>'}}
  %a = dae.alloc : memref<0x16xi8, #dae.scope<inp>>
  return
}

// -----

func.func @moreBytesThanFit() {
  // expected-error @below {{expects from 1 to 1099511627776 bytes, found}}
  %a = dae.alloc : memref<4294967296x4294967296x16xi8, #dae.scope<inp>>
  return
}

// -----

func.func @rowPastEverything() {
  // expected-error @below {{expects a row from 0 to 1099511627776, found 9223372036854775807}}
  %a = dae.alloc {row = 9223372036854775807 : i64} : memref<4x16xi8, #dae.scope<inp>>
  return
}

// -----

func.func @tokenOfNobody(%t: !dae.token) {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  %d = dae.tensor {base = 1 : i64, offset = 0 : i64} : memref<64xi8>
  // expected-error @below {{expects its tokens from instructions of its block}}
  %l = dae.store %a -> %d after(%t) {run = 16 : i64} : memref<4x16xi8, #dae.scope<out>> -> memref<64xi8>
  return
}

// -----

func.func @strideWithoutEnd() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  %d = dae.tensor {base = 1 : i64, offset = 0 : i64} : memref<64xi8>
  // expected-error @below {{expects strides from -1099511627776 to 1099511627776, found}}
  %l = dae.store %a -> %d {run = 16 : i64, loops = [#dae.loop<2 x (9223372036854775807, 1)>]} : memref<4x16xi8, #dae.scope<out>> -> memref<64xi8>
  return
}

// -----

// A value used twice stands twice in the expression: 2^60 times here.
func.func @expressionWithoutEnd() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi32, #dae.scope<acc>>) outs(%o : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %y: i32):
    %00 = arith.muli %x, %x : i32
    %01 = arith.muli %00, %00 : i32
    %02 = arith.muli %01, %01 : i32
    %03 = arith.muli %02, %02 : i32
    %04 = arith.muli %03, %03 : i32
    %05 = arith.muli %04, %04 : i32
    %06 = arith.muli %05, %05 : i32
    %07 = arith.muli %06, %06 : i32
    %08 = arith.muli %07, %07 : i32
    %09 = arith.muli %08, %08 : i32
    %10 = arith.muli %09, %09 : i32
    %11 = arith.muli %10, %10 : i32
    %12 = arith.muli %11, %11 : i32
    %13 = arith.muli %12, %12 : i32
    %14 = arith.muli %13, %13 : i32
    %15 = arith.muli %14, %14 : i32
    %16 = arith.muli %15, %15 : i32
    %17 = arith.muli %16, %16 : i32
    %18 = arith.muli %17, %17 : i32
    %19 = arith.muli %18, %18 : i32
    %20 = arith.muli %19, %19 : i32
    %21 = arith.muli %20, %20 : i32
    %22 = arith.muli %21, %21 : i32
    %23 = arith.muli %22, %22 : i32
    %24 = arith.muli %23, %23 : i32
    %25 = arith.muli %24, %24 : i32
    %26 = arith.muli %25, %25 : i32
    %27 = arith.muli %26, %26 : i32
    %28 = arith.muli %27, %27 : i32
    %29 = arith.muli %28, %28 : i32
    %30 = arith.muli %29, %29 : i32
    %31 = arith.muli %30, %30 : i32
    %32 = arith.muli %31, %31 : i32
    %33 = arith.muli %32, %32 : i32
    %34 = arith.muli %33, %33 : i32
    %35 = arith.muli %34, %34 : i32
    %36 = arith.muli %35, %35 : i32
    %37 = arith.muli %36, %36 : i32
    %38 = arith.muli %37, %37 : i32
    %39 = arith.muli %38, %38 : i32
    %40 = arith.muli %39, %39 : i32
    %41 = arith.muli %40, %40 : i32
    %42 = arith.muli %41, %41 : i32
    %43 = arith.muli %42, %42 : i32
    %44 = arith.muli %43, %43 : i32
    %45 = arith.muli %44, %44 : i32
    %46 = arith.muli %45, %45 : i32
    %47 = arith.muli %46, %46 : i32
    %48 = arith.muli %47, %47 : i32
    %49 = arith.muli %48, %48 : i32
    %50 = arith.muli %49, %49 : i32
    %51 = arith.muli %50, %50 : i32
    %52 = arith.muli %51, %51 : i32
    %53 = arith.muli %52, %52 : i32
    %54 = arith.muli %53, %53 : i32
    %55 = arith.muli %54, %54 : i32
    %56 = arith.muli %55, %55 : i32
    %57 = arith.muli %56, %56 : i32
    %58 = arith.muli %57, %57 : i32
    %59 = arith.muli %58, %58 : i32
    linalg.yield %59 : i32
  }
  return
}

// -----

func.func @blockOnTensors(%x: tensor<4x16xi8>, %y: tensor<4x16xi8>) -> tensor<4x16xi8> {
  // expected-error @below {{is no block on buffers with one output}}
  %z = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x16xi8>) outs(%y : tensor<4x16xi8>) {
  ^bb0(%a: i8, %b: i8):
    linalg.yield %a : i8
  } -> tensor<4x16xi8>
  return %z : tensor<4x16xi8>
}

// -----

func.func @blockOnAnArgument(%o: memref<4x16xi8, strided<[1, 4]>, #dae.scope<out>>) {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  // expected-error @below {{has an operand that is neither a dae.alloc nor a dae.window}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%o : memref<4x16xi8, strided<[1, 4]>, #dae.scope<out>>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  }
  return
}

// -----

func.func @moreInstructionsThanAnybodyWants() {
  %a = dae.alloc : memref<2x70000x2x70000x1x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<70000x2x70000x2x1x16xi8, #dae.scope<out>>
  // expected-error @below {{takes more than 65536 instructions; choose smaller tiles}}
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e, f) -> (b, a, d, c, e, f)>, affine_map<(a, b, c, d, e, f) -> (a, b, c, d, e, f)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%a : memref<2x70000x2x70000x1x16xi8, #dae.scope<inp>>) outs(%o : memref<70000x2x70000x2x1x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  }
  return
}

// -----

func.func @stepsThatDiffer() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %o = dae.alloc : memref<7x16xi8, #dae.scope<out>>
  // expected-error @below {{has an indexing map that is not a sum of multiples of loops}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 floordiv 2, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%o : memref<7x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  }
  return
}

// -----

// Lines of an even number of rows lie in the same memories.
func.func @evenLine() {
  %i = dae.alloc : memref<4x8x16xi8, #dae.scope<inp>>
  %w = dae.alloc : memref<1x16x16xi8, #dae.scope<wgt>>
  %a = dae.alloc : memref<3x7x16xi32, #dae.scope<acc>>
  %k = dae.window : memref<2x2xi8>
  // expected-error @below {{on operands that no intrinsic of the accelerator matches}}
  linalg.generic {indexing_maps = [affine_map<(y, x, r, c, l) -> (y + r, x + 1 - c, l)>,
                                   affine_map<(y, x, r, c, l) -> (0, l, r * 8 + c)>,
                                   affine_map<(y, x, r, c, l) -> (r, c)>, affine_map<(y, x, r, c, l) -> (y, x, l)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]}
      ins(%i, %w, %k : memref<4x8x16xi8, #dae.scope<inp>>, memref<1x16x16xi8, #dae.scope<wgt>>, memref<2x2xi8>)
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
