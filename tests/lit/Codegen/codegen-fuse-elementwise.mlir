// RUN: dae-opt %s --codegen-fuse-elementwise | FileCheck %s

#id = affine_map<(d0) -> (d0)>
// One operation, in whose body both stand, and the constant too.
// CHECK-LABEL: func.func @joined
// CHECK: linalg.generic
// CHECK: arith.addi
// CHECK: arith.maxsi
// CHECK-NOT: linalg.generic
func.func @joined(%x: tensor<8xi8>) -> tensor<8xi8> {
  %five = arith.constant dense<5> : tensor<8xi8>
  %e = tensor.empty() : tensor<8xi8>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %five : tensor<8xi8>, tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %s = arith.addi %a, %b : i8
    linalg.yield %s : i8
  } -> tensor<8xi8>
  %max = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%sum, %x : tensor<8xi8>, tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %m = arith.maxsi %a, %b : i8
    linalg.yield %m : i8
  } -> tensor<8xi8>
  return %max : tensor<8xi8>
}
