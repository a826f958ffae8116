// The dae dialect: operations.

#ifndef DAEDALUS_DIALECT_DAE_IR_DAEOPS_TD
#define DAEDALUS_DIALECT_DAE_IR_DAEOPS_TD

include "daedalus/Dialect/Dae/IR/DaeBase.td"
include "daedalus/Dialect/Dae/IR/DaePlan.td"
include "daedalus/Dialect/Qnn/IR/QnnBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Dae_Op<string mnemonic, list<Trait> traits = []> : Op<Dae_Dialect, mnemonic, traits>;

def Dae_AllocOp : Dae_Op<"alloc"> {
  let summary = "rows of a scratchpad";
  let description = [{
    A buffer in the scope that is the memref's memory space: dense, its innermost dimensions the lanes of a
    row. `row` is its first row (in the unit of the scope, isa.yaml `row`) once allocated. It lives from
    here to the last instruction that names it.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$row);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    Scope getScope() {
      return ::mlir::cast<ScopeAttr>(::mlir::cast<::mlir::MemRefType>(getBuffer().getType()).getMemorySpace())
          .getValue();
    }
  }];
}

def Dae_TensorOp : Dae_Op<"tensor"> {
  let summary = "a tensor in DRAM: base register and byte offset";
  let arguments = (ins I64Attr:$base, I64Attr:$offset);
  let results = (outs AnyMemRef:$tensor);
  let assemblyFormat = "attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def Dae_WindowOp : Dae_Op<"window", [Pure]> {
  let summary = "the extent of a pooling window; it has no storage";
  let description = [{An operand of `linalg.generic` that only gives the ranges of the reduction loops.}];
  let results = (outs AnyMemRef:$window);
  let assemblyFormat = "attr-dict `:` type($window)";
}

// What every instruction has: tokens it waits for, the layer it works for, its masks (set last).
class Dae_Instruction<string mnemonic, dag fields, list<Trait> traits = []> : Dae_Op<mnemonic, traits> {
  let arguments = !con(fields, (ins Variadic<Dae_Token>:$waits, DefaultValuedAttr<I64Attr, "0">:$layer,
                                    OptionalAttr<Dae_ModulesAttr>:$wait, OptionalAttr<Dae_ModulesAttr>:$signal));
  let results = (outs Dae_Token:$token);
  let hasVerifier = 1;
}

def Dae_LoadOp : Dae_Instruction<"load", (ins AnyMemRef:$source, AnyMemRef:$dest, I64Attr:$run,
    DefaultValuedAttr<I64Attr, "0">:$offset, DefaultValuedAttr<I64Attr, "0">:$dst,
    DefaultValuedAttr<Dae_LoopsAttr, "{}">:$loops, OptionalAttr<DenseI64ArrayAttr>:$origin,
    OptionalAttr<DenseI64ArrayAttr>:$extent, DefaultValuedAttr<I64Attr, "0">:$fill, UnitAttr:$tail_fill)> {
  let summary = "LOAD: byte runs from DRAM to a scratchpad";
  let description = [{
    `offset` and `dst` are bytes from the start of the tensor and of the buffer. With `origin = [y, x]` and
    `extent = [y, x]` what lies outside the tensor is `fill`; without them the instruction is unbounded.
    At most three loops.
  }];
  let assemblyFormat = "$source `->` $dest (`after` `(` $waits^ `)`)? attr-dict `:` type($source) `->` type($dest)";
}

def Dae_GemmOp : Dae_Instruction<"gemm", (ins AnyMemRef:$inp, AnyMemRef:$wgt, AnyMemRef:$acc,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0}">:$rows, DefaultValuedAttr<Dae_LoopsAttr, "{}">:$loops,
    UnitAttr:$accumulate, DefaultValuedAttr<I64Attr, "0">:$window, DefaultValuedAttr<I64Attr, "0">:$line,
    DefaultValuedAttr<I64Attr, "0">:$lead, DefaultValuedAttr<I64Attr, "0">:$step)> {
  let summary = "GEMM: acc[o] (+)= sum over i of inp[i] * wgt[o][i], for up to six loops";
  let description = [{
    `rows` is the first row of inp, wgt and acc, counted from the start of the buffer. With `window` of 1 to 4
    rows, which lie `line` rows apart, the last of six loops goes over columns, of which `lead` come before the
    first result and `step` from one result to the next (docs/isa.md). In a dae.intrinsic, a first operand
    of N rows says the same.
  }];
  let assemblyFormat = [{
    $inp `,` $wgt `->` $acc (`after` `(` $waits^ `)`)? attr-dict `:` type($inp) `,` type($wgt) `->` type($acc)
  }];
}

