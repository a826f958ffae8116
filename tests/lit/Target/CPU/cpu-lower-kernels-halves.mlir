// RUN: dae-opt %s --cpu-lower-kernels | FileCheck %s

// Floats of 16 bits are loaded and stored, and nothing else: conversions are arithmetic on bits, and what is
// computed with them is computed in float32.
// CHECK-LABEL: func.func @kernel
// CHECK-NOT: {{extf|truncf}}
// CHECK: memref.load %arg0{{.*}} : memref<4xf16>
// CHECK-NOT: {{extf|truncf}}
// CHECK: arith.bitcast %{{.*}} : f16 to i16
// CHECK-NOT: {{extf|truncf}}
// CHECK: arith.addf %{{.*}} : f32
// CHECK-NOT: {{extf|truncf}}
// CHECK: memref.store %{{.*}}, %arg2{{.*}} : memref<4xf16>
#same = affine_map<(i) -> (i)>
host.package @main {inputs = [#host.value<name = "x", dtype = "float16">, #host.value<name = "y", dtype = "float16">], layers = [#host.layer<node = "a", target = "cpu", reason = "", macs = 0>], outputs = [#host.value<name = "z", dtype = "float16">]}
func.func @main(%x: tensor<4xf16>, %y: tensor<4xf16>) -> tensor<4xf16> {
  %z = host.step @kernel(%x, %y) {layers = array<i64: 0>, target = "cpu"} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %z : tensor<4xf16>
}
func.func private @kernel(%x: tensor<4xf16>, %y: tensor<4xf16>) -> tensor<4xf16> {
  %e = tensor.empty() : tensor<4xf16>
  %z = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf16>, tensor<4xf16>) outs(%e : tensor<4xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %s = arith.addf %a, %b : f16
    %r = math.exp %s : f16
    linalg.yield %r : f16
  } -> tensor<4xf16>
  return %z : tensor<4xf16>
}
