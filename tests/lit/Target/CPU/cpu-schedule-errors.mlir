// RUN: not dae-opt %s --split-input-file 2>&1 | FileCheck %s

// CHECK: is a schedule of format 7; this compiler reads format 1
cpu.schedule format 7 {
}

// -----

// CHECK: has the fingerprint 'short'; expected 16 digits from 0 to f
cpu.schedule format 1 {
  cpu.kernel "short" loops [4] tile [2]
}

// -----

// CHECK: has 1 sizes of a tile for 2 loops; expected one a loop
cpu.schedule format 1 {
  cpu.kernel "0123456789abcdef" loops [4, 4] tile [2]
}

// -----

// CHECK: has a tile of 0; expected 1 to 2147483648
cpu.schedule format 1 {
  cpu.kernel "0123456789abcdef" loops [4, 4] tile [2, 0]
}

// -----

// CHECK: has a block for the level 'x86-64-v1'; expected one of
cpu.schedule format 1 {
  cpu.kernel "0123456789abcdef" loops [4] tile [2] blocks [#cpu.block<"x86-64-v1" 2 x 2>]
}

// -----

// CHECK: schedules kernel 0123456789abcdef again; line {{[0-9]+}} has it already
cpu.schedule format 1 {
  cpu.kernel "0123456789abcdef" loops [4] tile [2]
  cpu.kernel "0123456789abcdef" loops [4] tile [1]
}

// -----

// CHECK: 'arith.constant' is in cpu.schedule; expected cpu.kernel
cpu.schedule format 1 {
  %x = arith.constant 1 : i32
}
