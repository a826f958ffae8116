// The host dialect and its attributes: what a package says of layers, values and the arena.

#ifndef DAEDALUS_DIALECT_HOST_IR_HOSTBASE_TD
#define DAEDALUS_DIALECT_HOST_IR_HOSTBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Host_Dialect : Dialect {
  let name = "host";
  let cppNamespace = "::daedalus::host";
  let summary = "The host's program: where kernels run, the steps of a model, and what its package says";
  let description = [{
    `host.placement` says of each kernel its target; `host.step`s in the package's entry are the model's steps, each
    a function that one target runs; `host.package` holds what the package says besides its code. Nothing here
    depends on a target.
  }];
  let useDefaultAttributePrinterParser = 1;
}

def Host_LayerAttr : AttrDef<Host_Dialect, "Layer"> {
  let mnemonic = "layer";
  let summary = "a layer of the model: what profiles and errors speak of";
  let description = [{
    `node`: its name; `target` and `reason`: where it runs and why; `macs`: its multiply-accumulates;
    `boundary`: it converts at the boundary of the graph and computes nothing; `prices`: by the names of the targets that
    can run it, the microseconds that it takes there; `least`: what its target says that it needs at least, in numbers
    by names of the target's.
  }];
  let parameters = (ins "::mlir::StringAttr":$node, "::mlir::StringAttr":$target, "::mlir::StringAttr":$reason,
                        "uint64_t":$macs, DefaultValuedParameter<"bool", "false">:$boundary,
                        OptionalParameter<"::mlir::DictionaryAttr">:$prices,
                        OptionalParameter<"::mlir::DictionaryAttr">:$least);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Host_ValueAttr : AttrDef<Host_Dialect, "Value"> {
  let mnemonic = "value";
  let summary = "an input or an output of the model";
  let description = [{
    `dtype` is what the user sees of the elements: `uint8` and `bool` are int8 in the program. `offset` is where the
    tensor lies in the arena, once memory is planned.
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$dtype,
                        DefaultValuedParameter<"int64_t", "0">:$offset);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Host_SlotAttr : AttrDef<Host_Dialect, "Slot"> {
  let mnemonic = "slot";
  let summary = "where a tensor of a stream lies in the arena";
  let description = [{
    `offset`: the byte of its first element. Of a part of a wider tensor also `pitch`, the bytes from pixel to pixel,
    and `channel`, its first channel there. Where it is `padded`, the bytes behind its channels are its own.
  }];
  let parameters = (ins "int64_t":$offset, DefaultValuedParameter<"int64_t", "0">:$pitch,
                        DefaultValuedParameter<"int64_t", "0">:$channel, DefaultValuedParameter<"bool", "false">:$padded);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
