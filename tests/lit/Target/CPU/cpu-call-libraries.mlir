// RUN: dae-opt %s --cpu-call-libraries=libraries=mine:matmul+conv | FileCheck %s
// RUN: dae-opt %s --cpu-call-libraries=libraries=mine:conv | FileCheck %s --check-prefix=CONV
// RUN: dae-opt %s --cpu-call-libraries | FileCheck %s --check-prefix=NONE

// What is computed before the product and behind it becomes kernels of their own; constants are the step's.
// CHECK-DAG: memref.global "private" constant @[[B:.*]] : memref<2x3xf32> = dense<{{.*}}1.000000e+00, 2.000000e+00
// CHECK-DAG: memref.global "private" constant @[[BIAS:.*]] : memref<3xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// CHECK-DAG: memref.global "private" constant @[[HOW:.*]] : memref<3xi64> = dense<[1, 0, 0]>
// CHECK: host.package @main {{.*}}node = "a", target = "cpu", reason = "asked for; calls mine.matmul", macs = 24>
// CHECK: func.func @main(%[[X:.*]]: tensor<2x4xf32>)
// CHECK: %[[NEGATED:.*]] = host.step @[[FIRST:.*]](%[[X]]) {layers = array<i64: 0>, target = "cpu"}
// CHECK: %[[PRODUCT:.*]] = host.step @mine_matmul(%[[NEGATED]]) {constants = [@[[B]], @[[BIAS]], @[[HOW]]], layers = array<i64: 0>, target = "external"} : (tensor<2x4xf32>) -> tensor<4x3xf32>
// CHECK: %[[Y:.*]] = host.step @[[REST:.*]](%[[PRODUCT]]) {layers = array<i64: 0>, target = "cpu"}
// CHECK: return %[[Y]]
// CHECK-NOT: func.func private @kernel(
// CHECK: func.func private @[[FIRST]](%{{.*}}: tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK: arith.negf
// CHECK: func.func private @mine_matmul(tensor<2x4xf32>) -> tensor<4x3xf32>
// CHECK: qnn.external @mine_matmul is "mine.matmul"
// CHECK: func.func private @[[REST]](%{{.*}}: tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK: math.exp

// CONV: reason = "asked for", macs
// CONV: host.step @kernel(
// NONE: host.step @kernel(
#same = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
host.package @main {inputs = [#host.value<name = "x", dtype = "float32">], layers = [#host.layer<node = "a", target = "cpu", reason = "asked for", macs = 24>], outputs = [#host.value<name = "y", dtype = "float32">]}
func.func @main(%x: tensor<2x4xf32>) -> tensor<4x3xf32> {
  %y = host.step @kernel(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<2x4xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}
func.func private @kernel(%x: tensor<2x4xf32>) -> tensor<4x3xf32> {
  %b = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %bias = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %negated = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<2x4xf32>
  %f = tensor.empty() : tensor<4x3xf32>
  %begin = linalg.fill ins(%zero : f32) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
  %product = linalg.matmul_transpose_a ins(%negated, %b : tensor<2x4xf32>, tensor<2x3xf32>)
      outs(%begin : tensor<4x3xf32>) -> tensor<4x3xf32>
  %sum = linalg.generic {indexing_maps = [#same, #column, #same], iterator_types = ["parallel", "parallel"]}
      ins(%product, %bias : tensor<4x3xf32>, tensor<3xf32>) outs(%f : tensor<4x3xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<4x3xf32>) outs(%f : tensor<4x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}
