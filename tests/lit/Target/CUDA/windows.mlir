// RUN: dae-opt %s --cuda-form-launches | FileCheck %s

// A block fetches what its windows lie in, in chunks where lines have such, and reads its windows from there.
// CHECK: cuda.window f32 [1024] over [32] by shared tile [256]
// CHECK-NEXT: cuda.window i8 [6, 6] over [3, 2] by shared tile [4, 6]
// CHECK-NEXT: cuda.window f32 [1000] over [32] by threads
// CHECK: gpu.launch_func @device::@sums$0 blocks in (%c4{{.*}} threads in (%c256
// CHECK: gpu.func @sums$0{{.*}} workgroup(%[[SHARED:.*]] : memref<1152xi8, #gpu.address_space<workgroup>>
// CHECK: %[[PART:.*]] = memref.view %[[SHARED]]{{.*}} to memref<1x288xf32
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[PART]]{{.*}}, 4 {bypassL1}
// CHECK: nvgpu.device_async_wait
// CHECK: gpu.barrier
// CHECK: memref.load %[[PART]]
// CHECK: gpu.func @strided$1{{.*}} workgroup(
// CHECK-NOT: nvgpu
// CHECK: gpu.barrier
// CHECK: gpu.func @others$2
// CHECK-NOT: workgroup
cuda.schedule format 1 {
  cuda.window f32 [1024] over [32] by shared tile [256]
  cuda.window i8 [6, 6] over [3, 2] by shared tile [4, 6]
}
#x = affine_map<(i, k) -> (i + k)>
#w = affine_map<(i, k) -> (k)>
#y = affine_map<(i, k) -> (i)>
func.func @sums(%x: memref<1056xf32>, %w: memref<32xf32>, %y: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "reduction"]} ins(%x, %w : memref<1056xf32>, memref<32xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  }
  return
}
#image = affine_map<(i, j, p, q) -> (i * 2 + p, j + q * 2)>
#window = affine_map<(i, j, p, q) -> (p, q)>
#result = affine_map<(i, j, p, q) -> (i, j)>
func.func @strided(%x: memref<13x9xi8>, %w: memref<3x2xi8>, %y: memref<6x6xi8>) {
  linalg.generic {indexing_maps = [#image, #window, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : memref<13x9xi8>, memref<3x2xi8>) outs(%y : memref<6x6xi8>) {
  ^bb0(%a: i8, %b: i8, %s: i8):
    %t = arith.maxsi %s, %a : i8
    linalg.yield %t : i8
  }
  return
}
func.func @others(%x: memref<1031xf32>, %w: memref<32xf32>, %y: memref<1000xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "reduction"]} ins(%x, %w : memref<1031xf32>, memref<32xf32>) outs(%y : memref<1000xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  }
  return
}
