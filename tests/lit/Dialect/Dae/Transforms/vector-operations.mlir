// RUN: dae-opt %s --dae-tensorize | FileCheck %s
// Each operation of VECTOR, found in blocks that say what it computes.
// Operands lie in INP, ACC or PARAM or are the immediate, as the table of forms in docs/isa.md has them.

#row = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @add_inp_acc
func.func @add_inp_acc() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <add> %0, %1 -> %2 {loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.addi %wx, %y : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @add_acc_param_out
func.func @add_acc_param_out() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<param>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <add> %0, %1 -> %2 {hi = 100 : i64, lo = -7 : i64, loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi8, #dae.scope<param>>) outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i8, %old: i8):
    %wy = arith.extsi %y : i8 to i32
    %v = arith.addi %x, %wy : i32
    %lo = arith.constant -7 : i32
    %hi = arith.constant 100 : i32
    %m = arith.minsi %v, %hi : i32
    %n = arith.maxsi %m, %lo : i32
    %r = arith.trunci %n : i32 to i8
    linalg.yield %r : i8
  }
  return
}

// CHECK-LABEL: @add_inp_imm
func.func @add_inp_imm() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <add> %0 -> %1 {immediate = 5 : i64, loops
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.addi %wx, %c : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @sub_inp_acc
func.func @sub_inp_acc() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <sub> %0, %1 -> %2 {loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.subi %wx, %y : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @sub_acc_param_out
func.func @sub_acc_param_out() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<param>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <sub> %0, %1 -> %2 {hi = 100 : i64, lo = -7 : i64, loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi8, #dae.scope<param>>) outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i8, %old: i8):
    %wy = arith.extsi %y : i8 to i32
    %v = arith.subi %x, %wy : i32
    %lo = arith.constant -7 : i32
    %hi = arith.constant 100 : i32
    %m = arith.minsi %v, %hi : i32
    %n = arith.maxsi %m, %lo : i32
    %r = arith.trunci %n : i32 to i8
    linalg.yield %r : i8
  }
  return
}

// CHECK-LABEL: @sub_inp_imm
func.func @sub_inp_imm() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <add> %0 -> %1 {immediate = -5 : i64, loops
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.subi %wx, %c : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @sub_imm_inp
func.func @sub_imm_inp() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <sub>, %0 -> %1 {immediate = 5 : i64, loops = [#dae.loop<4 x (1, 0, 1)>]}
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.subi %c, %wx : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @mul_inp_acc
func.func @mul_inp_acc() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <mul> %0, %1 -> %2 {loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.muli %wx, %y : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @mul_acc_param_out
func.func @mul_acc_param_out() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<param>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <mul> %0, %1 -> %2 {hi = 100 : i64, lo = -7 : i64, loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi8, #dae.scope<param>>) outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i8, %old: i8):
    %wy = arith.extsi %y : i8 to i32
    %v = arith.muli %x, %wy : i32
    %lo = arith.constant -7 : i32
    %hi = arith.constant 100 : i32
    %m = arith.minsi %v, %hi : i32
    %n = arith.maxsi %m, %lo : i32
    %r = arith.trunci %n : i32 to i8
    linalg.yield %r : i8
  }
  return
}

// CHECK-LABEL: @mul_inp_imm
func.func @mul_inp_imm() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <mul> %0 -> %1 {immediate = 5 : i64, loops
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.muli %wx, %c : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @max_inp_acc
func.func @max_inp_acc() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <max> %0, %1 -> %2 {loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.maxsi %wx, %y : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @max_acc_param_out
func.func @max_acc_param_out() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<param>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <max> %0, %1 -> %2 {hi = 100 : i64, lo = -7 : i64, loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi8, #dae.scope<param>>) outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i8, %old: i8):
    %wy = arith.extsi %y : i8 to i32
    %v = arith.maxsi %x, %wy : i32
    %lo = arith.constant -7 : i32
    %hi = arith.constant 100 : i32
    %m = arith.minsi %v, %hi : i32
    %n = arith.maxsi %m, %lo : i32
    %r = arith.trunci %n : i32 to i8
    linalg.yield %r : i8
  }
  return
}

// CHECK-LABEL: @max_inp_imm
func.func @max_inp_imm() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <max> %0 -> %1 {immediate = 5 : i64, loops
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.maxsi %wx, %c : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @min_inp_acc
func.func @min_inp_acc() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <min> %0, %1 -> %2 {loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.minsi %wx, %y : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @min_acc_param_out
func.func @min_acc_param_out() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<param>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <min> %0, %1 -> %2 {hi = 100 : i64, lo = -7 : i64, loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi8, #dae.scope<param>>) outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i8, %old: i8):
    %wy = arith.extsi %y : i8 to i32
    %v = arith.minsi %x, %wy : i32
    %lo = arith.constant -7 : i32
    %hi = arith.constant 100 : i32
    %m = arith.minsi %v, %hi : i32
    %n = arith.maxsi %m, %lo : i32
    %r = arith.trunci %n : i32 to i8
    linalg.yield %r : i8
  }
  return
}

// CHECK-LABEL: @min_inp_imm
func.func @min_inp_imm() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <min> %0 -> %1 {immediate = 5 : i64, loops
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.minsi %wx, %c : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @shl_inp_acc
func.func @shl_inp_acc() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <shl> %0, %1 -> %2 {loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.shli %wx, %y : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @shl_acc_param_out
func.func @shl_acc_param_out() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<param>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <shl> %0, %1 -> %2 {hi = 100 : i64, lo = -7 : i64, loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi8, #dae.scope<param>>) outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i8, %old: i8):
    %wy = arith.extsi %y : i8 to i32
    %v = arith.shli %x, %wy : i32
    %lo = arith.constant -7 : i32
    %hi = arith.constant 100 : i32
    %m = arith.minsi %v, %hi : i32
    %n = arith.maxsi %m, %lo : i32
    %r = arith.trunci %n : i32 to i8
    linalg.yield %r : i8
  }
  return
}

// CHECK-LABEL: @shl_imm_inp
func.func @shl_imm_inp() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <shl>, %0 -> %1 {immediate = 5 : i64, loops = [#dae.loop<4 x (1, 0, 1)>]}
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.shli %c, %wx : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @shr_inp_acc
func.func @shr_inp_acc() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <shr> %0, %1 -> %2 {loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %r = arith.shrsi %wx, %y : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @shr_acc_param_out
func.func @shr_acc_param_out() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi8, #dae.scope<param>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <shr> %0, %1 -> %2 {hi = 100 : i64, lo = -7 : i64, loops = [#dae.loop<4 x (1, 1, 1)>]}
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi8, #dae.scope<param>>) outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %y: i8, %old: i8):
    %wy = arith.extsi %y : i8 to i32
    %v = arith.shrsi %x, %wy : i32
    %lo = arith.constant -7 : i32
    %hi = arith.constant 100 : i32
    %m = arith.minsi %v, %hi : i32
    %n = arith.maxsi %m, %lo : i32
    %r = arith.trunci %n : i32 to i8
    linalg.yield %r : i8
  }
  return
}

// CHECK-LABEL: @shr_inp_imm
func.func @shr_inp_imm() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <shr> %0 -> %1 {immediate = 5 : i64, loops
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.shrsi %wx, %c : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @shr_imm_inp
func.func @shr_imm_inp() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <shr>, %0 -> %1 {immediate = 5 : i64, loops = [#dae.loop<4 x (1, 0, 1)>]}
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.shrsi %c, %wx : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @shl_by_a_constant_is_mul
func.func @shl_by_a_constant_is_mul() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <mul> %0 -> %1 {immediate = 32 : i64, loops
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi8, #dae.scope<inp>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %c = arith.constant 5 : i32
    %r = arith.shli %wx, %c : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @shr_by_low_bits
func.func @shr_by_low_bits() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <shr> %0, %1 -> %2
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi32, #dae.scope<acc>>, memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %c = arith.constant 31 : i32
    %k = arith.andi %y, %c : i32
    %r = arith.shrsi %x, %k : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @mov_acc_out
func.func @mov_acc_out() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <mov> %0 -> %1 {lo = 0 : i64, loops
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %old: i8):
    %lo = arith.constant 0 : i32
    %hi = arith.constant 127 : i32
    %m = arith.minsi %x, %hi : i32
    %n = arith.maxsi %m, %lo : i32
    %r = arith.trunci %n : i32 to i8
    linalg.yield %r : i8
  }
  return
}

// CHECK-LABEL: @mov_imm
func.func @mov_imm() {
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <mov> -> %0 {immediate = 77 : i64, loops = [#dae.loop<4 x (1, 0, 0)>]}
  linalg.generic {indexing_maps = [#row], iterator_types = ["parallel", "parallel"]}
      outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%old: i32):
    %r = arith.constant 77 : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @mac_accumulates
func.func @mac_accumulates() {
  %a = dae.alloc : memref<4x16xi8, #dae.scope<inp>>
  %b = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  // CHECK: dae.vector <mac> %0, %1 -> %2 {accumulate, loops
  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<4x16xi8, #dae.scope<inp>>, memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i8, %y: i32, %old: i32):
    %wx = arith.extsi %x : i8 to i32
    %p = arith.muli %y, %wx : i32
    %r = arith.addi %p, %old : i32
    linalg.yield %r : i32
  }
  return
}

// The bytes of int32 take four rows of OUT.
// CHECK-LABEL: @mov32
func.func @mov32() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<out>>
  // CHECK: dae.vector <mov32> %0 -> %1 {loops = [#dae.loop<4 x (4, 1, 0)>]}
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<out>>) {
  ^bb0(%x: i32, %old: i32):
    linalg.yield %x : i32
  }
  return
}

// A minimum along rows begins with the first.
// CHECK-LABEL: @reduce_min
func.func @reduce_min() {
  %a = dae.alloc : memref<4x3x16xi32, #dae.scope<acc>>
  %d = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %c = arith.constant 2147483647 : i32
  // CHECK-NOT: linalg.fill
  // CHECK: dae.vector <min> %0 -> %1 {loops = [#dae.loop<4 x (1, 3, 0)>, #dae.loop<reduce 3 x (0, 1, 0)>]}
  linalg.fill ins(%c : i32) outs(%d : memref<4x16xi32, #dae.scope<acc>>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%a : memref<4x3x16xi32, #dae.scope<acc>>) outs(%d : memref<4x16xi32, #dae.scope<acc>>) {
  ^bb0(%x: i32, %old: i32):
    %s = arith.cmpi slt, %x, %old : i32
    %r = arith.select %s, %x, %old : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: @lut_clamps
func.func @lut_clamps() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %t = dae.alloc : memref<256xi8, #dae.scope<lut>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <lut> %0, %1 -> %2 {loops = [#dae.loop<4 x (1, 1, 0)>]}
  linalg.generic {indexing_maps = [#row, affine_map<(d0, d1) -> (0)>, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a, %t : memref<4x16xi32, #dae.scope<acc>>, memref<256xi8, #dae.scope<lut>>) outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %first: i8, %old: i8):
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %m = arith.minsi %x, %hi : i32
    %n = arith.maxsi %m, %lo : i32
    %i = arith.trunci %n : i32 to i8
    %r = qnn.lookup %i of %first : i8
    linalg.yield %r : i8
  }
  return
}

// What is requantized goes through a table in the same operation; the limits are those of what the table gets.
// CHECK-LABEL: @requant_lut
func.func @requant_lut() {
  %a = dae.alloc : memref<4x16xi32, #dae.scope<acc>>
  %p = dae.alloc : memref<16xi128, #dae.scope<param>>
  %t = dae.alloc : memref<256xi8, #dae.scope<lut>>
  %d = dae.alloc : memref<4x16xi8, #dae.scope<out>>
  // CHECK: dae.vector <requant_lut> %0, %1 through %2 -> %3 {hi = 90 : i64, lo = -100 : i64, loops = [#dae.loop<4 x (1, 1, 0)>], rounding = {{.*}}half_up{{.*}}, zero_point = 3 : i64}
  // CHECK-SAME: memref<4x16xi32, #dae.scope<acc>>, memref<16xi128, #dae.scope<param>> through memref<256xi8, #dae.scope<lut>> -> memref<4x16xi8, #dae.scope<out>>
  linalg.generic {indexing_maps = [#row, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (0)>, #row],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %p, %t : memref<4x16xi32, #dae.scope<acc>>, memref<16xi128, #dae.scope<param>>, memref<256xi8, #dae.scope<lut>>)
      outs(%d : memref<4x16xi8, #dae.scope<out>>) {
  ^bb0(%x: i32, %word: i128, %first: i8, %old: i8):
    %c32 = arith.constant 32 : i128
    %c64 = arith.constant 64 : i128
    %word32 = arith.shrui %word, %c32 : i128
    %word64 = arith.shrui %word, %c64 : i128
    %bias = arith.trunci %word : i128 to i32
    %multiplier = arith.trunci %word32 : i128 to i32
    %shift = arith.trunci %word64 : i128 to i8
    %q = qnn.requantize %x, %bias, %multiplier, %shift
        {zero_point = 3 : i8, lo = -100 : i8, hi = 90 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
    %r = qnn.lookup %q of %first : i8
    linalg.yield %r : i8
  }
  return
}
