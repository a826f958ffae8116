// RUN: dae-opt %s --split-input-file --cuda-form-launches | FileCheck %s

// The product reads the image itself: nobody fills what lies around it, nobody copies it. Chunks of 16 channels are
// copied, or are zeros.
// CHECK-LABEL: func.func @zeros(
// CHECK-SAME: %[[IMAGE:.*]]: memref<1x8x8x32xi8>, %[[WEIGHTS:.*]]: memref<32x3x3x32xi8>, %[[Y:.*]]: memref<1x8x8x32xi32>)
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @device::@zeros$0 {{.*}} args(%[[IMAGE]] : memref<1x8x8x32xi8>, %[[WEIGHTS]] : memref<32x3x3x32xi8>, %[[Y]] : memref<1x8x8x32xi32>)
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @zeros$0
// CHECK-NOT: vector.store
// CHECK-NOT: gpu.func
func.func @zeros(%image: memref<1x8x8x32xi8>, %weights: memref<32x3x3x32xi8>, %y: memref<1x8x8x32xi32>) {
  %zero = arith.constant 0 : i32
  %value = arith.constant 0 : i8
  %padded = memref.alloc() : memref<1x10x10x32xi8>
  %above = memref.subview %padded[0, 0, 0, 0] [1, 1, 10, 32] [1, 1, 1, 1] : memref<1x10x10x32xi8> to memref<1x1x10x32xi8, strided<[3200, 320, 32, 1]>>
  linalg.fill ins(%value : i8) outs(%above : memref<1x1x10x32xi8, strided<[3200, 320, 32, 1]>>)
  %below = memref.subview %padded[0, 9, 0, 0] [1, 1, 10, 32] [1, 1, 1, 1] : memref<1x10x10x32xi8> to memref<1x1x10x32xi8, strided<[3200, 320, 32, 1], offset: 2880>>
  linalg.fill ins(%value : i8) outs(%below : memref<1x1x10x32xi8, strided<[3200, 320, 32, 1], offset: 2880>>)
  %left = memref.subview %padded[0, 1, 0, 0] [1, 8, 1, 32] [1, 1, 1, 1] : memref<1x10x10x32xi8> to memref<1x8x1x32xi8, strided<[3200, 320, 32, 1], offset: 320>>
  linalg.fill ins(%value : i8) outs(%left : memref<1x8x1x32xi8, strided<[3200, 320, 32, 1], offset: 320>>)
  %right = memref.subview %padded[0, 1, 9, 0] [1, 8, 1, 32] [1, 1, 1, 1] : memref<1x10x10x32xi8> to memref<1x8x1x32xi8, strided<[3200, 320, 32, 1], offset: 608>>
  linalg.fill ins(%value : i8) outs(%right : memref<1x8x1x32xi8, strided<[3200, 320, 32, 1], offset: 608>>)
  %inside = memref.subview %padded[0, 1, 1, 0] [1, 8, 8, 32] [1, 1, 1, 1] : memref<1x10x10x32xi8> to memref<1x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>
  linalg.copy ins(%image : memref<1x8x8x32xi8>) outs(%inside : memref<1x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>)
  linalg.fill ins(%zero : i32) outs(%y : memref<1x8x8x32xi32>)
  linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %weights : memref<1x10x10x32xi8>, memref<32x3x3x32xi8>) outs(%y : memref<1x8x8x32xi32>)
  return
}

// -----

