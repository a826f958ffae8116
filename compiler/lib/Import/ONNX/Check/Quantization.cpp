// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear; and the counts of the QOperator form, which no
// schema of libonnx says.

#include "Check.h"
#include "NodeCheck.h"

#include "../General/Types.h"
#include "../Load.h"

#include <cmath>

using llvm::Twine;

namespace daedalus::onnximport {
namespace {

using C = NodeCheck;

/// A scale, or a zero point, is one number, or one for each index of the axis; both alike.
bool parameters(C &c) {
  for (size_t input : {1, 2})
    if (c.has(input) && c.rank(input) > 1)
      return c.fail("parameter '" + c.name(input) + "' has shape " + shapeText(c.shape(input)) +
                    "; expected a scalar or one dimension");
  if (c.has(2) && c.elements(2) != c.elements(1))
    return c.fail("has " + Twine(c.elements(1)) + " scales and " + Twine(c.elements(2)) +
                  " zero points; expected as many");
  if (c.elements(1) == 1)
    return true;
  int64_t axis = 0;
  if (!c.axis("axis", 1, c.rank(0), axis))
    return false;
  return c.shape(0)[axis] == c.elements(1) ||
         c.fail("has " + Twine(c.elements(1)) + " scales for axis " + Twine(axis) + " of a tensor of shape " +
                shapeText(c.shape(0)) + "; expected " + Twine(c.shape(0)[axis]) + " or one");
}

bool positiveScales(C &c) {
  if (const HostTensor *scales = c.constant(1))
    for (float scale : scales->floats)
      if (!(scale > 0) || std::isinf(scale))
        return c.fail("scale '" + c.name(1) + "' holds " + std::to_string(scale) +
                      "; expected a positive number");
  return true;
}

/// Attributes of newer opsets, where they say what the older ones mean.
bool isPlain(C &c, Text key, int64_t same, Text expected) {
  const int64_t value = c.integer(key, 0);
  return value == 0 || value == same || c.failAttribute(key, Twine(value), expected);
}

bool quantize(C &c) {
  c.outputs[0].dtype = quantizedType(c.node, c.dtype(2));
  if (c.has(2) && c.outputs[0].dtype != c.dtype(2))
    return c.failAttribute("output_dtype", Twine(c.integer("output_dtype", 0)),
                           Twine(c.dtype(2)) + " (" + dtypeName(c.dtype(2)) +
                               "), the type of the zero point");
  if (!isPlain(c, "block_size", 0, "0: blocks with a scale of their own are not supported") ||
      !isPlain(c, "precision", onnx::TensorProto::FLOAT, "0 or 1 (float32)"))
    return false;
  return c.isFlag("saturate") && parameters(c) && positiveScales(c) && c.like(0);
}

bool dequantize(C &c) {
  const int32_t given = typeAttribute(c.node, "output_dtype", 0);
  if (given && !isFloat32Type(given))
    return c.failAttribute("output_dtype", Twine(c.integer("output_dtype", 0)),
                           "0, 1 (float32), 10 (float16) or 16 (bfloat16)");
  c.outputs[0].dtype = given ? given : c.dtype(1);
  if (!isPlain(c, "block_size", 0, "0: blocks with a scale of their own are not supported"))
    return false;
  return parameters(c) && positiveScales(c) && c.like(0);
}

bool dynamicQuantize(C &c) {
  return c.like(0) && c.output(1, {}) && c.output(2, {}) && c.isNotEmpty(0);
}

/// Of a QOperator: its inputs, which of them may be left out, and its attributes with their kinds.
struct QForm {
  int least, most;
  std::set<int> optional;
  std::map<std::string, onnx::AttributeProto::AttributeType> attributes;
};

const std::map<std::string, QForm> &qForms() {
  using A = onnx::AttributeProto;
  const std::map<std::string, A::AttributeType> convolution = {
      {"auto_pad", A::STRING},   {"dilations", A::INTS}, {"group", A::INT},
      {"kernel_shape", A::INTS}, {"pads", A::INTS},      {"strides", A::INTS}};
  const std::map<std::string, A::AttributeType> pool = {
      {"auto_pad", A::STRING},       {"ceil_mode", A::INT},     {"channels_last", A::INT},
      {"count_include_pad", A::INT}, {"kernel_shape", A::INTS}, {"pads", A::INTS},
      {"strides", A::INTS}};
  static const std::map<std::string, QForm> forms = {
      {"QLinearConv", {8, 9, {8}, convolution}},
      {"QLinearMatMul", {8, 8, {}, {}}},
      {"QGemm", {6, 9, {6, 7, 8}, {{"alpha", A::FLOAT}, {"transA", A::INT}, {"transB", A::INT}}}},
      {"QLinearAdd", {7, 8, {2, 5, 7}, {}}},
      {"QLinearMul", {7, 8, {2, 5, 7}, {}}},
      {"QLinearAveragePool", {4, 5, {2, 4}, pool}},
      {"QLinearGlobalAveragePool", {5, 5, {}, {{"channels_last", A::INT}}}},
      {"QLinearSigmoid", {4, 5, {2, 4}, {}}},
      {"QLinearSoftmax", {4, 5, {2, 4}, {{"axis", A::INT}, {"opset", A::INT}}}},
      {"QLinearLeakyRelu", {4, 5, {2, 4}, {{"alpha", A::FLOAT}}}},
      {"QLinearConcat", {5, 1 << 20, {}, {{"axis", A::INT}}}}};
  return forms;
}

std::string namesOf(const QForm &form) {
  std::vector<std::string> names;
  for (const auto &[name, kind] : form.attributes)
    names.push_back(name);
  return names.empty() ? "no attributes" : choice(names);
}

} // namespace

Result<void> checkQOperator(const onnx::NodeProto &node, int64_t opset) {
  const auto found = qForms().find(node.op_type());
  if (found == qForms().end())
    return {};
  if (isOnnxDomain(node.domain()) && opset < 10)
    return error("operator '" + node.op_type() + "' of opset " + std::to_string(opset) +
                 " is not supported; expected opset 10 or newer");
  const QForm &form = found->second;
  const int count = node.input_size();
  if (count < form.least || count > form.most || node.output_size() != 1)
    return error("has " + std::to_string(count) + " inputs and " + std::to_string(node.output_size()) +
                 " outputs; expected " + std::to_string(form.least) +
                 (form.most == form.least ? ""
                  : form.most > 1000      ? " or more"
                                          : " to " + std::to_string(form.most)) +
                 " and 1");
  if (node.op_type() == "QLinearConcat" && (count - 2) % 3)
    return error("has " + std::to_string(count) + " inputs; expected two and three for each part");
  for (int i = 0; i < count; ++i)
    if (node.input(i).empty() && !form.optional.count(i))
      return error("has no name for its input " + std::to_string(i) + "; expected a value");
  std::set<std::string> seen;
  for (const auto &attribute : node.attribute()) {
    const auto known = form.attributes.find(attribute.name());
    if (known == form.attributes.end() || !seen.insert(attribute.name()).second)
      return error("has an attribute '" + attribute.name() + "' " +
                   (known == form.attributes.end()
                        ? "that the operator does not have; expected " + namesOf(form)
                        : "twice; expected it once"));
    if (attribute.type() != known->second || !holdsItsKind(attribute))
      return error("attribute '" + attribute.name() + "' is " + kindName(attribute.type()) + "; expected " +
                   kindName(known->second));
    if (attribute.type() == onnx::AttributeProto::INTS && attribute.ints().empty())
      return error("attribute '" + attribute.name() + "' has value []; expected at least one entry");
    if (attribute.type() == onnx::AttributeProto::FLOAT && !std::isfinite(attribute.f()))
      return error("attribute '" + attribute.name() + "' has value " + std::to_string(attribute.f()) +
                   "; expected a finite number");
  }
  if (node.op_type() == "QLinearAveragePool" && !seen.count("kernel_shape"))
    return error("has no attribute 'kernel_shape'; expected integers");
  return {};
}

void addQuantizationChecks(Checks &checks) {
  checks.insert({{"DequantizeLinear", {10, dequantize}},
                 {"DynamicQuantizeLinear", {11, dynamicQuantize}},
                 {"QuantizeLinear", {10, quantize}}});
}

} // namespace daedalus::onnximport
