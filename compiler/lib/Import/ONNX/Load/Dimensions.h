// What a model declares of its values' sizes, and how messages write it.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_LOAD_DIMENSIONS_H
#define DAEDALUS_LIB_IMPORT_ONNX_LOAD_DIMENSIONS_H

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

namespace daedalus::onnximport {

using Dimension = onnx::TensorShapeProto::Dimension;

/// Whether the text names a size. "?" of Paddle's exporter stands for any, as no text does.
bool isSymbol(const std::string &text);

/// Whether a value is declared as a tensor of a shape, which shapeOf is.
bool hasShape(const onnx::ValueInfoProto &value);
onnx::TensorShapeProto &shapeOf(onnx::ValueInfoProto &value);

/// A dimension of size -1, as Paddle and old exporters write it, is one of unknown size; an output or a value
/// between nodes that is declared with one is declared without a shape.
void clearUnknownSizes(onnx::GraphProto &graph);

/// "[1,3,height,?]".
std::string dimensionsText(const onnx::TensorShapeProto &shape);

/// "1x3x224x224".
std::string sizesText(const std::vector<int64_t> &sizes);

/// Options that give each input of unknown sizes some: a batch of 1, images of
/// 224 x 224, and 16 of whatever else.
std::string exampleShapes(const std::vector<onnx::ValueInfoProto *> &inputs);

} // namespace daedalus::onnximport

#endif
