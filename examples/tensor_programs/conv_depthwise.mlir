// Each channel by its own 3 x 3 weights.
func.func @main(%x: tensor<1x10x10x20xi8>) -> tensor<1x8x8x20xi8> {
  %w = arith.constant dense<"0x01FDFC05FD0402FB0009FC05F709FCFAF8FB040007FDF8F907070804FF0608050509F90901FA00FEF8FEFAFDFC0303FB09FE08FD0609FBFA030502F70606F8FE00FC0706F901F9FF0700FB08F801F9FB07FBFCF708F7F8F9080206F80708F9050509F7FF0205F902F9FCFC09F70903FD09FEFB06FA020706FA08FC0700FA00F9FA0901080509090005000705080509FB0009FFF900F80903FB060901FFFA090004FEFE030809F903FBFFF8FFFE01F9FF03FAFBFE"> : tensor<3x3x20xi8>
  %start = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x8x8x20xi32>
  %zeros = linalg.fill ins(%start : i32) outs(%empty : tensor<1x8x8x20xi32>) -> tensor<1x8x8x20xi32>
  %sums = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x10x10x20xi8>, tensor<3x3x20xi8>) outs(%zeros : tensor<1x8x8x20xi32>) -> tensor<1x8x8x20xi32>
  %bias = arith.constant 0 : i32
  %multiplier = arith.constant 1500000000 : i32
  %shift = arith.constant 34 : i8
  %bytes = tensor.empty() : tensor<1x8x8x20xi8>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x8x8x20xi32>) outs(%bytes : tensor<1x8x8x20xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %scaled = qnn.requantize %sum, %bias, %multiplier, %shift {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : i8,
        rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %scaled : i8
  } -> tensor<1x8x8x20xi8>
  return %y : tensor<1x8x8x20xi8>
}
