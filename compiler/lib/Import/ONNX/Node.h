// A node of ONNX, its attributes, and what they describe.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_NODE_H
#define DAEDALUS_LIB_IMPORT_ONNX_NODE_H

#include "Values/HostTensor.h"

#include "daedalus/Kernels/Window.h"

#include "mlir/IR/Location.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace daedalus::onnximport {

using Shape = llvm::SmallVector<int64_t, 4>;

/// A node with its name and what it was made of.
struct Node {
  const onnx::NodeProto &proto;
  std::string name;
  mlir::Location loc;
  int64_t opset;
};

/// Of a convolution or pool.
struct Window : kernels::Window {
  Shape output;
  Shape ceilExtra; ///< what of padEnd is there for ceil_mode alone

  /// [top, bottom, left, right].
  Shape pad() const { return {padBegin[0], padEnd[0], padBegin[1], padEnd[1]}; }
  /// One over [N,C,L] as one over an image of height 1.
  Window ofImage() const;
};

/// Where a sentence about a node stands: its name, and behind that its kind, as nodeKind says it.
mlir::Location sentenceLocation(mlir::MLIRContext *context, llvm::StringRef name, llvm::StringRef kind);
/// An attribute, or null; its value, or `otherwise` where the node has none.
const onnx::AttributeProto *attribute(const Node &node, llvm::StringRef name);
int64_t intAttribute(const Node &node, llvm::StringRef name, int64_t otherwise);
/// An attribute that is a type of ONNX; -1 where it is no such number.
int32_t typeAttribute(const Node &node, llvm::StringRef name, int32_t otherwise);
float floatAttribute(const Node &node, llvm::StringRef name, float otherwise);
Shape intsAttribute(const Node &node, llvm::StringRef name, const Shape &otherwise);
/// One integer for each of `count`, from `least` to 2^31; `otherwise` where the node has none.
Result<Shape> listAttribute(const Node &node, const char *name, size_t count, int64_t otherwise,
                            int64_t least);
std::string textAttribute(const Node &node, llvm::StringRef name, llvm::StringRef otherwise);
/// The constant of a Constant node: exactly one attribute, a tensor, number or list.
Result<HostTensorPtr> readConstant(const Node &node);
/// The first dimension that a Shape node takes of an input of `rank` dimensions, and the one behind the last.
std::pair<int64_t, int64_t> shapeRange(const Node &node, int64_t rank);
/// Of a QuantizeLinear: the type of its zero point, or where it has none (0) what `output_dtype` says, or
/// uint8.
int32_t quantizedType(const Node &node, int32_t zeroPoint);
/// numpy's broadcast of two shapes; nothing where they do not fit.
std::optional<Shape> broadcastShapes(const Shape &a, const Shape &b);
/// auto_pad, pads, strides, dilations and ceil_mode of a convolution or pool over input [N,C,...], which have
/// to fit it.
Result<Window> readWindow(const Node &node, const Shape &input, const Shape &kernel);
/// "[1,2,3]".
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace daedalus::onnximport

#endif
