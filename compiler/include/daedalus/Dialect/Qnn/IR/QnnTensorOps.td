// The qnn dialect: operations on tensors of real numbers, what the nodes of a network compute.

#ifndef DAEDALUS_DIALECT_QNN_IR_QNNTENSOROPS_TD
#define DAEDALUS_DIALECT_QNN_IR_QNNTENSOROPS_TD

include "daedalus/Dialect/Qnn/IR/QnnBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Operands and results are tensors of f32, all of them, or of `!quant.uniform<i8:f32, scale:zero_point>`, which stand
// for real numbers; weights and bias of a quantized operation are quantized as its description says. A quantized result
// is the nearest value of its type, ties to even, saturated. Images have the shape [N, C, H, W], with `channels_last`
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

def Qnn_ConvOp : Qnn_TensorOp<"conv", [AttrSizedOperandSegments]> {
  let summary = "a convolution of an image with weights, plus a bias a channel and an image";
  let description = [{
    `weights` are [OC, IC / groups, KH, KW], with `channels_last` [OC, KH, KW, IC / groups]. Padding stands for 0. Output
    channel c reads the input channels of group c / (OC / groups). `bias` has one number, or one an output channel in
    its last dimension.

    Quantized weights have 8 bits, or 16 where weights less their zero points do not fit 8, with one scale or one an
    output channel, and zero point 0. A quantized `bias` has 32 bits, in units of the input's scale times the weights'.

    A `residual` of the result's shape, quantized with one scale, is added to the sums before they are quantized; its
    scale is below 2^20 times each channel's unit of the bias. Only quantized operations have one.

    Without a bias and a residual, the result of quantized operands may be of i32: the sums of stored inputs times
    weights, where padding stands for the input's zero point.

    ```mlir
    %y = qnn.conv %x by %w plus %b {pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
        : (tensor<1x3x8x8x!q>, tensor<4x3x3x3x!w>, tensor<4x!b>) -> tensor<1x4x4x4x!y>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$weights, Optional<AnyRankedTensor>:$bias,
                       Optional<AnyRankedTensor>:$residual, DefaultValuedAttr<Qnn_Pad, "{0, 0, 0, 0}">:$pad,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$strides,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$dilations,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups,
                       UnitAttr:$channels_last);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = [{
    $input `by` $weights (`plus` $bias^)? (`and` $residual^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Qnn_TransposedConvOp : Qnn_TensorOp<"transposed_conv"> {
  let summary = "a transposed convolution of an image with weights, plus a bias a channel";
  let description = [{
    In f32. Each element of the image adds the kernel, `weights` [IC, OC, KH, KW], times itself to the result, `strides`
    apart: of that `cut` rows are left out at the top and columns at the left, and as much at the other end as the
    result's shape says. It may go further than the kernels do. `bias` is that of `qnn.conv`.

    ```mlir
    %y = qnn.transposed_conv %x by %w {cut = array<i64: 1, 1>, strides = array<i64: 2, 2>}
        : (tensor<1x3x8x8xf32>, tensor<3x4x4x4xf32>) -> tensor<1x4x16x16xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$weights, Optional<AnyRankedTensor>:$bias,
                       DefaultValuedAttr<Qnn_Numbers<2, 0>, "{0, 0}">:$cut,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$strides);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input `by` $weights (`plus` $bias^)? attr-dict `:` functional-type(operands, results)";
}

def Qnn_MatmulOp : Qnn_TensorOp<"matmul", [AttrSizedOperandSegments]> {
  let summary = "rows times a matrix of weights, plus a bias a column and a tensor";
  let description = [{
    `input` is [..., K] of at least two dimensions, `weights` are [K, N], with `transposed` [N, K]. The result is
    [..., N]. `bias` has one number or N in its last dimension. Quantized weights, biases, residuals and sums
    of i32 are those of `qnn.conv`.

    ```mlir
    %y = qnn.matmul %x by %w plus %b {transposed} : (tensor<2x8x!q>, tensor<4x8x!w>, tensor<4x!b>) -> tensor<2x4x!y>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$weights, Optional<AnyRankedTensor>:$bias,
                       Optional<AnyRankedTensor>:$residual, UnitAttr:$transposed);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = [{
    $input `by` $weights (`plus` $bias^)? (`and` $residual^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Qnn_BatchMatmulOp : Qnn_TensorOp<"batch_matmul"> {
  let summary = "the products of two batches of matrices, both computed";
  let description = [{
    [batch..., M, K] times [batch..., K, N] is [batch..., M, N]. The dimensions of the batch broadcast by numpy's rule:
    those that are missing in front, or 1, are repeated. An operand may lie in another order than it is multiplied in:
    dimension d of the matrices is dimension `order[d]` of its tensor; without an order it lies so already. Quantized
    operands have one scale each, and any zero point; their result may be of i32, the sums of products of stored numbers
    less their zero points.

    ```mlir
    %y = qnn.batch_matmul %q by %k {right_order = array<i64: 0, 1, 3, 2>}
        : (tensor<1x3x5x8x!q>, tensor<1x3x7x8x!k>) -> tensor<1x3x5x7x!y>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$left, AnyRankedTensor:$right,
                       OptionalAttr<DenseI64ArrayAttr>:$left_order, OptionalAttr<DenseI64ArrayAttr>:$right_order);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$left `by` $right attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// Which dimension of an operand's tensor each dimension of its matrices is: of the left one (0), the right one (1).
    llvm::SmallVector<int64_t> orderOf(unsigned operand);
    /// The shape of an operand's matrices.
    llvm::SmallVector<int64_t> matricesOf(unsigned operand);
  }];
}

