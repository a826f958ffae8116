// |x - y|, saturated: no instruction has it for two tensors.
#same = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<16x40xi8>, %y: tensor<16x40xi8>) -> tensor<16x40xi8> {
  %high = arith.constant 127 : i32
  %e = tensor.empty() : tensor<16x40xi8>
  %r = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<16x40xi8>, tensor<16x40xi8>) outs(%e : tensor<16x40xi8>) {
  ^bb0(%a: i8, %b: i8, %old: i8):
    %wa = arith.extsi %a : i8 to i32
    %wb = arith.extsi %b : i8 to i32
    %d = arith.subi %wa, %wb : i32
    %m = arith.subi %wb, %wa : i32
    %s = arith.maxsi %d, %m : i32
    %t = arith.minsi %s, %high : i32
    %u = arith.trunci %t : i32 to i8
    linalg.yield %u : i8
  } -> tensor<16x40xi8>
  return %r : tensor<16x40xi8>
}
