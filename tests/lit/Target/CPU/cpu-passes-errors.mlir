// RUN: not dae-opt %s --cpu-expand-floats=level=x86-64-v9 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not dae-opt %s --cpu-outline-tasks 2>&1 | FileCheck %s --check-prefix=TASKS

// LEVEL: 'x86-64-v9' is not a level of this host's architecture; expected native, x86-64-v2
// TASKS: cannot be shared by threads; expected constant bounds, no result, a place in no other loop
func.func @kernel(%x: memref<8xf32>, %rows: index) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (%rows) {
    memref.store %zero, %x[%i] : memref<8xf32>
  }
  return
}
