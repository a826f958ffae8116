// RUN: dae-opt %s --cpu-lower-to-vectors=level=x86-64-v2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: dae-opt %s --cpu-lower-to-vectors=level=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3

// Rows are computed in vectors, of which those of v3 are twice as long.
// CHECK-LABEL: func.func @beside
// CHECK-NOT: linalg.generic
// V2: %[[V:.*]] = vector.load {{.*}}, vector<8xf32>
// V2: %[[R:.*]] = math.absf %[[V]] : vector<8xf32>
// V3: %[[V:.*]] = vector.load {{.*}}, vector<16xf32>
// V3: %[[R:.*]] = math.absf %[[V]] : vector<16xf32>
// CHECK: vector.store %[[R]]
// CHECK: return
#row = affine_map<(i, j) -> (i, j)>
#sum = affine_map<(i, j) -> (i)>
func.func @beside(%x: memref<2x16xf32>, %y: memref<2x16xf32>) {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : memref<2x16xf32>) outs(%y : memref<2x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  }
  return
}

// The sum of a row is a vector of sums, which is added up behind the row.
// CHECK-LABEL: func.func @along
// CHECK-NOT: linalg.generic
// CHECK: %[[SUMS:.*]] = arith.addf {{.*}} : vector<16xf32>
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %[[SUMS]] {{.*}} : vector<16xf32> into f32
// CHECK: arith.addf %{{.*}}, %[[SUM]] : f32
func.func @along(%x: memref<2x16xf32>, %y: memref<2xf32>) {
  linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]} ins(%x : memref<2x16xf32>) outs(%y : memref<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  }
  return
}

// Three numbers are worth no vector.
// CHECK-LABEL: func.func @few
// CHECK: linalg.generic
func.func @few(%x: memref<1x3xf32>, %y: memref<1x3xf32>) {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : memref<1x3xf32>) outs(%y : memref<1x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  }
  return
}
