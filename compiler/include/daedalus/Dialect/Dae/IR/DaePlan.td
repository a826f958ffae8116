// The dae dialect: plans. All that the planner decides, and nothing that follows from it (docs/schedules.md).

#ifndef DAEDALUS_DIALECT_DAE_IR_DAEPLAN_TD
#define DAEDALUS_DIALECT_DAE_IR_DAEPLAN_TD

include "daedalus/Dialect/Dae/IR/DaeBase.td"
include "mlir/IR/BuiltinAttributes.td"

class Dae_PlanPart<string mnemonic, list<Trait> traits = []> : Op<Dae_Dialect, mnemonic, traits> {
  let hasVerifier = 1;
}

// A part with parts inside.
class Dae_PlanList<string mnemonic, list<Trait> traits = []>
    : Dae_PlanPart<mnemonic, !listconcat([NoTerminator, NoRegionArguments, SingleBlock], traits)> {
  let regions = (region SizedRegion<1>:$body);
}

// A decision about one kernel.
class Dae_Decision<string mnemonic> : Dae_PlanPart<mnemonic, [HasParent<"KernelOp">]>;

def Dae_PlanOp : Dae_PlanList<"plan", [IsolatedFromAbove]> {
  let summary = "what the planner decides about a model, or a part of that";
  let description = [{
    Kernels in the order in which they run, alone (`dae.kernel`) or in groups whose tiles interleave
    (`dae.group`), each with its transformations and tile sizes. `core` is the hash of the keys `core` of the
    machine, whose name is for the reader. Kernels that are not here are the planner's to decide. Rows of
    scratchpads, tokens, loops of instructions and places in DRAM follow from the decisions.

    ```mlir
    dae.plan format 1 machine "default" core "4f1c2d3e5a6b7980" {
      dae.kernel @stem "9d8c7b6a5f4e3d2c" { dae.fold window dae.tile rows 4 columns 112 channels 4 window 1 x 1 lanes 10 }
      dae.group lag 1 {
        dae.kernel @conv "0123456789abcdef" { dae.tile rows 7 columns 28 channels 2 window 3 x 3 lanes 4 }
        dae.kernel @pool "1123456789abcdef" { dae.tile rows 7 columns 28 channels 1 window 3 x 3 lanes 1 }
      }
    }
    ```
  }];
  let arguments = (ins I64Attr:$format, OptionalAttr<StrAttr>:$machine, OptionalAttr<StrAttr>:$core);
  let assemblyFormat = "`format` $format (`machine` $machine^)? (`core` $core^)? attr-dict-with-keyword $body";
  let extraClassDeclaration = "static constexpr int64_t Format = 1;";
}

def Dae_GroupOp : Dae_PlanList<"group", [HasParent<"PlanOp">]> {
  let summary = "neighbours whose tiles interleave";
  let description = [{
    A kernel's next tile follows as soon as the rows that it reads are stored and `lag` bands of tiles behind:
    VECTOR then works for one kernel while GEMM works for the next.
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "1">:$lag);
  let assemblyFormat = "`lag` $lag attr-dict-with-keyword $body";
  let extraClassDeclaration = "static constexpr int64_t MostKernels = 8, MostLag = 65535;";
}

def Dae_KernelOp : Dae_PlanList<"kernel", [ParentOneOf<["PlanOp", "GroupOp"]>]> {
  let summary = "a kernel and the decisions about it";
  let description = [{
    The kernel function by its symbol; which of its calls in `@main`, counted from 0; and of a concatenation,
    whose inputs are moved one by one, which input. `fingerprint` is a hash of the function's blocks: their
    iterators, maps and expressions, but no constants and no names of nodes.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, DefaultValuedAttr<I64Attr, "0">:$call,
                       DefaultValuedAttr<I64Attr, "0">:$part, OptionalAttr<StrAttr>:$fingerprint);
  let hasCustomAssemblyFormat = 1;
}

def Dae_FuseOp : Dae_Decision<"fuse"> {
  let summary = "another kernel runs in the tiles of this one";
  let description = [{
    The other kernel, which has no reduction (an addition, a table), reads this product's result as its operand
    `operand` and nobody else does; it is done on the tile before that is stored.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, DefaultValuedAttr<I64Attr, "0">:$call,
                       OptionalAttr<StrAttr>:$fingerprint, DefaultValuedAttr<I64Attr, "0">:$operand);
  let assemblyFormat = [{
    $callee (`call` $call^)? ($fingerprint^)? (`operand` $operand^)? attr-dict
  }];
}

def Dae_FoldOp : Dae_Decision<"fold"> {
  let summary = "kernel positions become input lanes";
  let description = [{
    For inputs of few channels: kernel columns (`columns`) or all kernel positions (`window`) of a pixel lie
    in consecutive lanes.
  }];
  let arguments = (ins Dae_FoldAttr:$fold);
  let assemblyFormat = "`` $fold attr-dict";
}

def Dae_TileOp : Dae_Decision<"tile"> {
  let summary = "tile sizes";
  let description = [{
    Rows and columns of an output tile, its blocks of N channels; and of one step of the reduction kernel rows
    and columns and blocks of N input lanes, after folding. A size above the extent means all of it.
  }];
  let arguments = (ins I64Attr:$rows, I64Attr:$columns, I64Attr:$channels, I64Attr:$window_rows,
                       I64Attr:$window_columns, I64Attr:$lanes);
  let assemblyFormat = [{
    `rows` $rows `columns` $columns `channels` $channels `window` $window_rows `x` $window_columns
    `lanes` $lanes attr-dict
  }];
}

def Dae_ReorderOp : Dae_Decision<"reorder"> {
  let summary = "what the outermost tile loop runs over";
  let description = [{Without it, over pixels: all channels of some pixels before the next pixels.}];
  let arguments = (ins Dae_OrderAttr:$order);
  let assemblyFormat = "`` $order attr-dict";
}

def Dae_SplitOp : Dae_Decision<"split"> {
  let summary = "tiles of a depthwise convolution that VECTOR computes, in sixteenths";
  let description = [{Spread evenly; GEMM computes the others, with diagonal weights.}];
  let arguments = (ins I64Attr:$vector);
  let assemblyFormat = "`vector` $vector attr-dict";
}

def Dae_SlideOp : Dae_Decision<"slide"> {
  let summary = "GEMM's window slides over a depthwise convolution, so many rows high";
  let description = [{Without it, GEMM multiplies each row of a tap by a tile with weights on its diagonal.}];
  let arguments = (ins I64Attr:$rows);
  let assemblyFormat = "`rows` $rows attr-dict";
}

def Dae_HandOverOp : Dae_Decision<"hand_over"> {
  let summary = "the next kernel of the group reads the result in INP, where no STORE and no LOAD comes between";
  let description = [{
    The tiles are what the windows of the next kernel's tiles read, with the pixels that two of these share computed
    for each; `dae.tile` has the sizes of the largest.
  }];
  let assemblyFormat = "attr-dict";
}

def Dae_RampOp : Dae_Decision<"ramp"> {
  let summary = "the first tile, whose loads nothing hides, is computed block by block of its channels";
  let assemblyFormat = "attr-dict";
}

#endif
