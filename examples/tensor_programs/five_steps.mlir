// 5 x - y + 3, clamped, in five operations with int32 in between: one kernel.
#same = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<16x40xi8>, %y: tensor<16x40xi8>) -> tensor<16x40xi8> {
  %c5 = arith.constant 5 : i32
  %c3 = arith.constant 3 : i32
  %low = arith.constant -128 : i32
  %high = arith.constant 100 : i32
  %ewide = tensor.empty() : tensor<16x40xi32>
  %wide = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x40xi8>) outs(%ewide : tensor<16x40xi32>) {
  ^bb0(%a: i8, %old: i32):
    %r = arith.extsi %a : i8 to i32
    linalg.yield %r : i32
  } -> tensor<16x40xi32>
  %efive = tensor.empty() : tensor<16x40xi32>
  %five = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%wide : tensor<16x40xi32>) outs(%efive : tensor<16x40xi32>) {
  ^bb0(%a: i32, %old: i32):
    %r = arith.muli %a, %c5 : i32
    linalg.yield %r : i32
  } -> tensor<16x40xi32>
  %eless = tensor.empty() : tensor<16x40xi32>
  %less = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%five, %y : tensor<16x40xi32>, tensor<16x40xi8>) outs(%eless : tensor<16x40xi32>) {
  ^bb0(%a: i32, %b: i8, %old: i32):
    %w = arith.extsi %b : i8 to i32
    %r = arith.subi %a, %w : i32
    linalg.yield %r : i32
  } -> tensor<16x40xi32>
  %emore = tensor.empty() : tensor<16x40xi32>
  %more = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%less : tensor<16x40xi32>) outs(%emore : tensor<16x40xi32>) {
  ^bb0(%a: i32, %old: i32):
    %r = arith.addi %a, %c3 : i32
    linalg.yield %r : i32
  } -> tensor<16x40xi32>
  %eresult = tensor.empty() : tensor<16x40xi8>
  %result = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%more : tensor<16x40xi32>) outs(%eresult : tensor<16x40xi8>) {
  ^bb0(%a: i32, %old: i8):
    %p = arith.minsi %a, %high : i32
    %q = arith.maxsi %p, %low : i32
    %r = arith.trunci %q : i32 to i8
    linalg.yield %r : i8
  } -> tensor<16x40xi8>
  return %result : tensor<16x40xi8>
}
