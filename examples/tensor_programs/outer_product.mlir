// Each element of a column times each of a row.
func.func @main(%a: tensor<12xi8>, %b: tensor<20xi8>) -> tensor<12x20xi32> {
  %e = tensor.empty() : tensor<12x20xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<12xi8>, tensor<20xi8>) outs(%e : tensor<12x20xi32>) {
  ^bb0(%p: i8, %q: i8, %old: i32):
    %wp = arith.extsi %p : i8 to i32
    %wq = arith.extsi %q : i8 to i32
    %r = arith.muli %wp, %wq : i32
    linalg.yield %r : i32
  } -> tensor<12x20xi32>
  return %y : tensor<12x20xi32>
}
