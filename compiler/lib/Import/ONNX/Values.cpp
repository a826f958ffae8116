// What is known of ONNX values, and their values in the graph. A constant becomes one where it is first read.

#include "Importer.h"

#include "Values/Types.h"

#include "daedalus/Analysis/Locations.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Quant/QuantTypes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;

namespace daedalus::onnximport {

/// Of a constant, behind DequantizeLinear the real ones; null where it is none.
HostTensorPtr numbersOf(const OnnxValue &known) {
  return known.quantized ? dequantized(*known.constant, known.quantized) : known.constant;
}

const OnnxValue &Importer::known(const Node &node, int input) {
  static const OnnxValue absent;
  auto found = values.find(inputName(node, input).str());
  return found == values.end() ? absent : found->second;
}

StringRef Importer::inputName(const Node &node, int input) {
  return input < node.proto.input_size() ? StringRef(node.proto.input(input)) : StringRef();
}

HostTensorPtr Importer::constantInput(const Node &node, int input) {
  const OnnxValue &in = known(node, input);
  return in.copied ? in.copied : numbersOf(in);
}

Location Importer::locationOf(StringRef name) {
  return NameLoc::get(builder.getStringAttr(name));
}

RankedTensorType Importer::realType(ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, builder.getF32Type());
}

Value Importer::valueOf(const Node &node, int input) {
  auto found = values.find(inputName(node, input).str());
  return found == values.end() ? Value() : valueOf(found->second, node.loc);
}

Value Importer::valueOf(OnnxValue &known, Location loc) {
  if (known.value)
    return known.value;
  auto type = RankedTensorType::get(known.shape, elementType(builder, known.constant->dtype));
  known.value = builder.create<tosa::ConstOp>(loc, type, elementsOf(*known.constant, type));
  if (known.quantized) {
    Value quantized = builder.create<quant::StorageCastOp>(loc, type.clone(known.quantized), known.value);
    known.value = builder.create<quant::DequantizeCastOp>(withQuantization(loc, locationOf(known.dequantize)),
                                                          realType(known.shape), quantized);
  }
  return known.value;
}

Value Importer::imageOf(const Node &node, int input) {
  Value value = valueOf(node, input);
  Shape shape(cast<RankedTensorType>(value.getType()).getShape());
  if (shape.size() == 3)
    shape.insert(shape.begin() + 2, 1);
  return reshaped(value, shape, node.loc);
}

Value Importer::reshaped(Value value, const Shape &shape, Location loc) {
  const auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == ArrayRef<int64_t>(shape))
    return value;
  return builder.create<tosa::ReshapeOp>(loc, type.clone(shape), value, builder.getDenseI64ArrayAttr(shape));
}

Value Importer::plainOf(OnnxValue &known, Location loc) {
  Value value = valueOf(known, loc);
  auto type = cast<RankedTensorType>(value.getType());
  if (!isa<quant::QuantizedType>(type.getElementType()))
    return value;
  if (!known.plain)
    known.plain = builder.create<quant::StorageCastOp>(loc, type.clone(Type(builder.getI8Type())), value);
  return known.plain;
}

bool Importer::areReal(const Node &node) {
  for (int input = 0; input < node.proto.input_size(); ++input)
    if (has(node, input) && (!isReal(node, input) || llvm::is_contained(known(node, input).shape, 0)))
      return false;
  return true;
}

bool Importer::canMove(const Node &node) {
  const OnnxValue &in = known(node, 0);
  auto type = in.value ? cast<RankedTensorType>(in.value.getType()) : RankedTensorType();
  const bool isQuantized = type && isa<quant::UniformQuantizedType>(type.getElementType());
  return (isReal(node, 0) || isQuantized) && !llvm::is_contained(in.shape, 0);
}

void Importer::define(const Node &node, Value value, int output) {
  OnnxValue &made = values[node.proto.output(output)];
  made = OnnxValue();
  made.value = value;
  made.dtype = onnx::TensorProto::FLOAT;
  made.shape = Shape(cast<RankedTensorType>(value.getType()).getShape());
}

void Importer::defineMoved(const Node &node, Value value, int output) {
  const int32_t dtype = known(node, 0).dtype;
  define(node, value, output);
  values[node.proto.output(output)].dtype = dtype;
}

void Importer::defineConstant(const Node &node, HostTensorPtr constant) {
  OnnxValue &made = values[node.proto.output(0)];
  made = OnnxValue();
  made.dtype = constant->dtype;
  made.shape.assign(constant->shape.begin(), constant->shape.end());
  made.constant = std::move(constant);
  made.isConstant = true;
}

} // namespace daedalus::onnximport
