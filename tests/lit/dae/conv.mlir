// RUN: dae-opt %s --dae-schedule | FileCheck %s --check-prefix=SCHEDULE
// RUN: dae-opt %s --dae-blockize | FileCheck %s --check-prefix=BLOCKS
// RUN: dae-opt %s --dae-blockize --dae-tensorize | FileCheck %s --check-prefix=OPS
// RUN: dae-opt %s --dae-blockize --dae-tensorize --dae-allocate --dae-tokens --dae-masks | FileCheck %s --check-prefix=STREAM

func.func @main(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x20xi8> {
  %y = call @conv(%x) : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x20xi8>
  return %y : tensor<1x8x8x20xi8>
}

// SCHEDULE: dae.schedule = #dae.schedule<oh = 8, ow = 8, oc = 2, kh = 3, kw = 3, ic = 1, fold = none, order = pixels>
func.func private @conv(%x: tensor<1x8x8x16xi8>) -> tensor<1x8x8x20xi8>
    attributes {daedalus.target = "accelerator"} {
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
    %r = dae.requant %v, %b, %m, %s {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #dae.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %r : i8
  } -> tensor<1x8x8x20xi8>
  return %q : tensor<1x8x8x20xi8>
}

// BLOCKS-LABEL: func.func @stream
// OPS-LABEL: func.func @stream
// STREAM-LABEL: func.func @stream
