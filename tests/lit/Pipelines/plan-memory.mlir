// RUN: dae-opt %s --form-streams --plan-memory | FileCheck %s
// RUN: dae-opt %s --form-streams --plan-memory --dae-blockize | FileCheck %s --check-prefix=BLOCKS

// Channels of a tensor lie in it: from channel 6 on, 16 bytes from pixel to pixel. Those that leave the stream, and
// rows, lie by themselves. The slots are of the stream's argument, then of the results of its calls.
// CHECK: slots = [#host.slot<offset = {{[0-9]+}}>, #host.slot<offset = {{[0-9]+}}, pitch = 16, channel = 6>,
// CHECK-SAME: #host.slot<offset = {{[0-9]+}}>, #host.slot<offset = {{[0-9]+}}>,
// CHECK-SAME: #host.slot<offset = {{[0-9]+}}>, #host.slot<offset = {{[0-9]+}}>]

// So they are not copied: @maximum loads them from the tensor itself.
// BLOCKS: func.func private @stream0
// BLOCKS-NOT: {layer = 0
// BLOCKS: dae.load {{.*}}layer = 3 : i64, loops = [#dae.loop<4 x (16, 16)>], run = 10
host.placement {
  host.place @channels as <node = "", target = "accelerator", reason = "", macs = 0>
  host.place @kept as <node = "", target = "accelerator", reason = "", macs = 0>
  host.place @rows as <node = "", target = "accelerator", reason = "", macs = 0>
  host.place @maximum as <node = "", target = "accelerator", reason = "", macs = 0>
  host.place @same_rows as <node = "", target = "accelerator", reason = "", macs = 0>
}
func.func @main(%x: tensor<4x16xi8>) -> (tensor<4x10xi8>, tensor<4x10xi8>, tensor<2x16xi8>) {
  %a = call @channels(%x) : (tensor<4x16xi8>) -> tensor<4x10xi8>
  %k = call @kept(%x) : (tensor<4x16xi8>) -> tensor<4x10xi8>
  %r = call @rows(%x) : (tensor<4x16xi8>) -> tensor<2x16xi8>
  %m = call @maximum(%a, %k) : (tensor<4x10xi8>, tensor<4x10xi8>) -> tensor<4x10xi8>
  %d = call @same_rows(%r) : (tensor<2x16xi8>) -> tensor<2x16xi8>
  return %m, %k, %d : tensor<4x10xi8>, tensor<4x10xi8>, tensor<2x16xi8>
}
#same = affine_map<(i, j) -> (i, j)>
func.func private @channels(%x: tensor<4x16xi8>) -> tensor<4x10xi8> {
  %s = tensor.extract_slice %x[0, 6] [4, 10] [1, 1] : tensor<4x16xi8> to tensor<4x10xi8>
  %e = tensor.empty() : tensor<4x10xi8>
  %r = linalg.copy ins(%s : tensor<4x10xi8>) outs(%e : tensor<4x10xi8>) -> tensor<4x10xi8>
  return %r : tensor<4x10xi8>
}
func.func private @kept(%x: tensor<4x16xi8>) -> tensor<4x10xi8> {
  %s = tensor.extract_slice %x[0, 0] [4, 10] [1, 1] : tensor<4x16xi8> to tensor<4x10xi8>
  %e = tensor.empty() : tensor<4x10xi8>
  %r = linalg.copy ins(%s : tensor<4x10xi8>) outs(%e : tensor<4x10xi8>) -> tensor<4x10xi8>
  return %r : tensor<4x10xi8>
}
func.func private @rows(%x: tensor<4x16xi8>) -> tensor<2x16xi8> {
  %s = tensor.extract_slice %x[1, 0] [2, 16] [1, 1] : tensor<4x16xi8> to tensor<2x16xi8>
  %e = tensor.empty() : tensor<2x16xi8>
  %r = linalg.copy ins(%s : tensor<2x16xi8>) outs(%e : tensor<2x16xi8>) -> tensor<2x16xi8>
  return %r : tensor<2x16xi8>
}
func.func private @maximum(%x: tensor<4x10xi8>, %y: tensor<4x10xi8>) -> tensor<4x10xi8> {
  %e = tensor.empty() : tensor<4x10xi8>
  %r = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x10xi8>, tensor<4x10xi8>) outs(%e : tensor<4x10xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %m = arith.maxsi %a, %b : i8
    linalg.yield %m : i8
  } -> tensor<4x10xi8>
  return %r : tensor<4x10xi8>
}
func.func private @same_rows(%x: tensor<2x16xi8>) -> tensor<2x16xi8> {
  %e = tensor.empty() : tensor<2x16xi8>
  %r = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x16xi8>) outs(%e : tensor<2x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<2x16xi8>
  return %r : tensor<2x16xi8>
}
