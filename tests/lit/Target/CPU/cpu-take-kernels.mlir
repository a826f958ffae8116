// RUN: dae-opt %s --cpu-take-kernels | FileCheck %s

// A kernel of a CPU's step becomes a function of buffers in a module of its own, and a declaration stays where it was.
// Others stay as they are.
// CHECK: host.step @kernel
// CHECK: func.func private @kernel(tensor<4xf32>) -> tensor<4xf32>{{$}}
// CHECK: func.func private @other(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> {
// CHECK: module {
// CHECK-NEXT: func.func @kernel(%[[FROM:.*]]: memref<4xf32>, %[[TO:.*]]: memref<4xf32>) {
// CHECK-NEXT: %[[X:.*]] = bufferization.to_tensor %[[FROM]] restrict : memref<4xf32>
// CHECK: %[[Y:.*]] = linalg.exp ins(%[[X]] : tensor<4xf32>)
// CHECK-NEXT: bufferization.materialize_in_destination %[[Y]] in writable %[[TO]]
// CHECK-NEXT: return
// CHECK-NOT: @other
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = host.step @kernel(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<4xf32>) -> tensor<4xf32>
  %z = host.step @other(%y) {layers = array<i64: 0>, target = "npu"} : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func private @kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
