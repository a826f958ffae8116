// A node against its operator's schema, which libonnx knows for every opset: how many inputs and outputs,
// which attributes of which kind, which types, and which of them are the same.

#include "Schema/NodeCheck.h"
#include "Schema/Schemas.h"

#include "Values/Types.h"

#include <onnx/defs/schema.h>

#include <cmath>

using llvm::Twine;

namespace daedalus::onnximport {

using onnx::OpSchema;
using Kind = onnx::AttributeProto;

std::string kindName(int kind) {
  switch (kind) {
  case Kind::INT:
    return "an integer";
  case Kind::FLOAT:
    return "a float";
  case Kind::STRING:
    return "a string";
  case Kind::TENSOR:
    return "a tensor";
  case Kind::INTS:
    return "integers";
  case Kind::FLOATS:
    return "floats";
  case Kind::STRINGS:
    return "strings";
  default:
    return "of another kind";
  }
}

/// A kind that the fields contradict is no kind at all.
bool holdsItsKind(const onnx::AttributeProto &attribute) {
  const int kind = attribute.type();
  return (!attribute.has_f() || kind == Kind::FLOAT) && (!attribute.has_i() || kind == Kind::INT) &&
         (!attribute.has_s() || kind == Kind::STRING) && (!attribute.has_t() || kind == Kind::TENSOR) &&
         (attribute.ints().empty() || kind == Kind::INTS) &&
         (attribute.floats().empty() || kind == Kind::FLOATS) && attribute.ref_attr_name().empty();
}

namespace {

/// "tensor(float)" for FLOAT.
std::string typeText(int32_t dtype) {
  if (dtype == onnx::TensorProto::FLOAT || dtype == onnx::TensorProto::DOUBLE)
    return dtype == onnx::TensorProto::FLOAT ? "tensor(float)" : "tensor(double)";
  return "tensor(" + dtypeName(dtype) + ")";
}

bool allows(const OpSchema::FormalParameter &parameter, int32_t dtype) {
  const std::string text = typeText(dtype);
  return llvm::any_of(parameter.GetTypes(), [&](const std::string *one) { return *one == text; });
}

std::string allowedNames(const OpSchema::FormalParameter &parameter) {
  std::vector<std::string> names;
  for (int32_t dtype : plainTypes())
    if (allows(parameter, dtype))
      names.push_back(dtypeName(dtype));
  return names.empty() ? "a type that is not supported" : choice(names);
}

/// The parameter of an input or output; the last one where it is variadic.
const OpSchema::FormalParameter &parameterOf(const std::vector<OpSchema::FormalParameter> &all, size_t at) {
  return all[std::min(at, all.size() - 1)];
}

bool countsFit(NodeCheck &c, const OpSchema &schema) {
  auto fits = [&](const char *what, const auto &names, const auto &parameters, int least, int most) {
    const int count = names.size();
    if (count < least || count > most)
      return c.fail("has " + Twine(count) + " " + what + "; expected " +
                    (least == most ? std::to_string(least)
                     : most > 1000 ? "at least " + std::to_string(least)
                                   : std::to_string(least) + " to " + std::to_string(most)));
    for (int i = 0; i < count; ++i)
      if (names.Get(i).empty() && parameterOf(parameters, i).GetOption() != OpSchema::Optional)
        return c.fail("has no name for its " + std::string(what, std::strlen(what) - 1) + " " + Twine(i) +
                      " ('" + parameterOf(parameters, i).GetName() + "'); expected a value");
    return true;
  };
  return fits("inputs", c.node.proto.input(), schema.inputs(), schema.min_input(), schema.max_input()) &&
         fits("outputs", c.node.proto.output(), schema.outputs(), schema.min_output(), schema.max_output());
}

/// libonnx refuses them.
bool isEmptyList(const onnx::AttributeProto &attribute) {
  return (attribute.type() == Kind::INTS && attribute.ints().empty()) ||
         (attribute.type() == Kind::FLOATS && attribute.floats().empty()) ||
         (attribute.type() == Kind::STRINGS && attribute.strings().empty());
}

std::string attributeNames(const OpSchema &schema) {
  std::vector<std::string> names;
  for (const auto &[name, attribute] : schema.attributes())
    names.push_back(name);
  return names.empty() ? "no attributes" : choice(names);
}

bool attributesFit(NodeCheck &c, const OpSchema &schema) {
  std::set<std::string> seen;
  for (const auto &attribute : c.node.proto.attribute()) {
    const std::string &name = attribute.name();
    if (!seen.insert(name).second)
      return c.fail("has attribute '" + name + "' twice; expected it once");
    auto known = schema.attributes().find(name);
    if (known == schema.attributes().end())
      return c.fail("has an attribute '" + name + "', which operator '" + schema.Name() + "' of opset " +
                    Twine(c.version) + " does not have; expected " + attributeNames(schema));
    if (attribute.type() != known->second.type || !holdsItsKind(attribute))
      return c.fail("attribute '" + name + "' is " + kindName(attribute.type()) + "; expected " +
                    kindName(known->second.type));
    if (isEmptyList(attribute) && c.node.opset <= libraryOpset)
      return c.failAttribute(name, "[]", "at least one entry");
    if (attribute.type() == Kind::FLOAT && !std::isfinite(attribute.f()))
      return c.failAttribute(name, std::to_string(attribute.f()), "a finite number");
  }
  for (const auto &[name, attribute] : schema.attributes())
    if (attribute.required && !seen.count(name))
      return c.fail("has no attribute '" + name + "'; expected " + kindName(attribute.type));
  return true;
}

/// Types that have one name in the schema are the same.
using Bound = std::map<std::string, std::pair<int32_t, std::string>>;

bool bindInput(NodeCheck &c, size_t input, const OpSchema::FormalParameter &parameter, Bound &bound) {
  const int32_t dtype = c.dtype(input);
  if (!allows(parameter, dtype))
    return c.failPlainly("input '" + c.name(input) + "' has type " + dtypeName(dtype) + "; expected " +
                         allowedNames(parameter));
  if (parameter.GetOption() == OpSchema::Variadic && !parameter.GetIsHomogeneous())
    return true;
  auto [found, isNew] = bound.insert({parameter.GetTypeStr(), {dtype, c.name(input)}});
  if (!isNew && found->second.first != dtype)
    return c.failPlainly("has inputs of types " + dtypeName(found->second.first) + " and " +
                         dtypeName(dtype) + "; expected one type for '" + found->second.second + "' and '" +
                         c.name(input) + "'");
  return true;
}

} // namespace

bool checkForm(NodeCheck &check, const OpSchema &schema) {
  return countsFit(check, schema) && attributesFit(check, schema);
}

bool checkTypes(NodeCheck &c, const OpSchema &schema) {
  Bound bound;
  for (size_t i = 0; i < c.inputs.size(); ++i)
    if (c.has(i) && !bindInput(c, i, parameterOf(schema.inputs(), i), bound))
      return false;
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    const auto &parameter = parameterOf(schema.outputs(), i);
    auto found = bound.find(parameter.GetTypeStr());
    if (found != bound.end()) {
      c.outputs[i].dtype = found->second.first;
      continue;
    }
    std::vector<int32_t> possible;
    for (int32_t dtype : plainTypes())
      if (allows(parameter, dtype))
        possible.push_back(dtype);
    if (possible.size() == 1)
      c.outputs[i].dtype = possible[0];
  }
  return true;
}

/// PyTorch's exports of opset 6 have integers in a Constant, which opset 1 to 8 allow floats alone.
bool checkOutputTypes(NodeCheck &c, const OpSchema &schema) {
  if (schema.Name() == "Constant")
    return true;
  for (size_t i = 0; i < c.outputs.size(); ++i)
    if (const auto &parameter = parameterOf(schema.outputs(), i);
        isPlainType(c.outputs[i].dtype) && !allows(parameter, c.outputs[i].dtype))
      return c.fail("output '" + c.node.proto.output(i) + "' has type " + dtypeName(c.outputs[i].dtype) +
                    "; expected " + allowedNames(parameter));
  return true;
}

} // namespace daedalus::onnximport
