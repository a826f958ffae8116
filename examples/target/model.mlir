// Sums, a maximum and a minimum of two tensors, which the lanes machine takes, and a division, which it does not.
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<48x50xi8>, %y: tensor<48x50xi8>) -> tensor<48x50xi8> {
  %e = tensor.empty() : tensor<48x50xi8>
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %three = arith.constant 3 : i8
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<48x50xi8>, tensor<48x50xi8>) outs(%e : tensor<48x50xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %s = arith.addi %p, %q : i32
    %t = arith.maxsi %s, %lo : i32
    %u = arith.minsi %t, %hi : i32
    %v = arith.trunci %u : i32 to i8
    linalg.yield %v : i8
  } -> tensor<48x50xi8>
  %max = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %y : tensor<48x50xi8>, tensor<48x50xi8>) outs(%e : tensor<48x50xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %v = arith.maxsi %a, %b : i8
    linalg.yield %v : i8
  } -> tensor<48x50xi8>
  %third = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%max : tensor<48x50xi8>) outs(%e : tensor<48x50xi8>) {
  ^bb0(%a: i8, %o: i8):
    %v = arith.divsi %a, %three : i8
    linalg.yield %v : i8
  } -> tensor<48x50xi8>
  %min = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%third, %x : tensor<48x50xi8>, tensor<48x50xi8>) outs(%e : tensor<48x50xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %v = arith.minsi %a, %b : i8
    linalg.yield %v : i8
  } -> tensor<48x50xi8>
  return %min : tensor<48x50xi8>
}
