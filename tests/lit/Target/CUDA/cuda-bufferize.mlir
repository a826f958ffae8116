// RUN: dae-opt %s --cuda-bufferize | FileCheck %s

// What lies between is allocated once, in front of the loop that needs it, and constants become globals.
// CHECK: memref.global "private" constant @[[W:[_a-z0-9]+]] : memref<4xf32>
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<4xf32>)
// CHECK: %[[SQUARES:.*]] = memref.alloc() {{.*}}: memref<4xf32>
// CHECK: memref.get_global @[[W]]
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: linalg.mul ins({{.*}}) outs(%[[SQUARES]] : memref<4xf32>)
// CHECK: linalg.add ins({{.*}}) outs(%[[Y]] : memref<4xf32>)
func.func @kernel(%from: memref<4xf32>, %to: memref<4xf32>) {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %x = bufferization.to_tensor %from restrict : memref<4xf32>
  %out = bufferization.to_tensor %to restrict writable : memref<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %first = linalg.copy ins(%w : tensor<4xf32>) outs(%out : tensor<4xf32>) -> tensor<4xf32>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %first) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %square = linalg.mul ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %next = linalg.add ins(%before, %square : tensor<4xf32>, tensor<4xf32>) outs(%before : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  bufferization.materialize_in_destination %sum in restrict writable %to : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
