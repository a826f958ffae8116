// RUN: dae-opt %s --cpu-bufferize | FileCheck %s
// RUN: dae-opt %s --cpu-bufferize=threads=false | FileCheck %s --check-prefix=ALONE

// Tensors become the buffers of arguments and memory that is allocated, and a constant becomes a global. The product
// stays an operation, with the fill of its sums; a comparison, whose single bits are not stored in vectors, becomes loops.
// CHECK: memref.global "private" constant @[[W:[_a-z0-9]+]] : memref<2x3xf32> = dense<2.000000e+00>
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x2xf32>, %[[Y:[a-z0-9]+]]: memref<4x3xi1>)
// CHECK-NOT: tensor<
// CHECK: %[[WEIGHTS:.*]] = memref.get_global @[[W]]
// CHECK: %[[SUMS:.*]] = memref.alloc() {{.*}}: memref<4x3xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[SUMS]] : memref<4x3xf32>)
// CHECK: linalg.matmul ins(%[[X]], %[[WEIGHTS]] : memref<4x2xf32>, memref<2x3xf32>) outs(%[[SUMS]] : memref<4x3xf32>)
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[V:.*]] = memref.load %[[SUMS]]
// CHECK: %[[R:.*]] = arith.cmpf olt, %[[V]], %{{.*}} : f32
// CHECK: memref.store %[[R]], %[[Y]]
#same = affine_map<(i, j) -> (i, j)>
func.func @kernel(%from: memref<4x2xf32>, %to: memref<4x3xi1>) {
  %w = arith.constant dense<2.0> : tensor<2x3xf32>
  %zero = arith.constant 0.0 : f32
  %x = bufferization.to_tensor %from restrict : memref<4x2xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x2xf32>, tensor<2x3xf32>) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
  %out = bufferization.to_tensor %to restrict writable : memref<4x3xi1>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x3xf32>) outs(%out : tensor<4x3xi1>) {
  ^bb0(%a: f32, %o: i1):
    %r = arith.cmpf olt, %a, %zero : f32
    linalg.yield %r : i1
  } -> tensor<4x3xi1>
  bufferization.materialize_in_destination %y in writable %to : (tensor<4x3xi1>, memref<4x3xi1>) -> ()
  return
}

// A loop that threads can share is kept, or becomes an ordinary one.
// CHECK-LABEL: func.func @shared
// CHECK: scf.forall
// ALONE-LABEL: func.func @shared
// ALONE-NOT: scf.forall
// ALONE: scf.for
func.func @shared(%x: memref<64xf32>) {
  %one = arith.constant 1.0 : f32
  scf.forall (%i) in (64) {
    memref.store %one, %x[%i] : memref<64xf32>
  }
  return
}
