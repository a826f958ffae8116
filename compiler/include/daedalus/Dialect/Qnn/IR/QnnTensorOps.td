// The qnn dialect: operations on quantized tensors, what the nodes of a quantized network compute.

#ifndef DAEDALUS_DIALECT_QNN_IR_QNNTENSOROPS_TD
#define DAEDALUS_DIALECT_QNN_IR_QNNTENSOROPS_TD

include "daedalus/Dialect/Qnn/IR/QnnBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Operands and results are tensors of `!quant.uniform<i8:f32, scale:zero_point>`, weights and bias aside, and stand
// for real numbers. A result is the nearest value of its type, ties to even, saturated. Images have the shape
// [N, H, W, C]; what has two numbers has that of rows before that of columns, `pad` is [top, bottom, left, right].
class Qnn_TensorOp<string mnemonic, list<Trait> traits = []>
    : Op<Qnn_Dialect, mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

class Qnn_Least<int least> : AttrConstraint<
    CPred<"::llvm::all_of(::mlir::cast<::mlir::DenseI64ArrayAttr>($_self).asArrayRef(), "
          "[](int64_t number) { return number >= " # least # "; })">, "whose numbers are at least " # least>;
class Qnn_Numbers<int count, int least>
    : ConfinedAttr<DenseI64ArrayAttr, [DenseArrayCount<count>, Qnn_Least<least>]>;
def Qnn_Pair : Qnn_Numbers<2, 1>;
def Qnn_Pad : Qnn_Numbers<4, 0>;

def Qnn_ConvOp : Qnn_TensorOp<"conv"> {
  let summary = "a convolution of an image with weights, plus a bias a channel";
  let description = [{
    `weights` are [OC, KH, KW, IC / groups], of 8 bits, or of 16 where weights less their zero points do not fit 8,
    with one scale or one an output channel and zero point 0. `bias` is [OC], of 32 bits, in units of the input's
    scale times the weights'. Padding stands for 0. Output channel c reads the input channels of group
    c / (OC / groups).

    ```mlir
    %y = qnn.conv %x by %w plus %b {pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
        : (tensor<1x8x8x3x!q>, tensor<4x3x3x3x!w>, tensor<4x!b>) -> tensor<1x4x4x4x!y>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$weights, AnyRankedTensor:$bias,
                       DefaultValuedAttr<Qnn_Pad, "{0, 0, 0, 0}">:$pad,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$strides,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$dilations,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input `by` $weights `plus` $bias attr-dict `:` functional-type(operands, results)";
}

def Qnn_MatmulOp : Qnn_TensorOp<"matmul"> {
  let summary = "a matrix times the transpose of weights, plus a bias a column";
  let description = [{
    `input` is [M, K], `weights` [N, K] and `bias` [N], of the types that `qnn.conv` has.

    ```mlir
    %y = qnn.matmul %x by %w plus %b : (tensor<2x8x!q>, tensor<4x8x!w>, tensor<4x!b>) -> tensor<2x4x!y>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$weights, AnyRankedTensor:$bias);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input `by` $weights `plus` $bias attr-dict `:` functional-type(operands, results)";
}

class Qnn_BinaryOp<string mnemonic, string what> : Qnn_TensorOp<mnemonic> {
  let summary = what # " of two tensors, element by element";
  let description = [{
    Each operand has the rank of the result, and its dimensions or 1, which is repeated.
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$a `,` $b attr-dict `:` functional-type(operands, results)";
}

def Qnn_AddOp : Qnn_BinaryOp<"add", "the sum">;
def Qnn_SubOp : Qnn_BinaryOp<"sub", "the difference">;
def Qnn_MulOp : Qnn_BinaryOp<"mul", "the product">;

def Qnn_MaxPoolOp : Qnn_TensorOp<"max_pool"> {
  let summary = "the maximum of each window of an image";
  let description = [{
    Padding is less than everything; no window lies in it whole.

    ```mlir
    %y = qnn.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
        : tensor<1x8x8x4x!q> -> tensor<1x4x4x4x!q>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, Qnn_Pair:$kernel,
                       DefaultValuedAttr<Qnn_Pad, "{0, 0, 0, 0}">:$pad,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$strides,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$dilations);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Qnn_AveragePoolOp : Qnn_TensorOp<"average_pool"> {
  let summary = "the mean of each window of an image";
  let description = [{
    Padding does not count, so that windows at a border average fewer elements. With `counted_end` it counts as zeros:
    the padding before the image, and behind it that many rows and columns, which ONNX's `ceil_mode` may exceed.
  }];
  let arguments = (ins AnyRankedTensor:$input, Qnn_Pair:$kernel,
                       DefaultValuedAttr<Qnn_Pad, "{0, 0, 0, 0}">:$pad,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$strides,
                       OptionalAttr<Qnn_Numbers<2, 0>>:$counted_end);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

#endif
