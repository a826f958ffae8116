// The host dialect: operations.

#ifndef DAEDALUS_DIALECT_HOST_IR_HOSTOPS_TD
#define DAEDALUS_DIALECT_HOST_IR_HOSTOPS_TD

include "daedalus/Dialect/Host/IR/HostBase.td"
include "mlir/IR/SymbolInterfaces.td"

class Host_Op<string mnemonic, list<Trait> traits = []> : Op<Host_Dialect, mnemonic, traits>;

def Host_PlacementOp : Host_Op<"placement", [HasParent<"::mlir::ModuleOp">, IsolatedFromAbove, NoTerminator,
                                           NoRegionArguments, SingleBlock]> {
  let summary = "what a module is compiled for, and where its kernels run";
  let description = [{
    Stands in a module until `host.package` takes its place. `targets` says by their names what targets know of the
    compilation, such as the accelerator its machine. Without a `host.place` a kernel is not placed yet.

    ```mlir
    host.placement for {mine = {lanes = 16 : i64}} {
      host.place @k0_stem_conv as <node = "stem/conv", target = "mine", reason = "fits", macs = 3456> size 120
    }
    ```
  }];
  let arguments = (ins OptionalAttr<DictionaryAttr>:$targets);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`for` $targets^)? attr-dict-with-keyword $body";
}

def Host_PlaceOp : Host_Op<"place", [HasParent<"PlacementOp">]> {
  let summary = "where a kernel runs, and why";
  let description = [{
    `layer` is what the package will say of it; `size` what becomes of it on its target, in the unit of the target.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Host_LayerAttr:$layer, DefaultValuedAttr<I64Attr, "0">:$size);
  let assemblyFormat = "$kernel `as` $layer (`size` $size^)? attr-dict";
}

def Host_PackageOp : Host_Op<"package", [HasParent<"::mlir::ModuleOp">,
                                       DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "what a package says of the model besides its code";
  let description = [{
    `entry` is the function whose `host.step`s are the model's steps. Its arguments and results are `inputs` and
    `outputs`; `arena` is the bytes that its tensors take. `constants` lie behind base register 0. `targets` says by
    their names what targets know of the compilation and found out in it.
  }];
  let arguments = (ins FlatSymbolRefAttr:$entry, OptionalAttr<DictionaryAttr>:$targets,
    TypedArrayAttrBase<Host_ValueAttr, "values">:$inputs, TypedArrayAttrBase<Host_ValueAttr, "values">:$outputs,
    TypedArrayAttrBase<Host_LayerAttr, "layers">:$layers,
    DefaultValuedAttr<I64Attr, "0">:$arena, OptionalAttr<ElementsAttr>:$constants);
  let assemblyFormat = "$entry attr-dict";
}

def Host_StepOp : Host_Op<"step", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a step of the model: a stream, a kernel or an external function";
  let description = [{
    `callee` computes the results from the operands on `target`. `constants`: globals whose buffers it takes behind
    the operands. `layers`: those that run in it, in order, counted in `host.package`. `offsets`: where each result
    lies in the arena, `scratch`: where the memory does that a kernel takes besides; both once memory is planned, and
    then `slots` too, where the arguments of a stream lie and behind them the results of its calls. A stream's arguments and results are those of its function until the
    function is made of instructions; from then on they say what it reads and writes for others.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyRankedTensor>:$operands, StrAttr:$target,
                       DenseI64ArrayAttr:$layers, OptionalAttr<FlatSymbolRefArrayAttr>:$constants,
                       OptionalAttr<DenseI64ArrayAttr>:$offsets, OptionalAttr<I64Attr>:$scratch,
                       OptionalAttr<TypedArrayAttrBase<Host_SlotAttr, "slots">>:$slots);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Operands, constants and results: the buffers of a kernel, its scratch memory aside.
    size_t numBuffers() {
      return getNumOperands() + (getConstants() ? getConstants()->size() : 0) + getNumResults();
    }
  }];
  let hasVerifier = 1;
}

#endif
