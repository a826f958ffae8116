// Each of 40 channels times a scale of its own, plus an offset of its own.
#same = affine_map<(y, x, c) -> (y, x, c)>
#channel = affine_map<(y, x, c) -> (c)>
func.func @main(%image: tensor<6x7x40xi8>) -> tensor<6x7x40xi8> {
  %scales = arith.constant dense<[
      -1, 1, -5, 4, 7, -4, -6, -6, -8, 4, 1, -7, -1, 3, 0, -3, -5, 0, -2, -8, 0, 0, -2, -3, 1, 1, 3, -6,
      2, 4, -1, -3, -1, 7, 0, -6, 1, -8, 1, 1]> : tensor<40xi8>
  %offsets = arith.constant dense<[
      -2, 5, 5, 1, 5, 6, -3, -1, 1, 0, -7, -6, -7, 6, 0, 7, 2, -4, -2, -6, 5, -2, 6, 0, -3, 3, 5, 2, -2,
      2, -5, -7, -1, 0, -1, -5, 2, -3, 1, 6]> : tensor<40xi32>
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %e = tensor.empty() : tensor<6x7x40xi8>
  %r = linalg.generic {indexing_maps = [#same, #channel, #channel, #same],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%image, %scales, %offsets : tensor<6x7x40xi8>, tensor<40xi8>, tensor<40xi32>)
      outs(%e : tensor<6x7x40xi8>) {
  ^bb0(%x: i8, %scale: i8, %offset: i32, %old: i8):
    %wide = arith.extsi %x : i8 to i32
    %factor = arith.extsi %scale : i8 to i32
    %product = arith.muli %wide, %factor : i32
    %sum = arith.addi %product, %offset : i32
    %low = arith.maxsi %sum, %least : i32
    %cut = arith.minsi %low, %most : i32
    %byte = arith.trunci %cut : i32 to i8
    linalg.yield %byte : i8
  } -> tensor<6x7x40xi8>
  return %r : tensor<6x7x40xi8>
}
