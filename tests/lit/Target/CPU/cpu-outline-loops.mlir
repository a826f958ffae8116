// RUN: dae-opt %s --cpu-outline-loops | FileCheck %s

// Of eighteen operations that become loops, sixteen move to a function that is not inlined and gets what they read and
// write. The kernel calls it and keeps the other two.
// CHECK-LABEL: func.func private @kernel.loops0
// CHECK-SAME: (%[[X:[a-z0-9]+]]: memref<2xf32>, %[[Y:[a-z0-9]+]]: memref<2xf32>) attributes {passthrough = ["noinline"]}
// CHECK-COUNT-16: linalg.{{exp|log}} ins(%{{.*}} : memref<2xf32>)
// CHECK-NEXT: return
// CHECK-LABEL: func.func @kernel(
// CHECK-NEXT: call @kernel.loops0(%{{.*}}, %{{.*}}) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: linalg.log
// CHECK-NEXT: return
func.func @kernel(%x: memref<2xf32>, %y: memref<2xf32>) {
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.log ins(%y : memref<2xf32>) outs(%x : memref<2xf32>)
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.log ins(%y : memref<2xf32>) outs(%x : memref<2xf32>)
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.log ins(%y : memref<2xf32>) outs(%x : memref<2xf32>)
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.log ins(%y : memref<2xf32>) outs(%x : memref<2xf32>)
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.log ins(%y : memref<2xf32>) outs(%x : memref<2xf32>)
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.log ins(%y : memref<2xf32>) outs(%x : memref<2xf32>)
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.log ins(%y : memref<2xf32>) outs(%x : memref<2xf32>)
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.log ins(%y : memref<2xf32>) outs(%x : memref<2xf32>)
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.log ins(%y : memref<2xf32>) outs(%x : memref<2xf32>)
  return
}

// Few stay where they are.
// CHECK-LABEL: func.func @few
// CHECK-NOT: call
func.func @few(%x: memref<2xf32>, %y: memref<2xf32>) {
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  linalg.exp ins(%x : memref<2xf32>) outs(%y : memref<2xf32>)
  return
}
