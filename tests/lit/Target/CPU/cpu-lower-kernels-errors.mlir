// RUN: not dae-opt %s --cpu-lower-kernels 2>&1 | FileCheck %s

// CHECK: 'host.step' op has the callee @nothing, which is not a function
host.package @main {inputs = [#host.value<name = "x", dtype = "int8">], layers = [#host.layer<node = "a", target = "cpu", reason = "", macs = 0>], outputs = [#host.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = host.step @nothing(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
