// RUN: dae-opt %s --cpu-move-halves | FileCheck %s

// Floats of 16 bits are i16 in memory and in values, constants the bits of their numbers, and what took the bits of one
// takes it as it is.
// CHECK: memref.global "private" constant @w : memref<2xi16> = dense<[15360, 16384]>
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<2xi16>, %[[Y:[a-z0-9]+]]: memref<2xi16>, %[[Z:[a-z0-9]+]]: memref<2xi32>, %{{[a-z0-9]+}}: index)
// CHECK: memref.get_global @w : memref<2xi16>
// CHECK: %[[A:.*]] = memref.load %[[X]]
// CHECK-NOT: arith.bitcast
// CHECK: %[[B:.*]] = arith.extui %[[A]] : i16 to i32
// CHECK: memref.store %[[B]], %[[Z]]
// CHECK: %[[ONE:.*]] = arith.constant 16256 : i16
// CHECK: memref.store %[[ONE]], %[[Y]]
memref.global "private" constant @w : memref<2xf16> = dense<[1.0, 2.0]>
func.func @kernel(%x: memref<2xf16>, %y: memref<2xbf16>, %z: memref<2xi32>, %i: index) {
  %w = memref.get_global @w : memref<2xf16>
  %a = memref.load %x[%i] : memref<2xf16>
  %bits = arith.bitcast %a : f16 to i16
  %b = arith.extui %bits : i16 to i32
  memref.store %b, %z[%i] : memref<2xi32>
  %one = arith.constant 1.0 : bf16
  memref.store %one, %y[%i] : memref<2xbf16>
  return
}
