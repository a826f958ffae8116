// RUN: dae-opt %s --codegen-expand-pads | FileCheck %s

// What lies around the tensor is filled; the tensor is put between.
// CHECK-LABEL: func.func @padded
// CHECK-NOT: tensor.pad
// CHECK: linalg.fill
// CHECK: tensor.insert_slice
func.func @padded(%x: tensor<4x4xi8>) -> tensor<6x6xi8> {
  %c = arith.constant 7 : i8
  %y = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i8
  } : tensor<4x4xi8> to tensor<6x6xi8>
  return %y : tensor<6x6xi8>
}
