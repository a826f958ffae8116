// RUN: dae-opt %s --cuda-form-launches=architecture=sm_90a | FileCheck %s
// RUN: dae-opt %s --cuda-form-launches=architecture=sm_80 | FileCheck %s --check-prefix=OTHER
// RUN: not dae-opt %s --cuda-form-launches=architecture=sm_80,sm_90a 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not dae-opt %s --cuda-form-launches=architecture=sm_75 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Code for sm_90a obeys what is by warpgroups, other code what is not.
// CHECK: cuda.schedule format 1 {
// CHECK-NEXT: cuda.product f16 [1, 64, 64, 128] by warpgroups tile [64, 64, 64] warps [4, 1] stages 4
// CHECK-NEXT: }
// OTHER: cuda.schedule format 1 {
// OTHER-NEXT: cuda.product f16 [1, 64, 64, 128] by threads
// OTHER-NEXT: }
// SEVERAL: architecture 'sm_80,sm_90a' is not one; expected one
// UNKNOWN: has 'sm_75'; expected sm_80

// Shared memory beyond 48 KiB is asked for by the launch.
// CHECK: %[[BYTES:.*]] = arith.constant 65536 : i32
// CHECK: gpu.launch_func @device::@halves$0 blocks in {{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK: gpu.func @halves$0
// CHECK: gpu.dynamic_shared_memory
// In each step: what was copied is there for tensor cores, then all threads meet, then four products begin, and while
// tensor cores add them up, copies for another step.
// CHECK: scf.for {{.*}} -> (!llvm.struct<
// CHECK: nvgpu.device_async_wait
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: gpu.barrier
// CHECK: llvm.inline_asm has_side_effects
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>]
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvgpu.device_async_copy
// CHECK: nvgpu.device_async_create_group
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: llvm.inline_asm has_side_effects
// CHECK: scf.yield
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by threads
  cuda.product f16 [1, 64, 64, 128] by warpgroups tile [64, 64, 64] warps [4, 1] stages 4
}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
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
