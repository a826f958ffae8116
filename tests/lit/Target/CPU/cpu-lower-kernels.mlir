// RUN: dae-opt %s --cpu-lower-kernels | FileCheck %s

// Operations on buffers: inputs, the output, and no tensor left. Constants are globals.
// CHECK: memref.global "private" constant @[[TABLE:.*]] : memref<4xi8> = dense<[1, 2, 3, 4]>
// CHECK: host.step @kernel
// CHECK: func.func @kernel(%[[IN:.*]]: memref<4xi8>, %[[OUT:.*]]: memref<4xi8>) -> i32 {
// CHECK: %[[C:.*]] = memref.get_global @[[TABLE]]
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[IN]], %[[C]] : {{.*}}) outs(%[[OUT]]
// CHECK: return %{{.*}} : i32
#same = affine_map<(i) -> (i)>
host.package @main {inputs = [#host.value<name = "x", dtype = "int8">], layers = [#host.layer<node = "a", target = "cpu", reason = "", macs = 0>], outputs = [#host.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = host.step @kernel(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
func.func private @kernel(%x: tensor<4xi8>) -> tensor<4xi8> {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %e = tensor.empty() : tensor<4xi8>
  %y = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%x, %c : tensor<4xi8>, tensor<4xi8>) outs(%e : tensor<4xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %s = arith.addi %a, %b : i8
    linalg.yield %s : i8
  } -> tensor<4xi8>
  return %y : tensor<4xi8>
}
