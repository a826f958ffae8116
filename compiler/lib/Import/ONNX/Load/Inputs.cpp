// See Inputs.h.

#include "Load/Inputs.h"

#include "Load/Dimensions.h"

#include <algorithm>
#include <set>

namespace daedalus::onnximport {
namespace {

using onnx::GraphProto;
using onnx::TensorShapeProto;
using onnx::ValueInfoProto;

constexpr int64_t mostElements = int64_t(1) << 31;

std::set<std::string> constantsOf(const GraphProto &graph) {
  std::set<std::string> names;
  for (const auto &tensor : graph.initializer())
    names.insert(tensor.name());
  return names;
}

/// The size of each symbol, and the input that gave it.
class Symbols {
public:
  Result<void> bind(const std::string &symbol, int64_t size, const std::string &input) {
    if (!isSymbol(symbol))
      return {};
    const auto [found, isNew] = sizes.insert({symbol, {size, input}});
    const auto &[earlier, other] = found->second;
    if (isNew || earlier == size)
      return {};
    return error("has dimensions of size '" + symbol + "', to which --shape gives " +
                 std::to_string(earlier) + " in input '" + other + "' and " + std::to_string(size) +
                 " in input '" + input + "'; expected the same size");
  }

  void substitute(ValueInfoProto &value) const {
    if (!hasShape(value))
      return;
    for (Dimension &dim : *shapeOf(value).mutable_dim())
      if (const auto found = sizes.find(dim.dim_param()); dim.has_dim_param() && found != sizes.end())
        dim.set_dim_value(found->second.first);
  }

private:
  std::map<std::string, std::pair<int64_t, std::string>> sizes;
};

class Inputs {
public:
  Inputs(GraphProto &graph, const GivenInputs &given) : graph(graph), given(given) {
    const std::set<std::string> constants = constantsOf(graph);
    for (ValueInfoProto &input : *graph.mutable_input())
      if (!constants.count(input.name()))
        inputs.push_back(&input);
  }

  Result<void> run() {
    clearUnknownSizes(graph);
    for (const auto &[name, sizes] : given.shapes)
      if (Result<void> good = giveShape(name, sizes); !good)
        return good;
    substitute();
    if (Result<void> good = fixBatch(); !good)
      return good;
    substitute();
    for (ValueInfoProto *input : inputs)
      if (Result<void> good = checkSizes(*input); !good)
        return good;
    for (const auto &[name, number] : given.constants)
      if (Result<void> good = makeConstant(name, number); !good)
        return good;
    return {};
  }

private:
  /// The input that an option names.
  Result<ValueInfoProto *> inputOf(const std::string &name, const std::string &option) const {
    if (name.empty() && inputs.size() == 1)
      return inputs[0];
    std::string all;
    for (ValueInfoProto *input : inputs) {
      if (input->name() == name && !name.empty())
        return input;
      all += (all.empty() ? "'" : ", '") + input->name() + "'";
    }
    if (inputs.empty())
      return error("has no inputs; expected some for " + option);
    if (name.empty())
      return error("has " + std::to_string(inputs.size()) + " inputs; expected " + option +
                   " INPUT=... with one of " + all);
    return error("has no input '" + name + "', which " + option + " names; its inputs are " + all);
  }

  Result<void> giveShape(const std::string &name, const std::vector<int64_t> &sizes) {
    const Result<ValueInfoProto *> found = inputOf(name, "--shape");
    if (!found)
      return error(found.error());
    ValueInfoProto &input = **found;
    if (!input.type().has_tensor_type())
      return {}; // checkTensors
    if (!hasShape(input))
      for (size_t i = 0; i < sizes.size(); ++i)
        shapeOf(input).add_dim();
    TensorShapeProto &shape = shapeOf(input);
    const std::string gives = "has input '" + input.name() + "' of shape " + dimensionsText(shape) +
                              ", to which --shape gives " + sizesText(sizes) + "; expected ";
    if (shape.dim_size() != static_cast<int>(sizes.size()))
      return error(gives + "as many sizes");
    for (int i = 0; i < shape.dim_size(); ++i) {
      Dimension &dim = *shape.mutable_dim(i);
      if (sizes[i] < 0 || sizes[i] > mostElements)
        return error(gives + "sizes from 0 to 2^31");
      if (dim.has_dim_value() && dim.dim_value() >= 0 && dim.dim_value() != sizes[i])
        return error(gives + std::to_string(dim.dim_value()) + " for dimension " + std::to_string(i));
      if (Result<void> good = symbols.bind(dim.dim_param(), sizes[i], input.name()); !good)
        return good;
      if (!dim.has_dim_value())
        dim.set_dim_value(sizes[i]);
    }
    return {};
  }

