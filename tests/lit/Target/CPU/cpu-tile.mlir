// RUN: dae-opt %s --cpu-tile | FileCheck %s

// The exponential is computed in tiles of some rows, which threads share. The product that it reads is computed in the
// same loop, a tile at a time, from slices of its operands.
// CHECK-LABEL: func.func @large
// CHECK: %[[Y:.*]] = scf.forall (%[[I:.*]]) = (0) to (512) step ([[ROWS:[0-9]+]]) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<512x64xf32>)
// CHECK: %[[PART:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0] {{\[}}[[ROWS]], 64] [1, 1]
// CHECK: %[[P:.*]] = linalg.matmul ins(%[[PART]], %{{.*}} : tensor<[[ROWS]]x64xf32>, tensor<64x64xf32>)
// CHECK: %[[E:.*]] = linalg.exp ins(%[[P]] : tensor<[[ROWS]]x64xf32>)
// CHECK: tensor.parallel_insert_slice %[[E]] into %[[OUT]][%[[I]], 0] {{\[}}[[ROWS]], 64] [1, 1]
// CHECK-NOT: linalg.exp
// CHECK: bufferization.materialize_in_destination %[[Y]]
func.func @large(%from: memref<512x64xf32>, %weights: memref<64x64xf32>, %to: memref<512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %from restrict : memref<512x64xf32>
  %w = bufferization.to_tensor %weights restrict : memref<64x64xf32>
  %e = tensor.empty() : tensor<512x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<512x64xf32>, tensor<64x64xf32>) outs(%f : tensor<512x64xf32>) -> tensor<512x64xf32>
  %out = bufferization.to_tensor %to restrict writable : memref<512x64xf32>
  %y = linalg.exp ins(%p : tensor<512x64xf32>) outs(%out : tensor<512x64xf32>) -> tensor<512x64xf32>
  bufferization.materialize_in_destination %y in writable %to : (tensor<512x64xf32>, memref<512x64xf32>) -> ()
  return
}

// Too little for several threads is one tile.
// CHECK-LABEL: func.func @small
// CHECK-NOT: scf.forall
// CHECK: linalg.exp ins(%{{.*}} : tensor<4x4xf32>)
func.func @small(%from: memref<4x4xf32>, %to: memref<4x4xf32>) {
  %x = bufferization.to_tensor %from restrict : memref<4x4xf32>
  %out = bufferization.to_tensor %to restrict writable : memref<4x4xf32>
  %y = linalg.exp ins(%x : tensor<4x4xf32>) outs(%out : tensor<4x4xf32>) -> tensor<4x4xf32>
  bufferization.materialize_in_destination %y in writable %to : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// What was decided is a schedule behind the kernels.
// CHECK: cpu.schedule format 1 {
// CHECK-NEXT: cpu.kernel "{{[0-9a-f]+}}" [@large] loops [512, 64] tile {{\[}}[[ROWS]], 64] threads
// CHECK-NEXT: cpu.kernel "{{[0-9a-f]+}}" [@small] loops [4, 4] tile [4, 4]{{$}}
