// RUN: dae-opt %s --split-input-file --cuda-form-launches | FileCheck %s

// What is computed element by element behind each other is one launch; a thread has four neighbours, and what lies between
// is in no memory.
// CHECK-LABEL: func.func @elements
// CHECK: gpu.launch_func @device::@elements$0
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @elements$0(%[[X:[a-z0-9]+]]: memref<8x100xf32>, %[[B:[a-z0-9]+]]: memref<100xf32>, %[[Y:[a-z0-9]+]]: memref<8x100xf32>)
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[X]]
// CHECK: vector.load %[[FLAT]][%[[BASE:.*]]] {daedalus.aligned} : memref<800xf32>, vector<4xf32>
// CHECK: vector.load %[[B]][%{{.*}}] {daedalus.aligned} : memref<100xf32>, vector<4xf32>
// CHECK-NOT: load
// CHECK: vector.store %{{.*}}, %{{.*}}[%[[BASE]]] {daedalus.aligned} : memref<800xf32>, vector<4xf32>
func.func @elements(%x: memref<8x100xf32>, %b: memref<100xf32>, %y: memref<8x100xf32>) {
  %sums = memref.alloc() : memref<8x100xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : memref<8x100xf32>, memref<100xf32>) outs(%sums : memref<8x100xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %sum = arith.addf %a, %c : f32
    linalg.yield %sum : f32
  }
  linalg.exp ins(%sums : memref<8x100xf32>) outs(%y : memref<8x100xf32>)
  return
}

// -----

// Memory that a body reads is read at elements of other threads: who fills it is launched before.
// CHECK-LABEL: func.func @gather
// CHECK: gpu.launch_func @device::@gather$0
// CHECK: gpu.launch_func @device::@gather$1
func.func @gather(%x: memref<64xf32>, %at: memref<64xindex>, %y: memref<64xf32>) {
  %table = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%table : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%at : memref<64xindex>) outs(%y : memref<64xf32>) {
  ^bb0(%i: index, %o: f32):
    %e = memref.load %table[%i] : memref<64xf32>
    linalg.yield %e : f32
  }
  return
}
