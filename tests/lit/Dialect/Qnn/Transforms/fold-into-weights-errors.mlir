// RUN: dae-opt %s --split-input-file --verify-diagnostics --qnn-fold-into-weights

!x = !quant.uniform<i8:f32, 1.0e-5>
!w = !quant.uniform<i8:f32, 1.0e-5>
func.func @main(%bytes: tensor<1x1x2x2xi8>) -> tensor<1x1x2x2xi8> {
  %q = "quant.scast"(%bytes) : (tensor<1x1x2x2xi8>) -> tensor<1x1x2x2x!x>
  %x = "quant.dcast"(%q) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xf32>
  %wq = "tosa.const"() <{value = dense<1> : tensor<1x1x1x1xi8>}> : () -> tensor<1x1x1x1x!w>
  %w = "quant.dcast"(%wq) : (tensor<1x1x1x1x!w>) -> tensor<1x1x1x1xf32>
  // expected-error @below {{bias of output channel 0 is 1.000000e+12 in units of the input's and weights' scale; expected it to fit 32 bits}}
  %y = qnn.conv %x by %w : (tensor<1x1x2x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2x2xf32>
  %p = "tosa.const"() <{value = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %b = "tosa.const"() <{value = dense<100.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %m = "tosa.const"() <{value = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %n = qnn.batch_norm %y by %p, %b, %m, %p {epsilon = 0.0 : f32}
      : (tensor<1x1x2x2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x2x2xf32>
  %r = "quant.qcast"(%n) : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x2x!x>
  %s = "quant.scast"(%r) : (tensor<1x1x2x2x!x>) -> tensor<1x1x2x2xi8>
  return %s : tensor<1x1x2x2xi8>
}
