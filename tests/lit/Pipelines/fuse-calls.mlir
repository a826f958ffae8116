// RUN: dae-opt %s --split-input-file --fuse-calls | FileCheck %s

#same = affine_map<(i, j) -> (i, j)>

// What alone reads a product of halves, element by element, joins its kernel, with what it reads besides; so does what
// follows that.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf16>, %[[B:[a-z0-9]+]]: tensor<8x4xf16>, %[[C:[a-z0-9]+]]: tensor<4x4xf16>
// CHECK-NEXT: %[[R:.*]] = call @k0_product_sum_relu(%[[A]], %[[B]], %[[C]])
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @k0_product_sum_relu
// CHECK: linalg.matmul
// CHECK: arith.truncf
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK-NOT: func.func
func.func @main(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>, %c: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %x = call @k0_product(%a, %b) : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<4x4xf16>
  %y = call @k1_sum(%x, %c) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %z = call @k2_relu(%y) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  return %z : tensor<4x4xf16>
}
func.func private @k0_product(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>) -> tensor<4x4xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x4xf16>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %h = tensor.empty() : tensor<4x4xf16>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x4xf32>) outs(%h : tensor<4x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}
func.func private @k1_sum(%a: tensor<4x4xf16>, %b: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %e = tensor.empty() : tensor<4x4xf16>
  %y = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xf16>, tensor<4x4xf16>) outs(%e : tensor<4x4xf16>) {
  ^bb0(%u: f16, %v: f16, %out: f16):
    %s = arith.addf %u, %v : f16
    linalg.yield %s : f16
  } -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}
func.func private @k2_relu(%a: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<4x4xf16>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf16>) outs(%e : tensor<4x4xf16>) {
  ^bb0(%u: f16, %out: f16):
    %m = arith.maximumf %u, %zero : f16
    linalg.yield %m : f16
  } -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}

// -----

#same = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// Nothing joins a result that two read, what moves elements, and another reduction.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @k0_twice
// CHECK-NEXT: call @k1_turn
// CHECK-NEXT: call @k2_twice
// CHECK-NEXT: call @k3_maximum
// CHECK-NEXT: call @k4_twice
// CHECK-NEXT: return
func.func @main(%a: tensor<4x4xf16>) -> (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>) {
  %x = call @k0_twice(%a) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %y = call @k1_turn(%x) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %z = call @k2_twice(%x) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %m = call @k3_maximum(%a) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %w = call @k4_twice(%m) : (tensor<4x4xf16>) -> tensor<4x4xf16>
  return %y, %z, %w : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>
}
func.func private @k0_twice(%a: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %e = tensor.empty() : tensor<4x4xf16>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf16>) outs(%e : tensor<4x4xf16>) {
  ^bb0(%u: f16, %out: f16):
    %s = arith.addf %u, %u : f16
    linalg.yield %s : f16
  } -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}
func.func private @k1_turn(%a: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %e = tensor.empty() : tensor<4x4xf16>
  %y = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf16>) outs(%e : tensor<4x4xf16>) {
  ^bb0(%u: f16, %out: f16):
    linalg.yield %u : f16
  } -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}
func.func private @k2_twice(%a: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %e = tensor.empty() : tensor<4x4xf16>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf16>) outs(%e : tensor<4x4xf16>) {
  ^bb0(%u: f16, %out: f16):
    %s = arith.addf %u, %u : f16
    linalg.yield %s : f16
  } -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}
func.func private @k3_maximum(%a: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %least = arith.constant 0xFC00 : f16
  %e = tensor.empty() : tensor<4x4xf16>
  %f = linalg.fill ins(%least : f16) outs(%e : tensor<4x4xf16>) -> tensor<4x4xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<4x4xf16>) outs(%f : tensor<4x4xf16>) {
  ^bb0(%u: f16, %out: f16):
    %m = arith.maximumf %u, %out : f16
    linalg.yield %m : f16
  } -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}
func.func private @k4_twice(%a: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %e = tensor.empty() : tensor<4x4xf16>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf16>) outs(%e : tensor<4x4xf16>) {
  ^bb0(%u: f16, %out: f16):
    %s = arith.addf %u, %u : f16
    linalg.yield %s : f16
  } -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}

