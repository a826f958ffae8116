// RUN: dae-opt %s --cpu-carry-tiles | FileCheck %s

// From block to block a tile goes as a vector of all that its register holds. In a block it is a tile.
// CHECK-LABEL: llvm.func @sums
// CHECK: %[[ZERO:.*]] = "amx.tilezero"
// CHECK-NEXT: %[[FIRST:.*]] = cpu.tile_to_vector %[[ZERO]] : !llvm.array<16 x vector<16xi32>> to vector<256xi32>
// CHECK-NEXT: llvm.br ^[[LOOP:.*]](%[[FIRST]] : vector<256xi32>)
// CHECK: ^[[LOOP]](%[[CARRIED:.*]]: vector<256xi32>):
// CHECK-NEXT: %[[SUMS:.*]] = cpu.vector_to_tile %[[CARRIED]] : vector<256xi32> to !llvm.array<16 x vector<16xi32>>
// CHECK: %[[NEXT:.*]] = "amx.tdpbssd"(%{{.*}}, %{{.*}}, %{{.*}}, %[[SUMS]],
// CHECK-NEXT: %[[LAST:.*]] = cpu.tile_to_vector %[[NEXT]]
// CHECK-NEXT: llvm.cond_br %{{.*}}, ^[[LOOP]](%[[LAST]] : vector<256xi32>), ^{{.*}}
// CHECK: "amx.tilestored64"({{.*}}, %[[NEXT]])
llvm.func @sums(%tile: !llvm.ptr, %more: i1) {
  %rows = llvm.mlir.constant(16 : i16) : i16
  %bytes = llvm.mlir.constant(64 : i16) : i16
  %stride = llvm.mlir.constant(64 : i64) : i64
  %zero = "amx.tilezero"(%rows, %bytes) : (i16, i16) -> !llvm.array<16 x vector<16xi32>>
  llvm.br ^loop(%zero : !llvm.array<16 x vector<16xi32>>)
^loop(%sums: !llvm.array<16 x vector<16xi32>>):
  %a = "amx.tileloadd64"(%rows, %bytes, %tile, %stride) : (i16, i16, !llvm.ptr, i64) -> !llvm.array<16 x vector<64xi8>>
  %next = "amx.tdpbssd"(%rows, %bytes, %bytes, %sums, %a, %a) : (i16, i16, i16, !llvm.array<16 x vector<16xi32>>, !llvm.array<16 x vector<64xi8>>, !llvm.array<16 x vector<64xi8>>) -> !llvm.array<16 x vector<16xi32>>
  llvm.cond_br %more, ^loop(%next : !llvm.array<16 x vector<16xi32>>), ^end
^end:
  "amx.tilestored64"(%rows, %bytes, %tile, %stride, %next) : (i16, i16, !llvm.ptr, i64, !llvm.array<16 x vector<16xi32>>) -> ()
  llvm.return
}
