// RUN: dae-opt %s --cpu-take-constants | FileCheck %s

// Weights of 128 bytes become an argument in front of the result, and `cpu.constants` says which global is given for it.
// Those of 8 bytes stay in the code.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%{{[a-z0-9]+}}: memref<32xf32>, %[[W:[a-z0-9]+]]: memref<32xf32>, %[[Y:[a-z0-9]+]]: memref<32xf32>) {
// CHECK-NEXT: cpu.constants [@large]
// CHECK-NOT: memref.get_global @large
// CHECK: memref.get_global @small
// CHECK: linalg.add ins(%{{.*}}, %[[W]] : memref<32xf32>, memref<32xf32>) outs(%[[Y]] : memref<32xf32>)
// CHECK: linalg.mul ins(%{{.*}}, %[[W]] :
memref.global "private" constant @large : memref<32xf32> = dense<3.0>
memref.global "private" constant @small : memref<2xf32> = dense<4.0>
func.func @kernel(%x: memref<32xf32>, %y: memref<32xf32>) {
  %w = memref.get_global @large : memref<32xf32>
  %again = memref.get_global @large : memref<32xf32>
  %v = memref.get_global @small : memref<2xf32>
  linalg.add ins(%x, %w : memref<32xf32>, memref<32xf32>) outs(%y : memref<32xf32>)
  %first = memref.subview %y[0] [2] [1] : memref<32xf32> to memref<2xf32, strided<[1]>>
  linalg.copy ins(%v : memref<2xf32>) outs(%first : memref<2xf32, strided<[1]>>)
  linalg.mul ins(%x, %again : memref<32xf32>, memref<32xf32>) outs(%y : memref<32xf32>)
  return
}

// A kernel without large constants says nothing.
// CHECK-LABEL: func.func @none(%{{.*}}: memref<2xf32>) {
func.func @none(%y: memref<2xf32>) {
  %v = memref.get_global @small : memref<2xf32>
  linalg.copy ins(%v : memref<2xf32>) outs(%y : memref<2xf32>)
  return
}
