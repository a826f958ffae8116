// A B, both inputs: B lies across the reduction, and the accelerator reads both inputs along it.
func.func @main(%a: tensor<24x32xi8>, %b: tensor<32x20xi8>) -> tensor<24x20xi32> {
  %start = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<24x20xi32>
  %zeros = linalg.fill ins(%start : i32) outs(%empty : tensor<24x20xi32>) -> tensor<24x20xi32>
  %sums = linalg.matmul ins(%a, %b : tensor<24x32xi8>, tensor<32x20xi8>)
                        outs(%zeros : tensor<24x20xi32>) -> tensor<24x20xi32>
  return %sums : tensor<24x20xi32>
}
