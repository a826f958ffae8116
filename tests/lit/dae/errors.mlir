// RUN: dae-opt %s --split-input-file --verify-diagnostics --dae-tensorize --dae-allocate

func.func @noIntrinsic() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %o = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // expected-error @below {{computes trunc(%0) on operands that no intrinsic of the accelerator matches}}
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

func.func @requantBounds(%x: i32, %s: i8) -> i8 {
  // expected-error @below {{has lo 5 above hi -5}}
  %q = dae.requant %x, %x, %x, %s {zero_point = 0 : i8, lo = 5 : i8, hi = -5 : i8, rounding = #dae.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  return %q : i8
}
