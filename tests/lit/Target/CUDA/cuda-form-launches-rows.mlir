// RUN: dae-opt %s --split-input-file --cuda-form-launches | FileCheck %s

// A softmax is one launch: a warp has a row, of which each lane loads four neighbours at once and keeps them; what lies
// between is in no memory.
// CHECK-LABEL: func.func @softmax
// CHECK: gpu.launch_func @device::@softmax$0 {{.*}} args(%{{.*}} : memref<50x128xf32>, %{{.*}} : memref<50x128xf32>)
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @softmax$0(%[[X:[a-z0-9]+]]: memref<50x128xf32>, %[[Y:[a-z0-9]+]]: memref<50x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>}
// CHECK: vector.load %[[X]][{{.*}}] {daedalus.aligned} : memref<50x128xf32>, vector<4xf32>
// CHECK-COUNT-4: arith.maximumf
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-COUNT-4: math.exp
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: memref.
// CHECK-NOT: vector.load
// CHECK-COUNT-4: arith.divf
// CHECK: vector.store %{{.*}}, %[[Y]][{{.*}}] {daedalus.aligned} : memref<50x128xf32>, vector<4xf32>
// CHECK: gpu.return
func.func @softmax(%x: memref<50x128xf32>, %y: memref<50x128xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = memref.alloc() : memref<50xf32>
  %exps = memref.alloc() : memref<50x128xf32>
  linalg.fill ins(%low : f32) outs(%row : memref<50xf32>)
  linalg.reduce {arith.maximumf} ins(%x : memref<50x128xf32>) outs(%row : memref<50xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %row : memref<50x128xf32>, memref<50xf32>) outs(%exps : memref<50x128xf32>) {
  ^bb0(%a: f32, %most: f32, %o: f32):
    %less = arith.subf %a, %most : f32
    %exp = math.exp %less : f32
    linalg.yield %exp : f32
  }
  linalg.fill ins(%zero : f32) outs(%row : memref<50xf32>)
  linalg.reduce {arith.addf} ins(%exps : memref<50x128xf32>) outs(%row : memref<50xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%exps, %row : memref<50x128xf32>, memref<50xf32>) outs(%y : memref<50x128xf32>) {
  ^bb0(%a: f32, %sum: f32, %o: f32):
    %part = arith.divf %a, %sum : f32
    linalg.yield %part : f32
  }
  return
}

// -----

// A long row is a block's: what its warps have is combined through shared memory.
// CHECK-LABEL: func.func @sum
// CHECK: gpu.func @sum$0({{.*}}) workgroup(%[[SHARED:.*]] : memref<32xf32, #gpu.address_space<workgroup>>{{.*}}) kernel attributes {known_block_size = array<i32: 1024, 1, 1>}
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-4: vector.load
// CHECK: gpu.shuffle
// CHECK: memref.store %{{.*}}, %[[SHARED]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[SHARED]]
// CHECK: gpu.shuffle
func.func @sum(%x: memref<2x100000xf32>, %y: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<2xf32>)
  linalg.reduce {arith.addf} ins(%x : memref<2x100000xf32>) outs(%y : memref<2xf32>) dimensions = [1]
  return
}

// -----

// Where neighbours in memory are of different rows, so are neighbouring threads; several warps share the reduction.
// CHECK-LABEL: func.func @channels
// CHECK: gpu.func @channels$0({{.*}}) workgroup({{.*}} : memref<1024xi32, {{.*}}>{{.*}}) kernel attributes {known_block_size = array<i32: 1024, 1, 1>}
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-COUNT-31: arith.maxsi
func.func @channels(%x: memref<3000x64xi32>, %y: memref<64xi32>) {
  %low = arith.constant -2147483648 : i32
  linalg.fill ins(%low : i32) outs(%y : memref<64xi32>)
  linalg.reduce {arith.maxsi} ins(%x : memref<3000x64xi32>) outs(%y : memref<64xi32>) dimensions = [0]
  return
}

// -----

// What is not known to be associative stays in one thread.
// CHECK-LABEL: func.func @differences
// CHECK: gpu.func @differences$0
// CHECK-NOT: gpu.shuffle
// CHECK: scf.for
// CHECK: arith.subf
func.func @differences(%x: memref<4x1000xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x1000xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %less = arith.subf %o, %a : f32
    linalg.yield %less : f32
  }
  return
}
