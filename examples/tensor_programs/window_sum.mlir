// The sum of each 3 x 2 window, divided by eight.
func.func @main(%x: tensor<1x9x8x16xi8>) -> tensor<1x7x7x16xi8> {
  %window = tensor.empty() : tensor<3x2xi8>
  %start = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x7x7x16xi32>
  %zeros = linalg.fill ins(%start : i32) outs(%empty : tensor<1x7x7x16xi32>) -> tensor<1x7x7x16xi32>
  %sums = linalg.pooling_nhwc_sum {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x9x8x16xi8>, tensor<3x2xi8>) outs(%zeros : tensor<1x7x7x16xi32>) -> tensor<1x7x7x16xi32>
  %bias = arith.constant 0 : i32
  %multiplier = arith.constant 1073741824 : i32
  %shift = arith.constant 33 : i8
  %bytes = tensor.empty() : tensor<1x7x7x16xi8>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x7x7x16xi32>) outs(%bytes : tensor<1x7x7x16xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %scaled = qnn.requantize %sum, %bias, %multiplier, %shift {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : i8,
        rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %scaled : i8
  } -> tensor<1x7x7x16xi8>
  return %y : tensor<1x7x7x16xi8>
}
