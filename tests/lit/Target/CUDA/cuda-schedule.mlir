// RUN: dae-opt %s --cuda-form-launches | FileCheck %s

// What is given decides, and what was decided is left, of all products.
// CHECK: cuda.schedule format 1 {
// CHECK-NEXT: cuda.product f32 [1, 64, 64, 128] by threads
// CHECK-NEXT: cuda.product f16 [1, 64, 64, 128] by tensor_cores tile [64, 32, 16] warps [4, 1] stages 2
// CHECK-NEXT: cuda.product f32 [1, 32, 64, 128] by fma tile [32, 32, 16] stages 4
// CHECK-NEXT: }
// CHECK: gpu.func @floats$0
// CHECK-NOT: workgroup
// CHECK: gpu.func @halves$1({{.*}}) workgroup(%{{.*}} : memref<4096xi8, #gpu.address_space<workgroup>> {{.*}}, %{{.*}} : memref<2048xi8, #gpu.address_space<workgroup>>
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: gpu.func @others$2
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by tensor_cores tile [64, 32, 16] warps [4, 1] stages 2
  cuda.product f32 [1, 64, 64, 128] by threads
  cuda.product f32 [1, 1, 2, 3] by threads
}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @floats(%a: memref<64x128xf32>, %b: memref<128x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x128xf32>, memref<128x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
func.func @halves(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x128xf16>, memref<128x64xf16>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %p = arith.mulf %u, %v : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  return
}
func.func @others(%a: memref<32x128xf32>, %b: memref<128x64xf32>, %c: memref<32x64xf32>) {
  linalg.matmul ins(%a, %b : memref<32x128xf32>, memref<128x64xf32>) outs(%c : memref<32x64xf32>)
  return
}
