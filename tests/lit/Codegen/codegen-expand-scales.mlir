// RUN: dae-opt %s --codegen-expand-scales | FileCheck %s

// A product of 64 bits, half of the last bit added, shifted, and cut.
// CHECK-LABEL: func.func @scaled
// CHECK-NOT: tosa.apply_scale
// CHECK: %[[V:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[P:.*]] = arith.muli %[[V]], %{{.*}} : i64
// CHECK: arith.shrsi
// CHECK: arith.trunci %{{.*}} : i64 to i32
func.func @scaled(%x: i32, %multiplier: i32, %shift: i8) -> i32 {
  %y = tosa.apply_scale %x, %multiplier, %shift {double_round = false} : (i32, i32, i8) -> i32
  return %y : i32
}

// CHECK-LABEL: func.func @looked_up
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: tensor.extract %{{.*}}[%[[AT]]] : tensor<256xi8>
func.func @looked_up(%x: i8, %table: tensor<256xi8>) -> i8 {
  %y = qnn.lookup %x of %table : tensor<256xi8>
  return %y : i8
}
