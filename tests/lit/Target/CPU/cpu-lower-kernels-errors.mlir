// RUN: not dae-opt %s --cpu-lower-kernels 2>&1 | FileCheck %s

// CHECK: 'dae.step' op has the callee @nothing, which is no function
dae.package @main {inputs = [#dae.value<name = "x", dtype = "int8">], layers = [#dae.layer<node = "a", target = "cpu", reason = "", macs = 0>], machine = {}, outputs = [#dae.value<name = "y", dtype = "int8">]}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = dae.step @nothing(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}
