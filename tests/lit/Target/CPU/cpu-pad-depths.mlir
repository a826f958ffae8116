// RUN: dae-opt %s --cpu-pad-depths | FileCheck %s

// One instruction adds up four products of bytes: a reduction of six becomes one of eight, with two columns of zeros in
// the other operand and two rows of zeros in the weights.
// CHECK-LABEL: func.func @bytes
// CHECK: %[[X:.*]] = tensor.pad %{{.*}} low[0, 0] high[0, 2]
// CHECK: } : tensor<4x6xi8> to tensor<4x8xi8>
// CHECK: %[[W:.*]] = arith.constant dense<{{\[\[}}1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12], [0, 0], [0, 0]]> : tensor<8x2xi8>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<4x8xi8>, tensor<8x2xi8>)
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @bytes(%x: tensor<4x6xi8>, %f: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %w = arith.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]]> : tensor<6x2xi8>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x6xi8>, tensor<6x2xi8>) outs(%f : tensor<4x2xi32>) {
  ^bb0(%in: i8, %v: i8, %o: i32):
    %u = arith.extsi %in : i8 to i32
    %z = arith.extsi %v : i8 to i32
    %p = arith.muli %u, %z : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<4x2xi32>
  return %y : tensor<4x2xi32>
}

// Of floats no instruction adds up several products: they stay as many as there are.
// CHECK-LABEL: func.func @floats
// CHECK-NOT: tensor.pad
func.func @floats(%x: tensor<4x6xf32>, %f: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<1.0> : tensor<6x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x6xf32>, tensor<6x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
