// The dae dialect: attributes and types. isa/spec/isa.yaml holds the meaning of every field that shows here.

#ifndef DAEDALUS_DIALECT_DAE_IR_DAEBASE_TD
#define DAEDALUS_DIALECT_DAE_IR_DAEBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "daedalus/isa/IsaEnums.td"
include "mlir/IR/OpBase.td"

def Dae_Dialect : Dialect {
  let name = "dae";
  let cppNamespace = "::daedalus::dae";
  let summary = "Instructions of the decoupled access-execute accelerator";
  let description = [{
    One operation an instruction, on memrefs whose memory space names a scratchpad (`#dae.scope<inp>`).
    Order in the block is program order; what runs unordered in the hardware is ordered by tokens, which
    are SSA values here and become wait and signal masks at the very end.
  }];
  let dependentDialects = ["::daedalus::qnn::QnnDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class Dae_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::daedalus::dae";
  let genSpecializedAttr = 0;
}

// Codes and names come from isa/spec/isa.yaml.
def Dae_Scope : Dae_Enum<"Scope", "scratchpad", Isa_ScopeCases>;
def Dae_ScopeAttr : EnumAttr<Dae_Dialect, Dae_Scope, "scope"> {
  let summary = "memory space of a memref: the scratchpad it lies in";
  let assemblyFormat = "`<` $value `>`";
}

def Dae_WidenedAttr : AttrDef<Dae_Dialect, "Widened"> {
  let mnemonic = "widened";
  let summary = "memory space of an operand of dae.intrinsic: the places where its int32 values may lie";
  let description = [{
    `memref<?xi32, #dae.widened<acc, inp, imm>>`: rows of N int32 in ACC, or rows of N int8 in another scope,
    extended where they are read and clamped where they are written, or the immediate of the instruction.
  }];
  let parameters = (ins ArrayRefParameter<"::daedalus::dae::Scope">:$scopes, "bool":$immediate);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Dae_RangeAttr : AttrDef<Dae_Dialect, "Range"> {
  let mnemonic = "range";
  let summary = "the least and the greatest integer that an argument may be";
  let parameters = (ins "int64_t":$low, "int64_t":$high);
  let assemblyFormat = "`<` $low `,` $high `>`";
  let genVerifyDecl = 1;
}

def Dae_VectorKind : Dae_Enum<"VectorKind", "operation of VECTOR", Isa_VectorOpCases>;
def Dae_VectorKindAttr : EnumAttr<Dae_Dialect, Dae_VectorKind, "op"> {
  let summary = "operation of VECTOR";
  let assemblyFormat = "`<` $value `>`";
}

def Dae_Modules : I32BitEnumAttr<"Modules", "set of modules", [
  I32BitEnumAttrCaseNone<"None", "none">] # Isa_ModuleCases> {
  let cppNamespace = "::daedalus::dae";
  let genSpecializedAttr = 0;
  let printBitEnumPrimaryGroups = 0;
}
def Dae_ModulesAttr : EnumAttr<Dae_Dialect, Dae_Modules, "modules"> {
  let summary = "modules of a wait or a signal mask";
  let assemblyFormat = "`<` $value `>`";
}

def Dae_LoopAttr : AttrDef<Dae_Dialect, "Loop"> {
  let mnemonic = "loop";
  let summary = "one loop of an instruction: count, one stride an operand, whether it reduces";
  let description = [{
    `#dae.loop<56 x (1, 0, 4)>`, `#dae.loop<reduce 9 x (4, 4, 0)>`. Strides are in the order of the
    instruction's fields (GEMM: inp, wgt, acc; VECTOR: dst, a, b; LOAD: DRAM, dst; STORE: DRAM, src) and
    in their units: rows, bytes for LOAD and DRAM.
  }];
  let parameters = (ins "bool":$reduce, "int64_t":$count, ArrayRefParameter<"int64_t">:$strides);
  let hasCustomAssemblyFormat = 1;
}
def Dae_LoopsAttr : TypedArrayAttrBase<Dae_LoopAttr, "loops, the outermost first">;

def Dae_Fold : Dae_Enum<"Fold", "how kernel positions fold into input lanes", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Width", 1, "columns">,
  I32EnumAttrCase<"Window", 2, "window">]>;
def Dae_FoldAttr : EnumAttr<Dae_Dialect, Dae_Fold, "folding"> {
  let summary = "how kernel positions fold into input lanes";
  let assemblyFormat = "$value";
}
def Dae_Order : Dae_Enum<"Order", "outermost tile loop", [
  I32EnumAttrCase<"Pixels", 0, "pixels">, I32EnumAttrCase<"Channels", 1, "channels">]>;
def Dae_OrderAttr : EnumAttr<Dae_Dialect, Dae_Order, "order"> {
  let summary = "outermost tile loop";
  let assemblyFormat = "$value";
}
def Dae_Token : TypeDef<Dae_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "the end of an instruction, which later instructions may wait for";
}

#endif
