// RUN: dae-opt %s --split-input-file --cuda-form-launches | FileCheck %s

// A sum of few rows, what fills it and what is computed of it are one launch: a thread a column, a loop that carries the sum.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @device::@rows$0 blocks in (%[[TWO:.*]], %{{.*}}, %{{.*}}) threads in
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @rows$0(%[[X:[a-z0-9]+]]: memref<7x300xf32>, %[[Y:[a-z0-9]+]]: memref<300xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>}
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: scf.if %[[INSIDE]]
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f32)
// CHECK: %[[E:.*]] = memref.load %[[X]][%[[I]], %[[ROW:.*]]]
// CHECK: arith.addf
// CHECK: %[[MEAN:.*]] = arith.divf %[[SUM]]
// CHECK: memref.store %[[MEAN]], %[[Y]][%[[ROW]]]
func.func @rows(%x: memref<7x300xf32>, %y: memref<300xf32>) {
  %zero = arith.constant 0.0 : f32
  %seven = arith.constant 7.0 : f32
  %sums = memref.alloc() : memref<300xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<300xf32>)
  linalg.reduce {arith.addf} ins(%x : memref<7x300xf32>) outs(%sums : memref<300xf32>) dimensions = [0]
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%sums : memref<300xf32>) outs(%y : memref<300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %mean = arith.divf %a, %seven : f32
    linalg.yield %mean : f32
  }
  return
}

// -----

// Sums that somebody else reads stay in memory, and are launched by themselves.
// CHECK-LABEL: func.func @both
// CHECK: gpu.launch_func @device::@both$0
// CHECK: gpu.launch_func @device::@both$1
func.func @both(%x: memref<7x300xf32>, %sums: memref<300xf32>, %y: memref<300xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sums : memref<300xf32>)
  linalg.reduce {arith.addf} ins(%x : memref<7x300xf32>) outs(%sums : memref<300xf32>) dimensions = [0]
  linalg.exp ins(%sums : memref<300xf32>) outs(%y : memref<300xf32>)
  return
}

// -----

// A loop whose iterations depend on each other runs in one thread.
// CHECK-LABEL: func.func @chain
// CHECK: gpu.launch_func @device::@chain$0 blocks in (%[[ONE:.*]], %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}})
// CHECK: gpu.func @chain$0({{.*}}) kernel attributes {known_block_size = array<i32: 1, 1, 1>}
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: linalg.
func.func @chain(%y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.exp ins(%y : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  return
}
