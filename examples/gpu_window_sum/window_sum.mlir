// Sums of 32 numbers each, at every place of a vector.
#x = affine_map<(i, k) -> (i + k)>
#w = affine_map<(i, k) -> (k)>
#y = affine_map<(i, k) -> (i)>
func.func @main(%x: tensor<1048608xf32>) -> tensor<1048576xf32> {
  %zero = arith.constant 0.0 : f32
  %window = tensor.empty() : tensor<32xf32>
  %empty = tensor.empty() : tensor<1048576xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1048576xf32>) -> tensor<1048576xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "reduction"]}
      ins(%x, %window : tensor<1048608xf32>, tensor<32xf32>) outs(%fill : tensor<1048576xf32>) {
  ^bb0(%number: f32, %unused: f32, %sum: f32):
    %next = arith.addf %sum, %number : f32
    linalg.yield %next : f32
  } -> tensor<1048576xf32>
  return %y : tensor<1048576xf32>
}
