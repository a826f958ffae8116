// RUN: not dae-opt %s --drop-empty-tensors 2>&1 | FileCheck %s

// CHECK: reads an element of a tensor of type 'tensor<0xf32>', which has none; expected a tensor with elements
func.func @main(%x: tensor<0xf32>) -> tensor<4xf32> {
  %y = tensor.generate {
  ^bb0(%i: index):
    %a = tensor.extract %x[%i] : tensor<0xf32>
    tensor.yield %a : f32
  } : tensor<4xf32>
  return %y : tensor<4xf32>
}
