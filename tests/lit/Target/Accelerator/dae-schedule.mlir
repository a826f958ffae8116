// RUN: sed '/^dae.plan/,/^}/d' %s | dae-opt --dae-schedule | FileCheck %s --check-prefix=PLANNED
// RUN: dae-opt %s --dae-schedule | FileCheck %s --check-prefix=OBEYED
// RUN: dae-opt %s --dae-schedule | dae-opt --dae-blockize | FileCheck %s --check-prefix=BLOCKS
// RUN: dae-opt %s --dae-blockize | FileCheck %s --check-prefix=BLOCKS
// RUN: dae-opt %s --dae-blockize --dae-tensorize | FileCheck %s --check-prefix=OPS
// RUN: dae-opt %s --dae-blockize --dae-tensorize --dae-allocate --dae-tokens --dae-masks | FileCheck %s --check-prefix=STREAM

func.func @main(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x20xi8> {
  %y = call @conv(%x) : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x20xi8>
  return %y : tensor<1x8x8x20xi8>
}

// PLANNED: dae.plan format 1 machine "default" core "{{[0-9a-f]+}}" {
// PLANNED-NEXT: dae.kernel @conv "[[FINGERPRINT:[0-9a-f]+]]" { dae.tile rows {{[0-9]+}} columns {{[0-9]+}} channels {{[0-9]+}} window 3 x 3 lanes 1{{.*}}}
// OBEYED: dae.kernel @conv "{{[0-9a-f]+}}" { dae.tile rows 4 columns 8 channels 2 window 3 x 3 lanes 1 }
dae.plan format 1 {
  dae.kernel @conv { dae.tile rows 4 columns 8 channels 2 window 3 x 3 lanes 1 }
}

func.func private @conv(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x20xi8> {
  %zp = arith.constant 3 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zp : i8
  } : tensor<1x8x8x16xi8> to tensor<1x10x10x16xi8>
  %w = arith.constant dense<1> : tensor<20x3x3x16xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x8x8x20xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<1x8x8x20xi32>) -> tensor<1x8x8x20xi32>
  %acc = linalg.conv_2d_nhwc_fhwc {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
      ins(%padded, %w : tensor<1x10x10x16xi8>, tensor<20x3x3x16xi8>) outs(%init : tensor<1x8x8x20xi32>) -> tensor<1x8x8x20xi32>
  %bias = arith.constant dense<5> : tensor<20xi32>
  %mult = arith.constant dense<1073741824> : tensor<20xi32>
  %shift = arith.constant dense<36> : tensor<20xi8>
  %o = tensor.empty() : tensor<1x8x8x20xi8>
  %q = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (d)>,
        affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%acc, %bias, %mult, %shift : tensor<1x8x8x20xi32>, tensor<20xi32>, tensor<20xi32>, tensor<20xi8>)
      outs(%o : tensor<1x8x8x20xi8>) {
  ^bb0(%v: i32, %b: i32, %m: i32, %s: i8, %out: i8):
    %r = qnn.requantize %v, %b, %m, %s {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %r : i8
  } -> tensor<1x8x8x20xi8>
  return %q : tensor<1x8x8x20xi8>
}

// Two tiles of four rows. Padding is folded into origin, extent and fill of the loads; weights and parameters
// are loaded once.
// BLOCKS-LABEL: func.func @stream
// BLOCKS: %[[X:.*]] = dae.tensor {base = 1 : i64, {{.*}} : memref<1x8x8x16xi8>
// BLOCKS: %[[W:.*]] = dae.tensor {base = 0 : i64, offset = 0 : i64} : memref<18x16x16xi8>
// BLOCKS: %[[WGT:.*]] = dae.alloc : memref<2x3x3x1x16x16xi8, #dae.scope<wgt>>
// BLOCKS: dae.load %[[W]] -> %[[WGT]] {run = 4608 : i64}
// BLOCKS: %[[PARAM:.*]] = dae.alloc : memref<1x16xi128, #dae.scope<param>>
// BLOCKS: %[[INP:.*]] = dae.alloc : memref<6x10x1x16xi8, #dae.scope<inp>>
// BLOCKS: dae.load %[[X]] -> %[[INP]] {extent = array<i64: 5, 128>, fill = 3 : i64, loops = [#dae.loop<6 x (128, 160)>, #dae.loop<1 x (16, 16)>], offset = -144 : i64, origin = array<i64: -1, -16>, run = 160 : i64}
// BLOCKS: %[[ACC:.*]] = dae.alloc : memref<4x8x2x16xi32, #dae.scope<acc>>
// BLOCKS: linalg.fill ins(%{{.*}} : i32) outs(%[[ACC]] :
// BLOCKS: linalg.generic {{.*}} ins(%[[INP]], %[[WGT]] :{{.*}} outs(%[[ACC]] :
// BLOCKS: %[[OUT:.*]] = dae.alloc : memref<4x8x2x16xi8, #dae.scope<out>>
// BLOCKS: linalg.generic {{.*}} ins(%[[ACC]], %[[PARAM]] :{{.*}} outs(%[[OUT]] :
// BLOCKS: dae.store %[[OUT]]
// BLOCKS-NOT: #dae.scope<wgt>>
// BLOCKS: dae.load %[[X]]
// BLOCKS: dae.store

// OPS-LABEL: func.func @stream
// OPS-NOT: linalg.
// OPS: dae.gemm {{.*}} {loops = [#dae.loop<4 x (10, 0, 16)>, #dae.loop<8 x (1, 0, 2)>, #dae.loop<2 x (0, 9, 1)>, #dae.loop<reduce 3 x (10, 3, 0)>, #dae.loop<reduce 3 x (1, 1, 0)>]}
// OPS: dae.vector <requant> {{.*}} {loops = [#dae.loop<64 x (1, 1, 0)>], rounding = #qnn.rounding<half_even>, zero_point = 3 : i64}
// OPS: dae.store {{.*}} {loops = [#dae.loop<4 x (160, 16)>, #dae.loop<8 x (20, 2)>], run = 20 : i64}

// Tiles alternate between the banks of ACC and go around INP and OUT; tokens become masks.
// STREAM-LABEL: func.func @stream
// STREAM: %[[LOAD:.*]] = dae.load {{.*}}signal = #dae.modules<gemm>{{.*}}#dae.scope<inp>>
// STREAM: dae.alloc {row = 0 : i64} : memref<4x8x2x16xi32, #dae.scope<acc>>
// STREAM: %[[GEMM:.*]] = dae.gemm {{.*}} after(%[[LOAD]]) {{.*}}signal = #dae.modules<vector>, wait = #dae.modules<load>
// STREAM: %[[VECTOR:.*]] = dae.vector {{.*}} after(%[[GEMM]]) {{.*}}signal = #dae.modules<store>, wait = #dae.modules<gemm>
// STREAM: dae.store {{.*}} after(%[[VECTOR]]) {{.*}}wait = #dae.modules<vector>
// STREAM: dae.alloc {row = 60 : i64} : memref<6x10x1x16xi8, #dae.scope<inp>>
// STREAM: dae.alloc {row = 512 : i64} : memref<4x8x2x16xi32, #dae.scope<acc>>
// STREAM: dae.alloc {row = 64 : i64} : memref<4x8x2x16xi8, #dae.scope<out>>
