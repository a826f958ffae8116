// RUN: not dae-opt %s --split-input-file --place-kernels=target=accelerator 2>&1 | FileCheck %s
// RUN: not dae-opt %s --split-input-file --place-kernels=target=gpu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not dae-opt %s --split-input-file --place-kernels=policy=cheapest 2>&1 | FileCheck %s --check-prefix=CLOCK
// RUN: not dae-opt %s --split-input-file "--place-kernels=policy=cheapest target=cpu" 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not dae-opt %s --split-input-file --place-kernels=policy=best 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: not dae-opt %s --split-input-file --place-kernels=options=machine=nowhere 2>&1 | FileCheck %s --check-prefix=MACHINE

// TARGET: target 'gpu' is unknown (did you mean 'cpu'?); expected auto, accelerator, cpu or cuda
// CLOCK: placement by price needs the clock of the accelerator, which is simulated in cycles; give it with --clock-mhz
// ONE: policy cheapest chooses among targets; expected target auto, or several with commas between them, not cpu
// POLICY: placement policy 'best' is unknown; expected accelerator-first or cheapest
// MACHINE: no machine 'nowhere': neither one of
// CHECK: cannot run on the accelerator of machine 'default': {{.*}}; use target auto to run it on the CPU
func.func @main(%x: tensor<4xi8>) -> tensor<4xi32> {
  %y = call @wide(%x) : (tensor<4xi8>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
func.func private @wide(%x: tensor<4xi8>) -> tensor<4xi32> {
  %y = arith.extsi %x : tensor<4xi8> to tensor<4xi32>
  return %y : tensor<4xi32>
}

// -----

// CHECK: calls 'nothing', which is not a kernel of one block
func.func private @nothing(%x: tensor<4xi8>) -> tensor<4xi8>
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = call @nothing(%x) : (tensor<4xi8>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}

// -----

// CHECK: the module's machine has no name
host.placement for {accelerator = {machine = {n = 16 : i64}}} {
}
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  return %x : tensor<4xi8>
}