// -----

#same = affine_map<(i, j) -> (i, j)>

// Of bytes, kernels that compute element by element join each other as long as they read two tensors at most; what
// follows a product is the target's to join.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xi8>, %[[B:[a-z0-9]+]]: tensor<8x4xi8>, %[[C:[a-z0-9]+]]: tensor<4x4xi8>
// CHECK-NEXT: %[[P:.*]] = call @k0_product(%[[A]], %[[B]])
// CHECK-NEXT: %[[S:.*]] = call @k1_sum_sum(%[[P]], %[[C]])
// CHECK-NEXT: %[[R:.*]] = call @k3_sum(%[[S]], %[[D:.*]])
// CHECK-NEXT: return %[[R]]
func.func @main(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %c: tensor<4x4xi8>, %d: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %x = call @k0_product(%a, %b) : (tensor<4x8xi8>, tensor<8x4xi8>) -> tensor<4x4xi8>
  %y = call @k1_sum(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8>
  %z = call @k2_sum(%y, %c) : (tensor<4x4xi8>, tensor<4x4xi8>) -> tensor<4x4xi8>
  %r = call @k3_sum(%z, %d) : (tensor<4x4xi8>, tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
func.func private @k0_product(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>) -> tensor<4x4xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  %p = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%f : tensor<4x4xi32>) -> tensor<4x4xi32>
  %h = tensor.empty() : tensor<4x4xi8>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x4xi32>) outs(%h : tensor<4x4xi8>) {
  ^bb0(%in: i32, %out: i8):
    %t = arith.trunci %in : i32 to i8
    linalg.yield %t : i8
  } -> tensor<4x4xi8>
  return %y : tensor<4x4xi8>
}
func.func private @k1_sum(%a: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %w = arith.constant dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>
  %c = tensor.collapse_shape %w [[0, 1]] : tensor<1x4xi8> into tensor<4xi8>
  %e = tensor.empty() : tensor<4x4xi8>
  %y = linalg.generic {indexing_maps = [#same, affine_map<(i, j) -> (j)>, #same], iterator_types = ["parallel", "parallel"]} ins(%a, %c : tensor<4x4xi8>, tensor<4xi8>) outs(%e : tensor<4x4xi8>) {
  ^bb0(%u: i8, %v: i8, %out: i8):
    %s = arith.addi %u, %v : i8
    linalg.yield %s : i8
  } -> tensor<4x4xi8>
  return %y : tensor<4x4xi8>
}
func.func private @k2_sum(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %e = tensor.empty() : tensor<4x4xi8>
  %y = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%e : tensor<4x4xi8>) {
  ^bb0(%u: i8, %v: i8, %out: i8):
    %s = arith.addi %u, %v : i8
    linalg.yield %s : i8
  } -> tensor<4x4xi8>
  return %y : tensor<4x4xi8>
}
func.func private @k3_sum(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %e = tensor.empty() : tensor<4x4xi8>
  %y = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x4xi8>, tensor<4x4xi8>) outs(%e : tensor<4x4xi8>) {
  ^bb0(%u: i8, %v: i8, %out: i8):
    %s = arith.addi %u, %v : i8
    linalg.yield %s : i8
  } -> tensor<4x4xi8>
  return %y : tensor<4x4xi8>
}

// -----

#same = affine_map<(i, j) -> (i, j)>

// A kernel that is called twice stays one.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @twice
// CHECK-NEXT: call @twice
// CHECK-NEXT: return
func.func @main(%a: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %x = call @twice(%a) : (tensor<4x4xi8>) -> tensor<4x4xi8>
  %y = call @twice(%x) : (tensor<4x4xi8>) -> tensor<4x4xi8>
  return %y : tensor<4x4xi8>
}
func.func private @twice(%a: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %e = tensor.empty() : tensor<4x4xi8>
  %y = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xi8>) outs(%e : tensor<4x4xi8>) {
  ^bb0(%u: i8, %out: i8):
    %s = arith.addi %u, %u : i8
    linalg.yield %s : i8
  } -> tensor<4x4xi8>
  return %y : tensor<4x4xi8>
}
