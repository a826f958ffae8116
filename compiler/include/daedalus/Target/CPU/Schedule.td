// The cpu dialect: schedules, all that is decided about the code of kernels for the CPU (docs/schedules.md).

#ifndef DAEDALUS_TARGET_CPU_SCHEDULE_TD
#define DAEDALUS_TARGET_CPU_SCHEDULE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Cpu_Dialect : Dialect {
  let name = "cpu";
  let cppNamespace = "::daedalus::cpu";
  let summary = "Schedules of kernels for the CPU";
  let useDefaultAttributePrinterParser = 1;
}

def Cpu_BlockAttr : AttrDef<Cpu_Dialect, "Block"> {
  let mnemonic = "block";
  let summary = "rows and panels of a sum of products that stay in registers, at a level of the processor";
  let parameters = (ins StringRefParameter<"such as x86-64-v4">:$level, "int64_t":$rows, "int64_t":$panels);
  let assemblyFormat = "`<` $level $rows `x` $panels `>`";
  let genVerifyDecl = 1;
}

class Cpu_Op<string mnemonic, list<Trait> traits = []> : Op<Cpu_Dialect, mnemonic, traits> {
  let hasVerifier = 1;
}

def Cpu_ScheduleOp : Cpu_Op<"schedule", [IsolatedFromAbove, NoTerminator, NoRegionArguments, SingleBlock]> {
  let summary = "how the kernels of a model are computed on the CPU, or some of them";
  let description = [{
    One `cpu.kernel` for all kernels that differ in constants and names alone. Kernels that are not here are
    scheduled by the compiler; those that the model does not have are left alone, so that one file may serve
    several models.

    ```mlir
    cpu.schedule format 1 {
      cpu.kernel "9d8c7b6a5f4e3d2c" [@conv1] loops [1, 56, 56, 64] tile [1, 8, 56, 64] threads blocks [#cpu.block<"x86-64-v4" 6 x 4>]
    }
    ```
  }];
  let arguments = (ins I64Attr:$format);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`format` $format attr-dict-with-keyword $body";
  let extraClassDeclaration = "static constexpr int64_t Format = 1;";
}

def Cpu_KernelOp : Cpu_Op<"kernel", [HasParent<"ScheduleOp">]> {
  let summary = "a kernel and the decisions about it";
  let description = [{
    `fingerprint` is a hash of the kernel's operations as they are tiled: their types, maps and bodies, but no
    constants and no names. `functions` is for the reader of a file, and says at level `dae` which functions
    are such kernels. `loops`: the loops of its last operation, which are the dimensions of the result; `tile`: the
    part of each that is computed at once, with what computes its operands, a divisor, or of what is `undivided`
    1 or all of it; `threads`: whether threads share
    the tiles; `blocks`: of its sums of products, for some levels of the processor, and the compiler chooses the
    others. More rows or panels than the kernel has mean all of them.
  }];
  let arguments = (ins StrAttr:$fingerprint, OptionalAttr<FlatSymbolRefArrayAttr>:$functions,
                       DenseI64ArrayAttr:$loops, UnitAttr:$undivided, DenseI64ArrayAttr:$tile, UnitAttr:$threads,
                       OptionalAttr<TypedArrayAttrBase<Cpu_BlockAttr, "blocks">>:$blocks);
  let assemblyFormat = [{
    $fingerprint ($functions^)? `loops` $loops (`undivided` $undivided^)? `tile` $tile (`threads` $threads^)? (`blocks` $blocks^)?
    attr-dict-with-keyword
  }];
  let extraClassDeclaration = [{
    /// Of a level; null where the compiler chooses.
    BlockAttr blockOf(::llvm::StringRef level);
    /// Into how many the result is cut.
    int64_t countTiles();
  }];
}

def Cpu_BlocksOp : Op<Cpu_Dialect, "blocks", [HasParent<"::mlir::func::FuncOp">]> {
  let summary = "the block that the function's sums of products have, as its schedule says for a level";
  let arguments = (ins I64Attr:$rows, I64Attr:$panels);
  let assemblyFormat = "$rows `x` $panels attr-dict";
}

def Cpu_ConstantsOp : Op<Cpu_Dialect, "constants", [HasParent<"::mlir::func::FuncOp">]> {
  let summary = "the globals by which a kernel's arguments in front of its result are given, until its steps name them";
  let arguments = (ins FlatSymbolRefArrayAttr:$globals);
  let assemblyFormat = "$globals attr-dict";
}

def Cpu_RunOp : Op<Cpu_Dialect, "run", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "have the runtime's threads run tasks";
  let description = [{
    `task` is a function of the kernel's arguments, the number of a task below `count`, and `workerBytes` bytes of the
    worker that runs it.

    ```mlir
    cpu.run @conv.task0 (%count) worker 4096
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$task, I64:$count, DefaultValuedAttr<I64Attr, "0">:$workerBytes);
  let assemblyFormat = "$task `(` $count `)` (`worker` $workerBytes^)? attr-dict";
}

// Behind the conversion to the LLVM dialect: LLVM's casts between a tile register and all that one holds.

def Cpu_TileToVectorOp : Op<Cpu_Dialect, "tile_to_vector"> {
  let summary = "a tile as 256 int32, of which those outside of it are anything";
  let arguments = (ins AnyType:$tile);
  let results = (outs AnyType:$vector);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `to` type($vector)";
}

def Cpu_VectorToTileOp : Op<Cpu_Dialect, "vector_to_tile"> {
  let summary = "the tile that cpu.tile_to_vector was given";
  let arguments = (ins AnyType:$vector);
  let results = (outs AnyType:$tile);
  let assemblyFormat = "$vector attr-dict `:` type($vector) `to` type($tile)";
}

#endif
