// RUN: dae-opt %s --form-streams --plan-memory --dae-blockize | FileCheck %s
// RUN: dae-opt %s --form-streams --plan-memory --dae-schedule --dae-blockize | FileCheck %s
// RUN: dae-opt %s --form-streams --plan-memory --dae-schedule | FileCheck %s --check-prefix=PLANNED
// RUN: dae-opt %s --daedalus-lower | FileCheck %s --check-prefix=LOWERED
// RUN: not dae-opt %s --form-streams --dae-blockize 2>&1 | FileCheck %s --check-prefix=UNPLANNED
// RUN: not dae-opt %s --place-kernels --form-streams --plan-memory --dae-blockize=machine=tiny 2>&1 | FileCheck %s --check-prefix=MACHINE

// A stream's function becomes its blocks; its kernels are gone; the package says what is expected of them.
// CHECK: host.package @main {arena = {{.*}}targets = {accelerator = {expected_cycles = {{[1-9][0-9]*}} : i64{{.*}}read_bytes = 512 : i64{{.*}}written_bytes = 256 : i64
// CHECK: func.func private @stream0() {
// CHECK: dae.load
// CHECK: linalg.generic
// CHECK: dae.store
// CHECK-NOT: @maximum
// dae-schedule plans every stream, and changes nothing else; dae-blockize obeys that plan and uses it up.
// PLANNED: dae.plan
// PLANNED: dae.kernel @maximum
// PLANNED: func.func private @stream0
// PLANNED: call @maximum
// LOWERED: func.func private @stream0() {
// LOWERED: dae.load
// LOWERED: dae.vector <max>
// LOWERED: dae.store
// UNPLANNED: without a place in the arena; run plan-memory first
// MACHINE: the module is for machine 'default', which is not machine 'tiny'; give the machine once
host.placement {
  host.place @maximum as <node = "", target = "accelerator", reason = "", macs = 0>
}
func.func @main(%x: tensor<4x64xi8>, %y: tensor<4x64xi8>) -> tensor<4x64xi8> {
  %z = call @maximum(%x, %y) : (tensor<4x64xi8>, tensor<4x64xi8>) -> tensor<4x64xi8>
  return %z : tensor<4x64xi8>
}
#same = affine_map<(i, j) -> (i, j)>
func.func private @maximum(%x: tensor<4x64xi8>, %y: tensor<4x64xi8>) -> tensor<4x64xi8> {
  %e = tensor.empty() : tensor<4x64xi8>
  %r = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x64xi8>, tensor<4x64xi8>) outs(%e : tensor<4x64xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %m = arith.maxsi %a, %b : i8
    linalg.yield %m : i8
  } -> tensor<4x64xi8>
  return %r : tensor<4x64xi8>
}
