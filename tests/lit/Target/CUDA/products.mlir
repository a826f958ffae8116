// RUN: dae-opt %s --split-input-file --cuda-form-launches | FileCheck %s

// Blocks of 32 x 32 in two warps. Four stages in shared memory; at each step all threads wait until the oldest one is
// there, begin to copy the one after the next two, and add up by tensor cores. No register is spilled for more blocks.
// CHECK-LABEL: func.func @halves
// CHECK: gpu.launch_func @device::@halves$0 blocks in (%[[FOUR:.*]], %{{.*}}, %{{.*}}) threads in (%[[THREADS:.*]], %{{.*}}, %{{.*}})
// CHECK: gpu.func @halves$0({{.*}}) workgroup(%{{.*}} : memref<8192xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %{{.*}} : memref<8192xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.minctasm = 1 : i32}
// CHECK-COUNT-3: nvgpu.device_async_create_group
// CHECK: scf.for
// CHECK: nvgpu.device_async_wait %{{.*}} {numGroups = 2 : i32}
// CHECK: gpu.barrier
// CHECK: nvgpu.device_async_copy
// CHECK: nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = false}
// CHECK: nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = true}
// CHECK: nvgpu.mma.sync{{.*}} {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
cuda.schedule format 1 {
  cuda.product f16 [1, 64, 64, 128] by tensor_cores tile [32, 32, 32] warps [1, 2] stages 4
}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @halves(%a: memref<64x128xf16>, %b: memref<128x64xf16>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
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

// -----

// Sums of float32 are exact products: FMA, and no tensor cores.
// CHECK-LABEL: func.func @floats
// CHECK: gpu.func @floats$0
// CHECK-NOT: nvgpu.mma.sync
// CHECK: math.fma
func.func @floats(%a: memref<64x128xf32>, %b: memref<128x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x128xf32>, memref<128x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// A convolution of bytes: pixels are rows, and the requantization is computed of the sums in registers.
// CHECK-LABEL: func.func @bytes
// CHECK: gpu.launch_func @device::@bytes$0
// CHECK-NOT: gpu.launch_func
// CHECK: nvgpu.mma.sync{{.*}} {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
// CHECK: arith.maxsi
// CHECK: memref.store
#same = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @bytes(%image: memref<1x10x10x32xi8>, %weights: memref<32x3x3x32xi8>, %y: memref<1x8x8x32xi32>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<1x8x8x32xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<1x8x8x32xi32>)
  linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%image, %weights : memref<1x10x10x32xi8>, memref<32x3x3x32xi8>) outs(%sums : memref<1x8x8x32xi32>)
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums : memref<1x8x8x32xi32>) outs(%y : memref<1x8x8x32xi32>) {
  ^bb0(%s: i32, %out: i32):
    %positive = arith.maxsi %s, %zero : i32
    linalg.yield %positive : i32
  }
  return
}
