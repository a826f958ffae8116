// Functions of one quantized value: a chain of them, up to the QuantizeLinear, is one table of 256 entries.

#include "Importer.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using Function = std::function<double(double)>;

double hardSigmoid(double x, double alpha, double beta) {
  return std::max(0.0, std::min(1.0, alpha * x + beta));
}

/// The function of an operator of one input; empty where it is none that tables hold.
Function functionOf(const Node &node) {
  const std::string &type = node.proto.op_type();
  const float alpha = floatAttribute(node, "alpha",
                                     type == "LeakyRelu"     ? 0.01f
                                     : type == "HardSigmoid" ? 0.2f
                                                             : 1);
  const float beta = floatAttribute(node, "beta", 0.5f);
  static const std::map<std::string, Function> plain = {
      {"Abs", [](double x) { return std::abs(x); }},
      {"Erf", [](double x) { return std::erf(x); }},
      {"Exp", [](double x) { return std::exp(x); }},
      {"HardSwish", [](double x) { return x * hardSigmoid(x, 1.0 / 6, 0.5); }},
      {"Neg", [](double x) { return -x; }},
      {"Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"Softplus", [](double x) { return std::log1p(std::exp(x)); }},
      {"Softsign", [](double x) { return x / (1 + std::abs(x)); }},
      {"Sqrt", [](double x) { return std::sqrt(x); }},
      {"Tanh", [](double x) { return std::tanh(x); }}};
  if (auto found = plain.find(type); found != plain.end())
    return found->second;
  if (type == "LeakyRelu")
    return [alpha](double x) { return x < 0 ? alpha * x : x; };
  if (type == "HardSigmoid")
    return [alpha, beta](double x) { return hardSigmoid(x, alpha, beta); };
  if (type == "Elu")
    return [alpha](double x) { return x < 0 ? alpha * std::expm1(x) : x; };
  return nullptr;
}

/// Of an operator of two inputs, one of them the scalar `constant`.
Function functionWith(const std::string &type, double constant, bool isFirst) {
  if (type == "Add")
    return [=](double x) { return x + constant; };
  if (type == "Mul")
    return [=](double x) { return x * constant; };
  if (type == "Sub")
    return [=](double x) { return isFirst ? constant - x : x - constant; };
  if (type == "Div")
    return [=](double x) { return isFirst ? constant / x : x / constant; };
  if (type == "Pow" && !isFirst)
    return [=](double x) { return std::pow(x, constant); };
  return nullptr;
}

bool isScalar(const Edge &edge) {
  const bool isNumber = edge.kind == Edge::Kind::QuantizedConstant ||
                        (edge.kind == Edge::Kind::Constant && edge.constant->isFloat());
  return isNumber && edge.constant->size() == 1;
}

} // namespace

/// The function and which input it is of.
std::optional<std::pair<std::function<double(double)>, int>> Importer::unaryFunction(const Node &node) {
  for (int input : {0, 1}) {
    const Edge &in = edge(node, input);
    if (in.kind != Edge::Kind::Real && !in.lookup)
      continue;
    const Edge &other = edge(node, 1 - input);
    Function function;
    if (node.proto.input_size() == 1)
      function = functionOf(node);
    else if (node.proto.input_size() == 2 && isScalar(other) &&
             other.constant->shape.size() <= in.tensor.shape.size())
      function = functionWith(node.proto.op_type(), dequantizedConstant(other)->floats[0], input == 1);
    if (function)
      return std::pair(function, input);
  }
  return std::nullopt;
}

LogicalResult Importer::importLookup(const Node &node) {
  const auto [function, input] = *unaryFunction(node);
  const Edge in = edge(node, input);
  auto lookup = std::make_shared<Lookup>();
  lookup->source = in.lookup ? in.lookup->source : in.tensor;
  lookup->function = [function = function, before = in.lookup, lo = in.lo, hi = in.hi](double x) {
    x = before ? before->function(x) : x;
    return function(std::min<double>(std::max<double>(x, lo), hi));
  };
  Edge out;
  out.kind = Edge::Kind::Pending;
  out.tensor.shape = in.tensor.shape;
  out.names = in.lookup || in.clamped() ? in.names : std::vector<std::string>();
  out.names.push_back(node.name);
  out.lookup = lookup;
  out.emit = [this, lookup](const Output &output, Location loc) -> FailureOr<Tensor> {
    return emitLookup(*lookup, output, loc);
  };
  define(node, out);
  return success();
}

Tensor Importer::emitLookup(const Lookup &lookup, const Output &output, Location loc) {
  auto from = cast<QuantType>(lookup.source.elementType());
  std::vector<int8_t> table;
  for (int q = -128; q < 128; ++q) {
    const double x = static_cast<float>(from.getScale()) * static_cast<double>(q - from.getZeroPoint());
    const int64_t y = quantizeValue(static_cast<float>(lookup.function(x)), output.type.getScale(),
                                    output.type.getZeroPoint());
    table.push_back(static_cast<int8_t>(std::min(std::max(y, output.lo), output.hi)));
  }
  Tensor result = lookup.source;
  Value entries = constantOf(loc, {256}, table, output.type);
  auto type = cast<RankedTensorType>(result.value.getType()).clone(Type(output.type));
  result.value = builder.create<tosa::TableOp>(loc, type, result.value, entries);
  return result;
}

} // namespace daedalus::onnximport
