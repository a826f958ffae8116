// The qnn dialect: operations.

#ifndef DAEDALUS_DIALECT_QNN_IR_QNNOPS_TD
#define DAEDALUS_DIALECT_QNN_IR_QNNOPS_TD

include "daedalus/Dialect/Qnn/IR/QnnBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Qnn_Op<string mnemonic, list<Trait> traits = []> : Op<Qnn_Dialect, mnemonic, traits>;

def Qnn_RequantizeOp : Qnn_Op<"requantize", [Pure]> {
  let summary = "an int32 accumulator scaled to int8";
  let description = [{
    `clamp(round((acc + bias) * multiplier / 2^shift) + zero_point, lo, hi)`. `acc + bias` wraps to int32;
    the product and the rounded sum fit int64, and nothing is cut off before the clamp. `multiplier` is 0 to
    2^31 - 1 and `shift` 1 to 62; with other values the result has no meaning.
    `rounding` says what becomes of halves: `half_even` is what ONNX means, `half_up` what TOSA means.
    Reference: `daedalus::isa::requantize`.

    ```mlir
    %q = qnn.requantize %acc, %bias, %multiplier, %shift
        {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #qnn.rounding<half_even>}
        : (i32, i32, i32, i8) -> i8
    ```

    Constants fold, and a constant added to the accumulator goes into a constant bias.
  }];
  let arguments = (ins I32:$acc, I32:$bias, I32:$multiplier, I8:$shift,
                       I8Attr:$zero_point, I8Attr:$lo, I8Attr:$hi, Qnn_RoundingAttr:$rounding);
  let results = (outs I8:$result);
  let assemblyFormat = [{
    $acc `,` $bias `,` $multiplier `,` $shift attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Qnn_Table : AnyTypeOf<[I8, RankedTensorOf<[I8]>], "table of 256 int8, or the first entry of one">;

def Qnn_LookupOp : Qnn_Op<"lookup", [Pure]> {
  let summary = "the entry of a table for an int8: entry x + 128";
  let description = [{
    The table is a tensor of 256 int8 from outside of the body. In a block on buffers, whose operands are
    read by elements, its first entry stands for it: the argument for an operand of 256 int8.

    ```mlir
    %y = qnn.lookup %x of %table : tensor<256xi8>
    %y = qnn.lookup %x of %first : i8
    ```

    Constants fold.
  }];
  let arguments = (ins I8:$x, Qnn_Table:$table);
  let results = (outs I8:$entry);
  let assemblyFormat = "$x `of` $table attr-dict `:` type($table)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Qnn_ExternalOp : Qnn_Op<"external", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "which function of the user's a declaration stands for";
  let description = [{
    A function without a body is called on the host by the name that the user gives it.

    ```mlir
    qnn.external @external_0 is "negate"
    func.func private @external_0(tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$function, StrAttr:$name);
  let assemblyFormat = "$function `is` $name attr-dict";
}

include "daedalus/Dialect/Qnn/IR/QnnTensorOps.td"

#endif
