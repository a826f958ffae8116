// Passes of the qnn dialect.

#ifndef DAEDALUS_DIALECT_QNN_TRANSFORMS_PASSES
#define DAEDALUS_DIALECT_QNN_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def QnnRaiseScales : Pass<"qnn-raise-scales", "mlir::func::FuncOp"> {
  let summary = "Make tosa.apply_scale and what follows it a qnn.requantize where both are equal";
  let description = [{
    In the body of a `linalg` operation, an int8 that is `apply_scale(value, multiplier, shift)`, with a zero
    point added, clamped to a part of int8 and cut, is `qnn.requantize` with `half_up`: where `double_round`
    is off, multipliers and shifts are constants in their ranges, and no value that the operand may take
    leaves 32 bits before the clamp. `acc + bias` with constant biases goes in with it. All else stays.
  }];
  let dependentDialects = ["daedalus::qnn::QnnDialect", "mlir::arith::ArithDialect"];
}

class QnnGraphPass<string name> : Pass<name, "mlir::ModuleOp"> {
  let dependentDialects = ["daedalus::qnn::QnnDialect", "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
                           "mlir::linalg::LinalgDialect", "mlir::quant::QuantizationDialect",
                           "mlir::tensor::TensorDialect", "mlir::tosa::TosaDialect"];
}

def QnnFoldConstants : QnnGraphPass<"qnn-fold-constants"> {
  let summary = "Compute what is known of constants: casts, quantizations, reshapes and copies";
  let description = [{
    In `@main`. A `quant.scast` or `quant.qcast` of a constant is a constant, and so is a reshape of one, dequantized or
    not; a call of a function that returns its argument is that argument. A reshape of a reshape is one, and so are
    quantizations of one tensor to one type. What is dequantized in front of a reshape or transposition is so behind it.
  }];
}

def QnnSignedStorage : QnnGraphPass<"qnn-signed-storage"> {
  let summary = "Store uint8 as int8, less 128";
  let description = [{
    Quantized tensors of uint8 in `@main` become ones of int8 with a zero point that is less by 128. Where plain bytes
    become quantized or come out of it, a call of a function changes their highest bit.
  }];
}

def QnnTransposedConvolutions : QnnGraphPass<"qnn-transposed-convolutions"> {
  let summary = "Make transposed convolutions by constants convolutions";
  let description = [{
    In `@main`. With strides of S by T it becomes a convolution with S T times as many output channels, whose kernels
    are every S-th row and T-th column of its own; they are the rows and columns of a block of the result.
  }];
}

def QnnFoldIntoWeights : QnnGraphPass<"qnn-fold-into-weights"> {
  let summary = "Fold batch normalizations and constant summands into weights and biases";
  let description = [{
    Behind a convolution or matrix product of quantized tensors whose result is quantized. The weights stay as they are
    but for signs; their scales change. A normalization of a quantized tensor without such a product becomes a depthwise
    convolution of an image.
  }];
}

def QnnFuseQuantization : QnnGraphPass<"qnn-fuse-quantization"> {
  let summary = "Make operations on quantized tensors of those between dequantizations and quantizations";
  let description = [{
    An operation of real numbers whose operands are dequantized and whose result is quantized becomes the same operation
    on quantized tensors. Clamps, maxima and reshapes between it and the quantization follow it, on quantized tensors too.
    What is a function of one tensor, element by element, becomes a table, quantizations between included. What only
    moves elements moves quantized ones. What is left is dequantized where it is first read.
  }];
}

def QnnChannelsLast : QnnGraphPass<"qnn-channels-last"> {
  let summary = "Give quantized images the order [N, H, W, C]";
  let description = [{
    Quantized tensors of four dimensions in `@main` lie in that order from where they become quantized to where plain
    numbers, or another shape, are read; there a `tosa.transpose` changes it, or a `tosa.reshape` where no element
    moves. Weights and constants are permuted. A matrix product that reads a flattened image reads it as it lies, with
    its weights permuted.
  }];
}

#endif
