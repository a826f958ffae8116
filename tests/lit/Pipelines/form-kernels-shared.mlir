// RUN: dae-opt %s --form-kernels | FileCheck %s

// What two kernels read through a view is a kernel of its own: the second reduces, and may not take the product.
// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = call @[[PRODUCT:[a-zA-Z0-9_]*]](%arg0, %arg1) : (tensor<4x8xi8>, tensor<8x6xi8>) -> tensor<4x6xi32>
// CHECK: %[[Y:.*]] = call @{{.*}}(%[[X]]) : (tensor<4x6xi32>) -> tensor<24xi8>
// CHECK: %[[Z:.*]] = call @{{.*}}(%[[X]]) : (tensor<4x6xi32>) -> tensor<8xi8>
// CHECK: return %[[Y]], %[[Z]]
#at = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>) -> (tensor<24xi8>, tensor<8xi8>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  %x = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x6xi8>) outs(%f : tensor<4x6xi32>) -> tensor<4x6xi32>
  %view = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xi32> into tensor<24xi32>
  %rows = tensor.expand_shape %view [[0, 1]] output_shape [8, 3] : tensor<24xi32> into tensor<8x3xi32>
  %yEmpty = tensor.empty() : tensor<24xi8>
  %y = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%view : tensor<24xi32>) outs(%yEmpty : tensor<24xi8>) {
  ^bb0(%p: i32, %o: i8):
    %t = arith.trunci %p : i32 to i8
    linalg.yield %t : i8
  } -> tensor<24xi8>
  %sumEmpty = tensor.empty() : tensor<8xi32>
  %sumZero = linalg.fill ins(%zero : i32) outs(%sumEmpty : tensor<8xi32>) -> tensor<8xi32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%rows : tensor<8x3xi32>) outs(%sumZero : tensor<8xi32>) {
  ^bb0(%p: i32, %s: i32):
    %t = arith.addi %p, %s : i32
    linalg.yield %t : i32
  } -> tensor<8xi32>
  %zEmpty = tensor.empty() : tensor<8xi8>
  %z = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel"]}
      ins(%sum : tensor<8xi32>) outs(%zEmpty : tensor<8xi8>) {
  ^bb0(%p: i32, %o: i8):
    %t = arith.trunci %p : i32 to i8
    linalg.yield %t : i8
  } -> tensor<8xi8>
  return %y, %z : tensor<24xi8>, tensor<8xi8>
}
