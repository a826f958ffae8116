// RUN: dae-opt %s --split-input-file --verify-diagnostics

func.func @emptyRange(%x: i32, %s: i8) -> i8 {
  // expected-error @below {{has lo 5 above hi -5}}
  %q = qnn.requantize %x, %x, %x, %s {zero_point = 0 : i8, lo = 5 : i8, hi = -5 : i8, rounding = #qnn.rounding<half_up>} : (i32, i32, i32, i8) -> i8
  return %q : i8
}

// -----

func.func @shortTable(%x: i8, %t: tensor<255xi8>) -> i8 {
  // expected-error @below {{expects a table of 256 entries, found 'tensor<255xi8>'}}
  %y = qnn.lookup %x of %t : tensor<255xi8>
  return %y : i8
}

// -----

func.func @wideTable(%x: i8, %t: tensor<256xi32>) -> i8 {
  // expected-error @below {{must be table of 256 int8, or the first entry of one}}
  %y = qnn.lookup %x of %t : tensor<256xi32>
  return %y : i8
}

// -----

func.func @computedEntry(%x: i8) -> i8 {
  %first = arith.addi %x, %x : i8
  // expected-error @below {{expects the first entry of a table as an argument of the body}}
  %y = qnn.lookup %x of %first : i8
  return %y : i8
}
