// RUN: dae-opt %s --cpu-lower-kernels --split-input-file | FileCheck %s

// What reduces stays an operation on buffers with what it begins with: its vectors are the code generator's.
// CHECK-LABEL: func.func @floats
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[OUT:arg2]]
// CHECK: linalg.generic
// CHECK-SAME: outs(%[[OUT]]
// CHECK: arith.maximumf
host.package @main {inputs = [#host.value<name = "x", dtype = "float32">, #host.value<name = "w", dtype = "float32">], layers = [#host.layer<node = "a", target = "cpu", reason = "", macs = 0>], outputs = [#host.value<name = "y", dtype = "float32">]}
func.func @main(%x: tensor<4x5xf32>, %w: tensor<5x6xf32>) -> tensor<4x6xf32> {
  %y = host.step @floats(%x, %w) {layers = array<i64: 0>, target = "cpu"} : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
func.func private @floats(%x: tensor<4x5xf32>, %w: tensor<5x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x5xf32>, tensor<5x6xf32>) outs(%f : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.maximumf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// A kernel that pads fills its destination and writes the tensor into it: no scratch memory, nothing twice.
// CHECK-LABEL: func.func @pads
// CHECK-SAME: (%{{.*}}: memref<4x6xf32>, %[[PADDED:.*]]: memref<7x9xf32>) -> i32
// CHECK: scf.for %{{.*}} to %c7{{_| }}
// CHECK: memref.store %{{.*}}, %[[PADDED]]
// CHECK: %[[INSIDE:.*]] = memref.subview %[[PADDED]][1, 3] [4, 6]
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg0 : {{.*}}) outs(%[[INSIDE]]
// CHECK-NOT: scf.for
// CHECK: return
host.package @main {inputs = [#host.value<name = "x", dtype = "float32">], layers = [#host.layer<node = "a", target = "cpu", reason = "", macs = 0>], outputs = [#host.value<name = "y", dtype = "float32">]}
func.func @main(%x: tensor<4x6xf32>) -> tensor<7x9xf32> {
  %y = host.step @pads(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<4x6xf32>) -> tensor<7x9xf32>
  return %y : tensor<7x9xf32>
}
func.func private @pads(%x: tensor<4x6xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %y = tensor.pad %x low[1, 3] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x6xf32> to tensor<7x9xf32>
  return %y : tensor<7x9xf32>
}

// -----

// A reshape of a sum is that sum in the destination: no scratch memory.
// CHECK-LABEL: func.func @reshapes
// CHECK-SAME: (%{{.*}}: memref<4x6xf32>, %{{.*}}: memref<4x1xf32>) -> i32
// CHECK: %[[SUM:.*]] = memref.collapse_shape %arg1
// CHECK: linalg.reduce { arith.addf } {{.*}} outs(%[[SUM]]
// CHECK-NOT: scf.for
// CHECK: return
host.package @main {inputs = [#host.value<name = "x", dtype = "float32">], layers = [#host.layer<node = "a", target = "cpu", reason = "", macs = 0>], outputs = [#host.value<name = "y", dtype = "float32">]}
func.func @main(%x: tensor<4x6xf32>) -> tensor<4x1xf32> {
  %y = host.step @reshapes(%x) {layers = array<i64: 0>, target = "cpu"} : (tensor<4x6xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}
func.func private @reshapes(%x: tensor<4x6xf32>) -> tensor<4x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<4x6xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %y = tensor.expand_shape %s [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// -----

// An operation's tiles (13 of 650 rows), which threads share, take along what it alone reads, in memory of the worker;
// what two operations read in other places is computed whole.
// CHECK-LABEL: func.func @tiles
// CHECK: math.absf
// CHECK: scf.forall {{.*}} to (650) step (13)
// CHECK: %[[SUMS:.*]] = memref.alloca() : memref<13x100xf32>
// CHECK: linalg.generic {{.*}} outs(%[[SUMS]]
// CHECK-NOT: scf.for
// CHECK: arith.addf
#same = affine_map<(i, j) -> (i, j)>
host.package @main {inputs = [#host.value<name = "x", dtype = "float32">, #host.value<name = "w", dtype = "float32">], layers = [#host.layer<node = "a", target = "cpu", reason = "", macs = 0>], outputs = [#host.value<name = "y", dtype = "float32">]}
func.func @main(%x: tensor<650x100xf32>, %w: tensor<100x100xf32>) -> tensor<650x100xf32> {
  %y = host.step @tiles(%x, %w) {layers = array<i64: 0>, target = "cpu"} : (tensor<650x100xf32>, tensor<100x100xf32>) -> tensor<650x100xf32>
  return %y : tensor<650x100xf32>
}
func.func private @tiles(%x: tensor<650x100xf32>, %w: tensor<100x100xf32>) -> tensor<650x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<650x100xf32>
  %a = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<650x100xf32>) outs(%e : tensor<650x100xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.absf %v : f32
    linalg.yield %r : f32
  } -> tensor<650x100xf32>
  %f = tensor.empty() : tensor<650x100xf32>
  %z = linalg.fill ins(%zero : f32) outs(%f : tensor<650x100xf32>) -> tensor<650x100xf32>
  %b = linalg.matmul ins(%a, %w : tensor<650x100xf32>, tensor<100x100xf32>) outs(%z : tensor<650x100xf32>) -> tensor<650x100xf32>
  %g = tensor.empty() : tensor<650x100xf32>
  %y = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<650x100xf32>, tensor<650x100xf32>) outs(%g : tensor<650x100xf32>) {
  ^bb0(%v: f32, %w1: f32, %o: f32):
    %r = arith.addf %v, %w1 : f32
    linalg.yield %r : f32
  } -> tensor<650x100xf32>
  return %y : tensor<650x100xf32>
}