  /// In all inputs, outputs and values between them.
  void substitute() {
    for (auto *list : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()})
      for (ValueInfoProto &value : *list)
        symbols.substitute(value);
  }

  /// Symbols of dimensions that are no batch.
  std::set<std::string> inner() const {
    std::set<std::string> symbols;
    for (const ValueInfoProto *input : inputs) {
      const auto &dims = input->type().tensor_type().shape().dim();
      for (int i = 1; i < dims.size(); ++i)
        if (isSymbol(dims[i].dim_param()))
          symbols.insert(dims[i].dim_param());
    }
    return symbols;
  }

  /// A first dimension that nobody gives is 1, but for one whose size another dimension has too.
  Result<void> fixBatch() {
    const std::set<std::string> others = inner();
    for (ValueInfoProto *input : inputs) {
      if (!hasShape(*input) || shapeOf(*input).dim_size() == 0 || shapeOf(*input).dim(0).has_dim_value() ||
          others.count(shapeOf(*input).dim(0).dim_param()))
        continue;
      Dimension &first = *shapeOf(*input).mutable_dim(0);
      if (Result<void> good = symbols.bind(first.dim_param(), 1, input->name()); !good)
        return good;
      first.set_dim_value(1);
    }
    return {};
  }

  Result<void> checkSizes(ValueInfoProto &input) const {
    const std::string who = "input '" + input.name() + "'";
    if (!input.type().has_tensor_type())
      return {}; // checkTensors
    if (!hasShape(input))
      return error("gives no shape for " + who + "; expected one that is known when the model is compiled: " +
                   "give it, for example --shape " + input.name() + "=1x3x224x224");
    double elements = 1, largest = 0;
    for (int i = 0; i < shapeOf(input).dim_size(); ++i) {
      const Dimension &dim = shapeOf(input).dim(i);
      const std::string of = "has " + who + " with dimension " + std::to_string(i) + " of ";
      if (!dim.has_dim_value())
        return error(of + "unknown size" + (isSymbol(dim.dim_param()) ? " '" + dim.dim_param() + "'" : "") +
                     "; expected sizes that are known when the model is compiled; give them, for example" +
                     exampleShapes(inputs));
      if (dim.dim_value() < 0)
        return error(of + "size " + std::to_string(dim.dim_value()) + "; expected at least 0");
      elements *= static_cast<double>(dim.dim_value());
      largest = std::max(largest, static_cast<double>(dim.dim_value()));
    }
    if (elements > double(mostElements) || largest > double(mostElements))
      return error("has " + who + " of shape " + dimensionsText(shapeOf(input)) +
                   ", which is more than 2^31 elements; expected a smaller one");
    return {};
  }

  Result<void> makeConstant(const std::string &name, const std::string &number) {
    const Result<ValueInfoProto *> input = inputOf(name, "--set");
    if (!input)
      return error(input.error());
    Result<onnx::TensorProto> tensor = constantOf(**input, number);
    if (!tensor)
      return error("has input '" + (*input)->name() + "' " + tensor.error());
    *graph.add_initializer() = std::move(*tensor);
    return {};
  }

  GraphProto &graph;
  const GivenInputs &given;
  std::vector<ValueInfoProto *> inputs;
  Symbols symbols;
};

} // namespace

Result<void> checkTensors(const GraphProto &graph) {
  const std::set<std::string> constants = constantsOf(graph);
  for (const ValueInfoProto &input : graph.input())
    if (!constants.count(input.name()) && !input.type().has_tensor_type())
      return error("gives no shape for input '" + input.name() + "'; expected a tensor of static shape");
  return {};
}

Result<void> fixInputs(onnx::ModelProto &model, const GivenInputs &given) {
  return Inputs(*model.mutable_graph(), given).run();
}

} // namespace daedalus::onnximport
