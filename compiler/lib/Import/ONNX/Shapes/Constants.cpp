// Constant, ConstantOfShape, Shape and Size.

#include "OperatorTable.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

bool constantOfShape(C &c) {
  if (!c.isVector(0))
    return false;
  c.outputs[0].dtype = onnx::TensorProto::FLOAT;
  if (const auto *value = c.attribute("value")) {
    const Result<HostTensorPtr> host = decodeTensor(value->t());
    if (!host || (*host)->size() != 1)
      return c.fail(
          "attribute 'value' " +
          (host ? "has shape " + shapeText((*host)->shape) + "; expected one number" : host.error()));
    c.outputs[0].dtype = (*host)->dtype;
  }
  const std::optional<Shape> shape = c.integers(0);
  if (!shape)
    return c.outputDeclared(0, c.shape(0)[0]);
  for (int64_t size : *shape)
    if (size < 0 || size > (int64_t(1) << 31))
      return c.fail("makes a tensor of shape " + shapeText(*shape) + "; expected sizes from 0 to 2^31");
  return c.output(0, *shape);
}

bool shapeOf(C &c) {
  const auto [start, end] = shapeRange(c.node, c.rank(0));
  return c.output(0, {end - start});
}

bool sizeOf(C &c) {
  return c.output(0, {});
}

bool constant(C &c) {
  const Result<HostTensorPtr> read = readConstant(c.node);
  if (!read)
    return c.fail(read.error());
  const HostTensorPtr &host = *read;
  c.outputs[0].dtype = host->dtype;
  c.outputs[0].constant = host;
  return c.output(0, Shape(host->shape.begin(), host->shape.end()));
}

Value constantOfShape(K &k) {
  Value fits = k.boolean(true);
  for (auto [d, size] : llvm::enumerate(k.output.shape))
    fits = k.both(fits, k.compare(Compare::Equal, k.indexAt(0, d), k.index(size)));
  k.require(fits, "shape");
  const auto *given = attribute(k.node, "value");
  const HostTensorPtr value = given ? *decodeTensor(given->t()) : nullptr; // checked
  const TypedAttr number = value ? k.numberOf(*value) : k.numberOf(0, k.outputType());
  return k.filled(k.output.shape, k.b.create<arith::ConstantOp>(k.loc, number));
}

Covered importConstant(Importer &im, const Node &node) {
  const Result<HostTensorPtr> constant = readConstant(node);
  if (!constant)
    return LogicalResult(im.fail(node) << constant.error());
  im.defineConstant(node, *constant);
  return true;
}

/// Shapes are static, so Shape and Size are constants.
Covered importSize(Importer &im, const Node &node) {
  const Shape shape = im.known(node, 0).shape;
  auto numbers = std::make_shared<HostTensor>();
  numbers->dtype = onnx::TensorProto::INT64;
  if (node.proto.op_type() == "Size") {
    numbers->ints = {elementCount({shape.begin(), shape.end()})};
  } else {
    const auto [start, end] = shapeRange(node, shape.size());
    numbers->ints = std::vector<int64_t>(shape.begin() + start, shape.begin() + end);
    numbers->shape = {end - start};
  }
  im.defineConstant(node, numbers);
  return true;
}

} // namespace

void addConstants(Operators &all) {
  const char *folded = "when compiling";
  all["Constant"] = {1, constant, nullptr, importConstant, folded};
  all["ConstantOfShape"] = {9, constantOfShape, constantOfShape};
  all["Shape"] = {1, shapeOf, nullptr, importSize, folded};
  all["Size"] = {1, sizeOf, nullptr, importSize, folded};
}

} // namespace daedalus::onnximport
