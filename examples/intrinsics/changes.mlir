// 1 where a pixel is brighter than the frame before, else 0.
#same = affine_map<(i, j) -> (i, j)>
func.func @main(%now: tensor<16x40xi8>, %before: tensor<16x40xi8>) -> tensor<16x40xi8> {
  %e = tensor.empty() : tensor<16x40xi8>
  %r = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%now, %before : tensor<16x40xi8>, tensor<16x40xi8>) outs(%e : tensor<16x40xi8>) {
  ^bb0(%x: i8, %y: i8, %old: i8):
    %brighter = arith.cmpi sgt, %x, %y : i8
    %one = arith.extui %brighter : i1 to i8
    linalg.yield %one : i8
  } -> tensor<16x40xi8>
  return %r : tensor<16x40xi8>
}
