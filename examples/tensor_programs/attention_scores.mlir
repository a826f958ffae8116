// Q K^T of 3 heads, whose rows stand one head behind the other in both inputs, with a zero point on either side.
func.func @main(%queries: tensor<29x3x24xi8>, %keys: tensor<21x3x24xi8>) -> tensor<3x29x21xi32> {
  %start = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x29x21xi32>
  %zeros = linalg.fill ins(%start : i32) outs(%empty : tensor<3x29x21xi32>) -> tensor<3x29x21xi32>
  %scores = linalg.generic {
      indexing_maps = [affine_map<(head, row, column, depth) -> (row, head, depth)>,
                       affine_map<(head, row, column, depth) -> (column, head, depth)>,
                       affine_map<(head, row, column, depth) -> (head, row, column)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%queries, %keys : tensor<29x3x24xi8>, tensor<21x3x24xi8>) outs(%zeros : tensor<3x29x21xi32>) {
  ^bb0(%q: i8, %k: i8, %sum: i32):
    %zeroOfQueries = arith.constant 3 : i32
    %zeroOfKeys = arith.constant -128 : i32
    %wideQuery = arith.extsi %q : i8 to i32
    %wideKey = arith.extsi %k : i8 to i32
    %query = arith.subi %wideQuery, %zeroOfQueries : i32
    %key = arith.subi %wideKey, %zeroOfKeys : i32
    %product = arith.muli %query, %key : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<3x29x21xi32>
  return %scores : tensor<3x29x21xi32>
}
