// The dae dialect: attributes and types. isa/spec/isa.yaml holds the meaning of every field that shows here.

#ifndef DAEDALUS_DIALECT_DAE_IR_DAEBASE_TD
#define DAEDALUS_DIALECT_DAE_IR_DAEBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
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
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class Dae_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::daedalus::dae";
  let genSpecializedAttr = 0;
}

// Values are the codes of isa.yaml.
def Dae_Scope : Dae_Enum<"Scope", "scratchpad", [
  I32EnumAttrCase<"Inp", 1, "inp">, I32EnumAttrCase<"Wgt", 2, "wgt">, I32EnumAttrCase<"Acc", 3, "acc">,
  I32EnumAttrCase<"Param", 4, "param">, I32EnumAttrCase<"Lut", 5, "lut">, I32EnumAttrCase<"Out", 6, "out">]>;
def Dae_ScopeAttr : EnumAttr<Dae_Dialect, Dae_Scope, "scope"> {
  let summary = "memory space of a memref: the scratchpad it lies in";
  let assemblyFormat = "`<` $value `>`";
}

def Dae_Rounding : Dae_Enum<"Rounding", "rounding of requant", [
  I32EnumAttrCase<"HalfEven", 0, "half_even">, I32EnumAttrCase<"HalfUp", 1, "half_up">]>;
def Dae_RoundingAttr : EnumAttr<Dae_Dialect, Dae_Rounding, "rounding"> {
  let summary = "what requant does with halves";
  let assemblyFormat = "`<` $value `>`";
}

def Dae_VectorOp : Dae_Enum<"VectorKind", "operation of VECTOR", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">, I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Max", 3, "max">, I32EnumAttrCase<"Min", 4, "min">, I32EnumAttrCase<"Shl", 5, "shl">,
  I32EnumAttrCase<"Shr", 6, "shr">, I32EnumAttrCase<"Mov", 7, "mov">, I32EnumAttrCase<"Mov32", 8, "mov32">,
  I32EnumAttrCase<"Mac", 9, "mac">, I32EnumAttrCase<"Requant", 10, "requant">,
  I32EnumAttrCase<"Lut", 11, "lut">]>;
def Dae_VectorOpAttr : EnumAttr<Dae_Dialect, Dae_VectorOp, "op"> {
  let summary = "operation of VECTOR";
  let assemblyFormat = "`<` $value `>`";
}

def Dae_Token : TypeDef<Dae_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "the end of an instruction, which later instructions may wait for";
}

#endif
