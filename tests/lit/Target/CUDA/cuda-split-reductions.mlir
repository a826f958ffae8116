// RUN: dae-opt %s --pass-pipeline='builtin.module(func.func(cuda-split-reductions))' | FileCheck %s

// A sum of all elements is one of parts, of each of which the elements are neighbours, and then one of these.
// CHECK-LABEL: func.func @all
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<1000x1024xf32> into tensor<1024000xf32>
// CHECK: %[[PARTS:.*]] = tensor.expand_shape %[[FLAT]] {{.*}} : tensor<1024000xf32> into tensor<500x2048xf32>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[PARTS]] : tensor<500x2048xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]} ins(%[[SUMS]] : tensor<500xf32>)
func.func @all(%x: tensor<1000x1024xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %first = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<1000x1024xf32>) outs(%first : tensor<f32>) dimensions = [0, 1]
  return %sum : tensor<f32>
}

// Many results are enough for all threads.
// CHECK-LABEL: func.func @many
// CHECK-NOT: linalg.generic
func.func @many(%x: tensor<65x102400xf32>) -> tensor<65xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<65xf32>
  %first = linalg.fill ins(%zero : f32) outs(%e : tensor<65xf32>) -> tensor<65xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<65x102400xf32>) outs(%first : tensor<65xf32>) dimensions = [1]
  return %sum : tensor<65xf32>
}