class Qnn_BinaryOp<string mnemonic, string what> : Qnn_TensorOp<mnemonic> {
  let summary = what # " of two tensors, element by element";
  let description = [{
    Operands broadcast by numpy's rule: dimensions that are missing in front, or 1, are repeated.
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
    Padding is less than everything; no window lies in it whole. Windows of one element fold.

    ```mlir
    %y = qnn.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
        : tensor<1x4x8x8x!q> -> tensor<1x4x4x4x!q>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, Qnn_Pair:$kernel,
                       DefaultValuedAttr<Qnn_Pad, "{0, 0, 0, 0}">:$pad,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$strides,
                       DefaultValuedAttr<Qnn_Pair, "{1, 1}">:$dilations,
                       UnitAttr:$channels_last);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasFolder = 1;
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
                       OptionalAttr<Qnn_Numbers<2, 0>>:$counted_end,
                       UnitAttr:$channels_last);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Qnn_UpsampleOp : Qnn_TensorOp<"upsample"> {
  let summary = "each row and each column of an image several times";
  let description = [{
    `factors` say how often, rows before columns. Factors of 1 fold.

    ```mlir
    %y = qnn.upsample %x {factors = array<i64: 2, 2>} : tensor<1x4x8x8x!q> -> tensor<1x4x16x16x!q>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, Qnn_Pair:$factors, UnitAttr:$channels_last);
  let results = (outs AnyRankedTensor:$output);
  let hasFolder = 1;
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}

def Qnn_ConcatOp : Qnn_TensorOp<"concat"> {
  let summary = "tensors one behind the other along a dimension";
  let description = [{
    Of the same elements, and of the same shape but for dimension `axis`. Unlike `tosa.concat` it stays what it is where
    one concatenation joins another: the parts of the other are together already. One part folds.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$parts, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs AnyRankedTensor:$output);
  let hasFolder = 1;
  let assemblyFormat = "$parts `along` $axis attr-dict `:` functional-type(operands, results)";
}

def Qnn_BatchNormOp : Qnn_TensorOp<"batch_norm"> {
  let summary = "a normalization of each channel by statistics that are given";
  let description = [{
    `scale * (input - mean) / sqrt(variance + epsilon) + bias`, in f32, with a number a channel, which is dimension 1.

    ```mlir
    %y = qnn.batch_norm %x by %scale, %bias, %mean, %variance {epsilon = 1.0e-5 : f32}
        : (tensor<1x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x8x8xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$scale, AnyRankedTensor:$bias, AnyRankedTensor:$mean,
                       AnyRankedTensor:$variance, F32Attr:$epsilon);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = [{
    $input `by` $scale `,` $bias `,` $mean `,` $variance attr-dict `:` functional-type(operands, results)
  }];
}

#endif
