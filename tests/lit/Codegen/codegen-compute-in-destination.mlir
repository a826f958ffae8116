// RUN: dae-opt %s --codegen-compute-in-destination | FileCheck %s

// The sums are computed into the kernel's last argument, in the shape they have in front of the reshape, and not into
// memory of their own.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: %[[TO:[a-z0-9]+]]: memref<2x2xf32>)
// CHECK-NOT: tensor.empty
// CHECK: %[[PLACE:.*]] = memref.collapse_shape %[[TO]] {{\[\[}}0, 1]] : memref<2x2xf32> into memref<4xf32>
// CHECK-NEXT: %[[OUT:.*]] = bufferization.to_tensor %[[PLACE]] restrict writable
// CHECK-NEXT: %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[OUT]] : tensor<4xf32>)
// CHECK: linalg.reduce {{.*}} outs(%[[F]] : tensor<4xf32>)
// CHECK: bufferization.materialize_in_destination {{.*}} in writable %[[TO]]
func.func @sums(%from: memref<4x5xf32>, %to: memref<2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %from restrict : memref<4x5xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %sums = linalg.reduce {arith.addf} ins(%x : tensor<4x5xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %y = tensor.expand_shape %sums [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  bufferization.materialize_in_destination %y in writable %to : (tensor<2x2xf32>, memref<2x2xf32>) -> ()
  return
}
