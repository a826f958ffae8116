// One ONNX node, or one output of it, as a kernel of plain numbers for the CPU.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_BODY_KERNEL_H
#define DAEDALUS_LIB_IMPORT_ONNX_BODY_KERNEL_H

#include "Importer.h"
#include "Values/Types.h"

#include "daedalus/Kernels/Window.h"

namespace daedalus::onnximport {

using kernels::Body;
using kernels::Indices;
using kernels::product;
using kernels::Read;
using kernels::Reads;
using kernels::Sizes;

/// What a node reads: a constant, a tensor that is computed, or nothing where an optional input was left out.
struct Operand {
  HostTensorPtr constant;
  Tensor tensor; ///< plain and row-major
  int32_t dtype = 0;
  Shape shape;

  bool isAbsent() const { return dtype == 0; }
};

struct PlainType {
  int32_t dtype = 0;
  Shape shape;
};

class GeneralKernel : public Body {
public:
  GeneralKernel(mlir::OpBuilder &builder, const Node &node, const std::vector<Operand> &operands,
                const std::vector<PlainType> &outputs, unsigned outputIndex)
      : Body(builder, node.loc), node(node), operands(operands), outputs(outputs),
        output(outputs[outputIndex]), outputIndex(outputIndex) {}

  bool has(size_t input) const { return input < operands.size() && !operands[input].isAbsent(); }
  mlir::Value tensorOf(const HostTensor &host);
  using Body::numberOf;
  mlir::TypedAttr numberOf(const HostTensor &host); ///< its one element
  /// Between the types of tensors' elements, as ONNX's Cast; floats are truncated to integers.
  mlir::Value convert(mlir::Value value, int32_t from, int32_t to);
  /// An input inside of the kernel: an argument, or a constant of its own.
  mlir::Value in(size_t input);
  int32_t dtype(size_t input) const { return operands[input].dtype; }
  const Shape &shape(size_t input) const { return operands[input].shape; }
  int64_t rank(size_t input) const { return operands[input].shape.size(); }
  /// The input's constant, or null.
  const HostTensor *constant(size_t input) const {
    return has(input) ? operands[input].constant.get() : nullptr;
  }
  mlir::Type elementType(size_t input) { return onnximport::elementType(b, dtype(input)); }
  mlir::Type outputType() { return onnximport::elementType(b, output.dtype); }
  /// Element `at` of an input of one dimension (or a scalar), an index or shape, as an index.
  mlir::Value indexAt(size_t input, int64_t at);
  /// An input as an element of the output reads it: by numpy's broadcast, or where a map of the output's
  /// indices says. A constant of one element is a number.
  Read read(size_t input);
  Read read(size_t input, mlir::AffineMap map);
  Read readScalar(size_t input); ///< its one element
  /// A number that is read as if it were an input.
  Read read(double value, mlir::Type type) { return {{}, {}, numberOf(value, type)}; }
  /// The tensor of the output's shape whose element is combine(elements), of the elements that are read.
  mlir::Value elementwiseOutput(Reads reads, Combine combine) {
    return elementwise(output.shape, outputType(), reads, combine);
  }
  /// That of the first two inputs: combine(x, y).
  template <class F> mlir::Value binaryOutput(F combine) {
    return elementwiseOutput({read(0), read(1)},
                             [&](mlir::ValueRange x) -> mlir::Value { return combine(x[0], x[1]); });
  }
  /// The same where combine(index) reads elements that no map of the index names.
  mlir::Value gatherOutput(Gather combine) { return gather(output.shape, outputType(), combine); }

  int64_t integer(llvm::StringRef name, int64_t otherwise) const {
    return intAttribute(node, name, otherwise);
  }
  float real(llvm::StringRef name, float otherwise) const { return floatAttribute(node, name, otherwise); }
  /// That of a convolution or pool over input 0, whose attributes are checked.
  Window window(const Shape &kernel) const { return *readWindow(node, shape(0), kernel); }
  /// An axis from 0 to rank - 1; a negative one counts from the end.
  int64_t axis(int64_t value, int64_t rank) const { return value < 0 ? value + rank : value; }

  /// The node cannot be compiled: a diagnostic at it. Null.
  mlir::Value refuse(const llvm::Twine &why) {
    mlir::emitError(sentenceLocation(b.getContext(), node.name, nodeKind(node.proto, node.opset))) << why;
    return nullptr;
  }
  /// Its type is none that the operator is computed in.
  mlir::Value refuseType(size_t input, const llvm::Twine &expected) {
    return refuse("input '" + node.proto.input(static_cast<int>(input)) + "' has type " +
                  dtypeName(dtype(input)) + "; expected " + expected);
  }

private:
  mlir::Value fromFloat(mlir::Value value, int32_t to);
  mlir::Value toHalf(mlir::Value value, int32_t from, int32_t to);

public:
  const Node &node;
  const std::vector<Operand> &operands;
  const std::vector<PlainType> &outputs; ///< of all outputs; this kernel computes one
  const PlainType &output;
  const unsigned outputIndex;
  std::vector<mlir::Value> arguments; ///< of the function, for the operands that are computed
};

using K = GeneralKernel; ///< as bodies write it
using Compare = Body::Compare;

/// Builds the body of a kernel; null after refuse().
using BuildKernel = mlir::Value (*)(GeneralKernel &);

} // namespace daedalus::onnximport

#endif