// In a dae.intrinsic a scalar stands for the immediate.
def Dae_VectorOperand : Optional<AnyTypeOf<[AnyMemRef, I32]>>;

def Dae_VectorOp : Dae_Instruction<"vector", (ins AnyMemRef:$dest, Dae_VectorOperand:$a, Dae_VectorOperand:$b,
    Dae_VectorKindAttr:$op, OptionalAttr<I64Attr>:$immediate,
    DefaultValuedAttr<I64Attr, "-128">:$lo, DefaultValuedAttr<I64Attr, "127">:$hi,
    DefaultValuedAttr<I64Attr, "0">:$zero_point, OptionalAttr<Qnn_RoundingAttr>:$rounding,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0}">:$rows, DefaultValuedAttr<Dae_LoopsAttr, "{}">:$loops,
    UnitAttr:$accumulate, Optional<AnyMemRef>:$table), [AttrSizedOperandSegments]> {
  let summary = "VECTOR: dst = op(a, b) for up to five loops";
  let description = [{
    `a` is a buffer or the `immediate`; `b` is a buffer, the `immediate`, or nothing; of lut it is the table. `rows` is
    the first row of dst, a and b, counted from the start of the buffer. Of requant_lut, `table` is the table that what
    it gives goes through.
  }];
  let assemblyFormat = [{
    $op ($a^)? (`,` $b^)? (`through` $table^)? `->` $dest (`after` `(` $waits^ `)`)? attr-dict `:`
    custom<OperandTypes>(type($a), type($b)) (`through` type($table)^)? `->` type($dest)
  }];
}

def Dae_IntrinsicOp : Dae_Op<"intrinsic", [FunctionOpInterface, IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let summary = "what instructions compute of rows: a description and an implementation";
  let description = [{
    The first operation of the body is the description: a `linalg.generic` on the arguments that says what an
    element of a row is. What follows is the implementation: the `dae.vector` and `dae.gemm` that compute a
    row, with `dae.alloc` for rows in between. The compiler finds blocks that are the description in any
    spelling and puts the implementation in their place, with the block's loops (docs/intrinsics.md).

    Arguments are rows, `?` standing for N lanes: `memref<?xi8, #dae.scope<inp>>` is a row of INP as it lies
    there, `memref<?xi32, #dae.widened<acc, inp>>` the int32 of a row that may lie in either. An `i32` is a
    constant of the block, `{dae.range = #dae.range<0, 31>}` what it may be. A row of constants may have
    `{dae.pack = @f}`: a function that makes an element of it of the block's constants. A description that
    reads its destination says as `neutral` what the first element of a reduction is combined with.

    ```mlir
    dae.intrinsic @difference(%a: memref<?xi32, #dae.widened<acc, inp>>, %b: memref<?xi8, #dae.scope<inp>>,
                              %d: memref<?xi32, #dae.scope<acc>>) {
      linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : ...) outs(%d : ...) {
      ^bb0(%x: i32, %y: i8, %old: i32):
        %w = arith.extsi %y : i8 to i32
        %r = arith.subi %x, %w : i32
        linalg.yield %r : i32
      }
      dae.vector #dae.op<sub> %a, %b -> %d : ...
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs, OptionalAttr<I32Attr>:$neutral);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Dae_StoreOp : Dae_Instruction<"store", (ins AnyMemRef:$source, AnyMemRef:$dest, I64Attr:$run,
    DefaultValuedAttr<I64Attr, "0">:$offset, DefaultValuedAttr<I64Attr, "0">:$src,
    DefaultValuedAttr<Dae_LoopsAttr, "{}">:$loops)> {
  let summary = "STORE: byte runs from OUT to DRAM";
  let description = [{`offset` is bytes from the start of the tensor, `src` rows from the start of the buffer.}];
  let assemblyFormat = "$source `->` $dest (`after` `(` $waits^ `)`)? attr-dict `:` type($source) `->` type($dest)";
}

#endif
