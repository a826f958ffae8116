// The maximum along the first axis, lane by lane.
func.func @main(%x: tensor<40x48xi8>) -> tensor<48xi8> {
  %start = arith.constant -128 : i8
  %empty = tensor.empty() : tensor<48xi8>
  %zeros = linalg.fill ins(%start : i8) outs(%empty : tensor<48xi8>) -> tensor<48xi8>
  %y = linalg.reduce {arith.maxsi} ins(%x : tensor<40x48xi8>) outs(%zeros : tensor<48xi8>) dimensions = [0]
  return %y : tensor<48xi8>
}
