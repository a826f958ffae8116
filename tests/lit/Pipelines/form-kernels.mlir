// RUN: dae-opt %s --form-kernels | FileCheck %s

// An operation and what it alone reads is a kernel, called by @main and named by its place in the file.
// CHECK-LABEL: func.func @main
// CHECK-SAME: daedalus.name = "arg0"
// CHECK-SAME: daedalus.name = "result0"
// CHECK: %[[Y:.*]] = call @[[KERNEL:[a-zA-Z0-9_]*]](%arg0)
// CHECK: return %[[Y]]
// CHECK: func.func private @[[KERNEL]](%{{.*}}: tensor<64xi8>) -> tensor<64xi8> {
// CHECK: linalg.generic
#same = affine_map<(i) -> (i)>
func.func @main(%x: tensor<64xi8>) -> tensor<64xi8> {
  %c = arith.constant dense<3> : tensor<64xi8>
  %e = tensor.empty() : tensor<64xi8>
  %y = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%x, %c : tensor<64xi8>, tensor<64xi8>) outs(%e : tensor<64xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %s = arith.maxsi %a, %b : i8
    linalg.yield %s : i8
  } -> tensor<64xi8>
  return %y : tensor<64xi8>
}
