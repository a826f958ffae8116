// RUN: dae-opt %s --form-streams --plan-memory | FileCheck %s
// RUN: dae-opt %s --form-streams --plan-memory --dae-blockize | FileCheck %s --check-prefix=BLOCKS

// A tensor of 24 channels that one window makes and others read channel by channel lies in whole rows of 16 lanes: 32
// bytes from pixel to pixel. The argument and the result of the stream, which others read, are dense; so is what is read
// element by element, and one of 72 channels, of which a pixel's run takes as long as the memory lets it wait.
// CHECK: slots = [#host.slot<offset = {{[0-9]+}}>, #host.slot<offset = {{[0-9]+}}>,
// CHECK-SAME: #host.slot<offset = {{[0-9]+}}, pitch = 32, padded = true>,
// CHECK-SAME: #host.slot<offset = {{[0-9]+}}>, #host.slot<offset = {{[0-9]+}}>,
// CHECK-SAME: #host.slot<offset = {{[0-9]+}}>, #host.slot<offset = {{[0-9]+}}>]

// It is stored, and loaded, in runs of several pixels; what is dense, pixel by pixel.
// BLOCKS: %[[dense:.*]] = dae.tensor {{.*}} : memref<1x9x9x24xi8>
// BLOCKS: %[[to:.*]] = dae.tensor {{.*}} : memref<1x8x8x32xi8>
// BLOCKS: %[[from:.*]] = dae.tensor {{.*}} : memref<1x8x8x32xi8>
// BLOCKS: dae.load %[[dense]] {{.*}}run = 24
// BLOCKS: dae.store {{.*}} -> %[[to]] {{.*}}run = 128
// BLOCKS: dae.load %[[from]] {{.*}}run = 160
host.placement {
  host.place @first as <node = "", target = "accelerator", reason = "", macs = 0>
  host.place @second as <node = "", target = "accelerator", reason = "", macs = 0>
  host.place @same as <node = "", target = "accelerator", reason = "", macs = 0>
  host.place @wide as <node = "", target = "accelerator", reason = "", macs = 0>
  host.place @wider as <node = "", target = "accelerator", reason = "", macs = 0>
}
func.func @main(%x: tensor<1x9x9x24xi8>, %y: tensor<1x9x9x72xi8>) -> (tensor<1x7x7x24xi8>, tensor<1x7x7x72xi8>) {
  %a = call @first(%x) : (tensor<1x9x9x24xi8>) -> tensor<1x8x8x24xi8>
  %b = call @second(%a) : (tensor<1x8x8x24xi8>) -> tensor<1x7x7x24xi8>
  %c = call @same(%b) : (tensor<1x7x7x24xi8>) -> tensor<1x7x7x24xi8>
  %v = call @wide(%y) : (tensor<1x9x9x72xi8>) -> tensor<1x8x8x72xi8>
  %w = call @wider(%v) : (tensor<1x8x8x72xi8>) -> tensor<1x7x7x72xi8>
  return %c, %w : tensor<1x7x7x24xi8>, tensor<1x7x7x72xi8>
}
func.func private @first(%x: tensor<1x9x9x24xi8>) -> tensor<1x8x8x24xi8> {
  %least = arith.constant -128 : i8
  %window = tensor.empty() : tensor<2x2xi8>
  %e = tensor.empty() : tensor<1x8x8x24xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<1x8x8x24xi8>) -> tensor<1x8x8x24xi8>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x9x9x24xi8>, tensor<2x2xi8>)
      outs(%f : tensor<1x8x8x24xi8>) -> tensor<1x8x8x24xi8>
  return %r : tensor<1x8x8x24xi8>
}
func.func private @second(%x: tensor<1x8x8x24xi8>) -> tensor<1x7x7x24xi8> {
  %least = arith.constant -128 : i8
  %window = tensor.empty() : tensor<2x2xi8>
  %e = tensor.empty() : tensor<1x7x7x24xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<1x7x7x24xi8>) -> tensor<1x7x7x24xi8>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x8x8x24xi8>, tensor<2x2xi8>)
      outs(%f : tensor<1x7x7x24xi8>) -> tensor<1x7x7x24xi8>
  return %r : tensor<1x7x7x24xi8>
}
#same = affine_map<(i, j, k, l) -> (i, j, k, l)>
func.func private @same(%x: tensor<1x7x7x24xi8>) -> tensor<1x7x7x24xi8> {
  %e = tensor.empty() : tensor<1x7x7x24xi8>
  %r = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x7x7x24xi8>) outs(%e : tensor<1x7x7x24xi8>) {
  ^bb0(%a: i8, %o: i8):
    linalg.yield %a : i8
  } -> tensor<1x7x7x24xi8>
  return %r : tensor<1x7x7x24xi8>
}
func.func private @wide(%x: tensor<1x9x9x72xi8>) -> tensor<1x8x8x72xi8> {
  %least = arith.constant -128 : i8
  %window = tensor.empty() : tensor<2x2xi8>
  %e = tensor.empty() : tensor<1x8x8x72xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<1x8x8x72xi8>) -> tensor<1x8x8x72xi8>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x9x9x72xi8>, tensor<2x2xi8>)
      outs(%f : tensor<1x8x8x72xi8>) -> tensor<1x8x8x72xi8>
  return %r : tensor<1x8x8x72xi8>
}
func.func private @wider(%x: tensor<1x8x8x72xi8>) -> tensor<1x7x7x72xi8> {
  %least = arith.constant -128 : i8
  %window = tensor.empty() : tensor<2x2xi8>
  %e = tensor.empty() : tensor<1x7x7x72xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<1x7x7x72xi8>) -> tensor<1x7x7x72xi8>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %window : tensor<1x8x8x72xi8>, tensor<2x2xi8>)
      outs(%f : tensor<1x7x7x72xi8>) -> tensor<1x7x7x72xi8>
  return %r : tensor<1x7x7x72xi8>
}
