// The QOperator form: how many inputs, outputs and attributes its operators have.

#include "Load/Load.h"
#include "Schema/Check.h"
#include "Schema/NodeCheck.h"

namespace daedalus::onnximport {
namespace {

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

} // namespace daedalus::onnximport