// Others than zeros are stored to shared memory: -128, four of them a word.
// CHECK-LABEL: func.func @others(
// CHECK: gpu.launch_func @device::@others$0
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @others$0
// CHECK-DAG: %[[CHUNK:.*]] = arith.constant dense<-2139062144> : vector<4xi32>
// CHECK: nvgpu.device_async_copy
// CHECK: } else {
// CHECK: vector.store %{{.*}}, %{{.*}} {daedalus.aligned} : memref<{{.*}}xi32, #gpu.address_space<workgroup>>, vector<4xi32>
func.func @others(%image: memref<1x8x8x32xi8>, %weights: memref<32x3x3x32xi8>, %y: memref<1x8x8x32xi32>) {
  %zero = arith.constant 0 : i32
  %value = arith.constant -128 : i8
  %padded = memref.alloc() : memref<1x10x10x32xi8>
  linalg.fill ins(%value : i8) outs(%padded : memref<1x10x10x32xi8>)
  %inside = memref.subview %padded[0, 1, 1, 0] [1, 8, 8, 32] [1, 1, 1, 1] : memref<1x10x10x32xi8> to memref<1x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>
  linalg.copy ins(%image : memref<1x8x8x32xi8>) outs(%inside : memref<1x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>)
  linalg.fill ins(%zero : i32) outs(%y : memref<1x8x8x32xi32>)
  linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %weights : memref<1x10x10x32xi8>, memref<32x3x3x32xi8>) outs(%y : memref<1x8x8x32xi32>)
  return
}

// -----

// Somebody else reads the padded image.
// CHECK-LABEL: func.func @shared(
// CHECK: gpu.launch_func @device::@shared$0 {{.*}} args(%[[PADDED:.*]] : memref<1x10x10x32xi8>)
// CHECK: gpu.launch_func @device::@shared$1
// CHECK: gpu.launch_func @device::@shared$2 {{.*}} args(%[[PADDED]] : memref<1x10x10x32xi8>, %{{.*}} : memref<32x3x3x32xi8>
// CHECK: gpu.launch_func @device::@shared$3
func.func @shared(%image: memref<1x8x8x32xi8>, %weights: memref<32x3x3x32xi8>, %y: memref<1x8x8x32xi32>, %z: memref<1x10x10x32xi8>) {
  %zero = arith.constant 0 : i32
  %value = arith.constant -128 : i8
  %padded = memref.alloc() : memref<1x10x10x32xi8>
  linalg.fill ins(%value : i8) outs(%padded : memref<1x10x10x32xi8>)
  %inside = memref.subview %padded[0, 1, 1, 0] [1, 8, 8, 32] [1, 1, 1, 1] : memref<1x10x10x32xi8> to memref<1x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>
  linalg.copy ins(%image : memref<1x8x8x32xi8>) outs(%inside : memref<1x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>)
  linalg.fill ins(%zero : i32) outs(%y : memref<1x8x8x32xi32>)
  linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %weights : memref<1x10x10x32xi8>, memref<32x3x3x32xi8>) outs(%y : memref<1x8x8x32xi32>)
  linalg.copy ins(%padded : memref<1x10x10x32xi8>) outs(%z : memref<1x10x10x32xi8>)
  return
}

// -----

// The image is overwritten before the product reads it.
// CHECK-LABEL: func.func @overwritten(
// CHECK: memref.alloc() : memref<1x10x10x32xi8>
// CHECK-COUNT-3: gpu.launch_func
func.func @overwritten(%image: memref<1x8x8x32xi8>, %weights: memref<32x3x3x32xi8>, %y: memref<1x8x8x32xi32>) {
  %zero = arith.constant 0 : i32
  %value = arith.constant 0 : i8
  %padded = memref.alloc() : memref<1x10x10x32xi8>
  linalg.fill ins(%value : i8) outs(%padded : memref<1x10x10x32xi8>)
  %inside = memref.subview %padded[0, 1, 1, 0] [1, 8, 8, 32] [1, 1, 1, 1] : memref<1x10x10x32xi8> to memref<1x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>
  linalg.copy ins(%image : memref<1x8x8x32xi8>) outs(%inside : memref<1x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>)
  linalg.fill ins(%value : i8) outs(%image : memref<1x8x8x32xi8>)
  linalg.fill ins(%zero : i32) outs(%y : memref<1x8x8x32xi32>)
  linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %weights : memref<1x10x10x32xi8>, memref<32x3x3x32xi8>) outs(%y : memref<1x8x8x32xi32>)
  return
}
