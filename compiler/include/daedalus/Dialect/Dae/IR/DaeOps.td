// The dae dialect: operations.

#ifndef DAEDALUS_DIALECT_DAE_IR_DAEOPS_TD
#define DAEDALUS_DIALECT_DAE_IR_DAEOPS_TD

include "daedalus/Dialect/Dae/IR/DaeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Dae_Op<string mnemonic, list<Trait> traits = []> : Op<Dae_Dialect, mnemonic, traits>;

def Dae_RequantOp : Dae_Op<"requant", [Pure]> {
  let summary = "scalar requantization of an accumulator to int8";
  let description = [{
    `clamp(round((acc + bias) * multiplier / 2^shift) + zero_point, lo, hi)`. `acc + bias` wraps to int32;
    the product and the rounded sum fit int64. `0 <= multiplier`, `1 <= shift <= 62`.
    Reference: `daedalus::isa::requantize`. Used in the bodies of `linalg.generic`.

    ```mlir
    %q = dae.requant %acc, %bias, %mult, %shift
        {zero_point = 3 : i8, lo = -128 : i8, hi = 127 : i8, rounding = #dae.rounding<half_even>}
        : (i32, i32, i32, i8) -> i8
    ```
  }];
  let arguments = (ins I32:$acc, I32:$bias, I32:$multiplier, I8:$shift,
                       I8Attr:$zero_point, I8Attr:$lo, I8Attr:$hi, Dae_RoundingAttr:$rounding);
  let results = (outs I8:$result);
  let assemblyFormat = [{
    $acc `,` $bias `,` $multiplier `,` $shift attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif
