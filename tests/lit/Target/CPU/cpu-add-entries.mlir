// RUN: dae-opt %s --cpu-add-entries | FileCheck %s

// A kernel's entry loads the pointers of its buffers and calls the body. Workers with too little memory are an error.
// The body has the runtime's threads run the task, whose entry loads the same pointers.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME: %[[ARGS:[a-z0-9]+]]: !llvm.ptr, %[[CONTEXT:[a-z0-9]+]]: !llvm.ptr) -> i32
// CHECK: %[[NEEDED:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: llvm.icmp "ult" %{{.*}}, %[[NEEDED]]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[ARGS]][0]
// CHECK: %[[X:.*]] = llvm.load %[[AT]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.call @kernel.body(%[[X]], %[[ARGS]], %[[CONTEXT]])
// CHECK-LABEL: llvm.func internal @kernel.body(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %[[ALL:[a-z0-9]+]]: !llvm.ptr, %[[THREADS:[a-z0-9]+]]: !llvm.ptr) -> i32
// CHECK-NOT: cpu.run
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(3 : i64)
// CHECK: %[[FUNCTION:.*]] = llvm.load %[[THREADS]]
// CHECK: %[[TASK:.*]] = llvm.mlir.addressof @kernel.task0.entry
// CHECK: llvm.call %[[FUNCTION]](%[[THREADS]], %[[TASK]], %[[ALL]], %[[COUNT]])
// CHECK-LABEL: llvm.func internal @kernel.task0.entry(
// CHECK: llvm.call @kernel.task0(
// CHECK-LABEL: llvm.func internal @kernel.task0(
// CHECK-SAME: !llvm.ptr {llvm.noalias}, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: !llvm.ptr {llvm.noalias})
llvm.func @kernel(%x: !llvm.ptr) -> i32 {
  %good = llvm.mlir.constant(0 : i32) : i32
  %count = llvm.mlir.constant(3 : i64) : i64
  cpu.run @kernel.task0(%count) worker 64
  llvm.return %good : i32
}
llvm.func @kernel.task0(%x: !llvm.ptr, %task: i64, %memory: !llvm.ptr) attributes {sym_visibility = "private"} {
  llvm.return
}

// Nothing but the body of a kernel without tasks reaches its buffers.
// CHECK-LABEL: llvm.func internal @single.body(
// CHECK-SAME: !llvm.ptr {llvm.noalias}) -> i32
llvm.func @single(%x: !llvm.ptr) -> i32 {
  %good = llvm.mlir.constant(0 : i32) : i32
  llvm.return %good : i32
}
