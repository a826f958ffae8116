// The qnn dialect and its attribute #qnn.rounding.

#ifndef DAEDALUS_DIALECT_QNN_IR_QNNBASE_TD
#define DAEDALUS_DIALECT_QNN_IR_QNNBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "daedalus/isa/IsaEnums.td"
include "mlir/IR/OpBase.td"

def Qnn_Dialect : Dialect {
  let name = "qnn";
  let cppNamespace = "::daedalus::qnn";
  let summary = "What quantized networks mean, whatever runs them";
  let description = [{
    Operations on quantized tensors, what the nodes of a quantized network compute; and scalar operations for the
    bodies of `linalg` operations, whose arithmetic is exact and specified, so that each target gives the same bytes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::quant::QuantizationDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
}

// Names and codes of isa/spec/isa.yaml, which all that rounds shares.
def Qnn_Rounding : I32EnumAttr<"Rounding", "what a requantization does with halves", Isa_RoundingCases> {
  let cppNamespace = "::daedalus::qnn";
  let genSpecializedAttr = 0;
}
def Qnn_RoundingAttr : EnumAttr<Qnn_Dialect, Qnn_Rounding, "rounding"> {
  let summary = "what a requantization does with halves";
  let assemblyFormat = "`<` $value `>`";
}

#endif
