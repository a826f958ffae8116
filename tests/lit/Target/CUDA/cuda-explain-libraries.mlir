// RUN: dae-opt %s --cuda-explain-libraries=libraries=cublas | FileCheck %s
// RUN: dae-opt %s --cuda-explain-libraries=libraries=cublas:matmul_i8 | FileCheck %s --check-prefix=NONE
// RUN: dae-opt %s --cuda-explain-libraries | FileCheck %s --check-prefix=NONE

// Each layer with a call says so; kernels stay as they are.
// CHECK: host.package @main {{.*}}node = "a", target = "cuda", reason = "asked for; calls cublas.matmul", macs = 24>{{.*}}node = "b", target = "cuda", reason = "asked for", macs = 0>{{.*}}node = "c", target = "cuda", reason = "asked for; calls cublas.matmul", macs = 24>
// CHECK: linalg.matmul
// CHECK-NOT: gpu.
// NONE: node = "a", target = "cuda", reason = "asked for", macs = 24>{{.*}}node = "c", target = "cuda", reason = "asked for", macs = 24>
host.package @main {inputs = [#host.value<name = "x", dtype = "float32">, #host.value<name = "y", dtype = "float32">], layers = [#host.layer<node = "a", target = "cuda", reason = "asked for", macs = 24>, #host.layer<node = "b", target = "cuda", reason = "asked for", macs = 0>, #host.layer<node = "c", target = "cuda", reason = "asked for", macs = 24>], outputs = [#host.value<name = "z", dtype = "float32">]}
func.func @main(%x: tensor<4x2xf32>, %y: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %a = host.step @product(%x, %y) {layers = array<i64: 0>, target = "cuda"} : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %b = host.step @exponential(%y) {layers = array<i64: 1>, target = "cuda"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = host.step @product(%x, %b) {layers = array<i64: 2>, target = "cuda"} : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %c : tensor<4x4xf32>
}
func.func private @product(%x: tensor<4x2xf32>, %y: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z = linalg.matmul ins(%x, %y : tensor<4x2xf32>, tensor<2x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}
func.func private @exponential(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %y = linalg.exp ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
