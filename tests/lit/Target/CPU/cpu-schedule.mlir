// RUN: dae-opt %s --cpu-lower-kernels | FileCheck %s
// RUN: dae-opt %s --cpu-lower-kernels | dae-opt --cpu-lower-kernels | FileCheck %s
// RUN: dae-opt %s --cpu-lower-kernels | sed 's/tile \[64, 64\]/tile [8, 64] threads/' | grep cpu.kernel >%t.kernel
// RUN: (echo 'cpu.schedule format 1 {'; cat %t.kernel; echo '}'; cat %s) | dae-opt --cpu-lower-kernels | FileCheck %s --check-prefix=OBEYED

// What was decided stands behind the kernels; a schedule that is there is obeyed, and what is decided stands in its place.

// CHECK-NOT: scf.forall
// CHECK: cpu.schedule format 1 {
// CHECK-NEXT: cpu.kernel "{{[0-9a-f]+}}" [@product] loops [64, 64] tile [64, 64]

// OBEYED: scf.forall
// OBEYED: cpu.schedule format 1 {
// OBEYED-NEXT: cpu.kernel "{{[0-9a-f]+}}" [@product] loops [64, 64] tile [8, 64] threads
// OBEYED-NOT: cpu.kernel

func.func @main(%x: tensor<64x5xf32>, %w: tensor<5x64xf32>) -> tensor<64x64xf32> {
  %y = host.step @product(%x, %w) {layers = array<i64: 0>, target = "cpu"} : (tensor<64x5xf32>, tensor<5x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
func.func private @product(%x: tensor<64x5xf32>, %w: tensor<5x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x5xf32>, tensor<5x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
