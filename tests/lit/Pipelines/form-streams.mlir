// RUN: dae-opt %s --form-streams | FileCheck %s
// RUN: dae-opt %s --form-streams=most=7 | FileCheck %s --check-prefix=SHORT
// RUN: dae-opt %s --form-streams --plan-memory | FileCheck %s --check-prefix=PLACED

// Consecutive kernels of the accelerator are one step; a view is made where it is read.
// CHECK: host.package @main {inputs = [#host.value<name = "image", dtype = "uint8">], layers = [#host.layer<node = "first", target = "accelerator", reason = "", macs = 5>, #host.layer<{{.*}}>, #host.layer<{{.*}}>, #host.layer<{{.*}}>], outputs = [#host.value<name = "result0", dtype = "int8">]}
// CHECK: func.func @main(%[[X:.*]]: tensor<64xi8>
// CHECK: %[[S:.*]] = host.step @stream0(%[[X]]) {layers = array<i64: 0, 1>, target = "accelerator"} : (tensor<64xi8>) -> tensor<64xi8>
// CHECK: %[[V:.*]] = tensor.expand_shape %[[S]]
// CHECK: %[[C:.*]] = host.step @other(%[[V]]) {layers = array<i64: 2>, target = "cpu"}
// CHECK: %[[E:.*]] = host.step @outside(%[[C]]) {layers = array<i64: 3>, target = "external"}
// CHECK: return %[[E]]
// CHECK: func.func private @stream0(%[[A:.*]]: tensor<64xi8>) -> tensor<64xi8> {
// CHECK: %[[R1:.*]] = call @same(%[[A]])
// CHECK: %[[R2:.*]] = call @same(%[[R1]])
// CHECK: return %[[R2]]

// Five instructions a kernel: two are too many for a stream of seven.
// SHORT: host.step @stream0({{.*}}) {layers = array<i64: 0>
// SHORT: host.step @stream1({{.*}}) {layers = array<i64: 1>

// Inputs and outputs of the model, of steps, and inside of streams.
// PLACED: host.package @main {arena = 192 : i64, inputs = [#host.value<name = "image", dtype = "uint8">]
// PLACED-SAME: outputs = [#host.value<name = "result0", dtype = "int8", offset = 64>]
// PLACED: host.step @stream0({{.*}}) {layers = array<i64: 0, 1>, offsets = array<i64: 128>, slots = [#host.slot<offset = 0>, #host.slot<offset = 64>, #host.slot<offset = 128>]
// PLACED: host.step @other({{.*}}) {layers = array<i64: 2>, offsets = array<i64: 0>
// PLACED: host.step @outside({{.*}}) {layers = array<i64: 3>, offsets = array<i64: 64>
host.placement {
  host.place @same as <node = "first", target = "accelerator", reason = "", macs = 5> size 5
  host.place @other as <node = "", target = "cpu", reason = "", macs = 0>
  host.place @outside as <node = "", target = "external", reason = "", macs = 0>
}
qnn.external @outside is "library"
func.func @main(%x: tensor<64xi8> {daedalus.name = "image", daedalus.dtype = "uint8"}) -> tensor<8x8xi8> {
  %1 = call @same(%x) : (tensor<64xi8>) -> tensor<64xi8>
  %2 = call @same(%1) : (tensor<64xi8>) -> tensor<64xi8>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [8, 8] : tensor<64xi8> into tensor<8x8xi8>
  %4 = call @other(%3) : (tensor<8x8xi8>) -> tensor<8x8xi8>
  %5 = call @outside(%4) : (tensor<8x8xi8>) -> tensor<8x8xi8>
  return %5 : tensor<8x8xi8>
}
func.func private @same(%x: tensor<64xi8>) -> tensor<64xi8> {
  %c = arith.constant dense<0> : tensor<64xi8>
  return %c : tensor<64xi8>
}
func.func private @other(%x: tensor<8x8xi8>) -> tensor<8x8xi8> {
  return %x : tensor<8x8xi8>
}
func.func private @outside(tensor<8x8xi8>) -> tensor<8x8xi8>
