// The walk over a graph's nodes: what each value is, computed node by node, and compared with what the model
// declares.

#include "Schema/Check.h"
#include "Schema/Fold.h"
#include "Schema/NodeCheck.h"
#include "Schema/Schemas.h"

#include "Load/Load.h"
#include "Load/QOperators.h"
#include "OperatorTable.h"
#include "Values/Types.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

Declared declaredOf(const onnx::TypeProto &type) {
  Declared declared;
  if (!type.has_tensor_type())
    return declared;
  declared.dtype = type.tensor_type().elem_type();
  if (!type.tensor_type().has_shape())
    return declared;
  declared.shape.emplace();
  for (const auto &dim : type.tensor_type().shape().dim())
    declared.shape->push_back(dim.has_dim_value() ? std::max<int64_t>(dim.dim_value(), -1) : -1);
  return declared;
}

/// The operator as the node's opset has it; null where it is another one than the rule is for.
const onnx::OpSchema *schemaOf(const onnx::NodeProto &node, int64_t opset) {
  const Operator *known = operatorOf(node.op_type());
  const onnx::OpSchema *schema = findSchema(node.op_type(), opset);
  const bool isOurs = schema && !schema->Deprecated() && known;
  return isOurs && schema->SinceVersion() >= known->oldest ? schema : nullptr;
}

std::string noSchema(const onnx::NodeProto &node, int64_t opset) {
  const Operator *known = operatorOf(node.op_type());
  const int oldest = known ? known->oldest : 1;
  return "operator '" + node.op_type() + "' of opset " + std::to_string(opset) +
         " is not supported; expected opset " + std::to_string(oldest) + " or newer";
}

/// Of a node that the importer has put there the place of the one that the model has.
Location placeOf(const onnx::NodeProto &node, const std::string &name, const Opsets &opsets,
                 MLIRContext &context) {
  if (const auto found = opsets.lowered.nodes.find(&node); found != opsets.lowered.nodes.end())
    return sentenceLocation(&context, found->second.name, found->second.kind);
  return sentenceLocation(&context, name, nodeKind(node, opsets.of(node)));
}

class Walk {
public:
  Walk(onnx::GraphProto &graph, const Opsets &opsets, MLIRContext &context)
      : graph(graph), opsets(opsets), context(context) {}

  LogicalResult run() {
    readGraph();
    int index = 0;
    for (const auto &proto : graph.node()) {
      const std::string name = nodeName(proto, index++);
      const Node node{proto, name, placeOf(proto, name, opsets, context), opsets.of(proto)};
      if (failed(proto.domain() == externalDomain ? external(node) : check(node)))
        return failure();
    }
    if (const Result<void> good = compareAll(); !good)
      return emitError(UnknownLoc::get(&context)) << good.error();
    storeConstants();
    writeTypes();
    return success();
  }

private:
  void readGraph() {
    for (const auto *list : {&graph.value_info(), &graph.output()})
      for (const auto &info : *list)
        merge(declared[info.name()], declaredOf(info.type()));
    implyShapes();
    for (const auto &input : graph.input()) {
      const Declared type = declaredOf(input.type());
      values[input.name()] = {
          type.dtype, Shape(type.shape ? Shape(type.shape->begin(), type.shape->end()) : Shape()), nullptr};
    }
    for (const auto &tensor : graph.initializer())
      values[tensor.name()] = constantOf(tensor);
  }

  /// Functions that ONNX writes for its operators end in casts and the like, and say no shape before them.
  void implyShapes() {
    for (int i = graph.node_size() - 1; i >= 0; --i) {
      const auto &node = graph.node(i);
      const Operator *known = operatorOf(node.op_type());
      const bool keepsShape = node.op_type() == "CastLike" || (known && known->isFunction);
      if (!keepsShape || node.input_size() == 0 || node.output_size() == 0)
        continue;
      const Declared &output = declared[node.output(0)];
      declared[node.input(0)].implied = output.shape ? output.shape : output.implied;
    }
  }

  static void merge(Declared &into, const Declared &from) {
    into.dtype = into.dtype ? into.dtype : from.dtype;
    if (!into.shape)
      into.shape = from.shape;
    else if (from.shape && from.shape->size() == into.shape->size())
      for (size_t d = 0; d < from.shape->size(); ++d)
        (*into.shape)[d] = (*into.shape)[d] < 0 ? (*from.shape)[d] : (*into.shape)[d];
  }

  /// Integers, which may be indices or shapes, and what is small: scales, repeats.
  static Known constantOf(const onnx::TensorProto &tensor) {
    constexpr int64_t few = 1024;
    Known known{tensor.data_type(), Shape(tensor.dims().begin(), tensor.dims().end()), nullptr};
    const int64_t count = elementCount({tensor.dims().begin(), tensor.dims().end()});
    if (count <= few || tensor.data_type() == onnx::TensorProto::INT64 ||
        tensor.data_type() == onnx::TensorProto::INT32)
      if (const Result<HostTensorPtr> constant = decodeTensor(tensor)) // the importer says why it is none
        known.constant = *constant;
    return known;
  }

  /// A function of the user's: its outputs are what the model declares.
  LogicalResult external(const Node &node) {
    for (const std::string &output : node.proto.output()) {
      if (const Result<void> good = checkDeclared(output, declared[output]); !good)
        return emitError(node.loc) << good.error();
      values[output] = {declared[output].dtype,
                        Shape(declared[output].shape->begin(), declared[output].shape->end()), nullptr};
    }
    return success();
  }

  LogicalResult check(const Node &node) {
    const auto &proto = node.proto;
    const onnx::OpSchema *schema = schemaOf(proto, node.opset);
    if (!schema)
      return emitError(NameLoc::get(StringAttr::get(&context, node.name))) << noSchema(proto, node.opset);
    std::vector<Known> inputs;
    std::vector<Declared> said;
    for (const std::string &input : proto.input())
      inputs.push_back(input.empty() ? Known() : values[input]);
    for (const std::string &output : proto.output())
      said.push_back(output.empty() ? Declared() : declared[output]);
    NodeCheck c(node, schema->SinceVersion(), std::move(inputs), std::move(said));
    c.names = &opsets.lowered.values;
    if (!checkTypes(c, *schema) || !operatorOf(proto.op_type())->rule(c) || !checkOutputTypes(c, *schema))
      return failure();
    return define(c);
  }

  /// The outputs' types, compared with the declared ones.
  LogicalResult define(NodeCheck &c) {
    fold(c);
    for (size_t i = 0; i < c.outputs.size(); ++i) {
      const std::string &name = c.node.proto.output(i);
      if (name.empty())
        continue;
      Result<void> good = c.outputs[i].isShapeOpen ? checkDeclared(name, c.declared[i]) : Result<void>();
      if (good)
        good = compare(name, c.outputs[i], c.declared[i]);
      if (!good)
        return failure(!c.fail(good.error()));
      values[name] = c.outputs[i];
    }
    return success();
  }

  /// A shape that comes at run time is declared.
  static Result<void> checkDeclared(const std::string &name, const Declared &declared) {
    const auto &shape = declared.shape ? declared.shape : declared.implied;
    if (!shape)
      return error("nothing says the shape of output '" + name +
                   "'; expected a static one: add it to the graph's value_info");
    if (llvm::any_of(*shape, [](int64_t size) { return size < 0; }))
      return error("output '" + name + "' has a dimension of unknown size; expected a static shape");
    return {};
  }

  /// One of another rank that leaves sizes open is a guess of its exporter, as ONNX Runtime takes it too.
  static bool fits(const Shape &computed, const std::optional<std::vector<int64_t>> &declared) {
    if (!declared)
      return true;
    if (declared->size() != computed.size())
      return llvm::is_contained(*declared, -1);
    for (size_t d = 0; d < computed.size(); ++d)
      if ((*declared)[d] >= 0 && (*declared)[d] != computed[d])
        return false;
    return true;
  }

  static Result<void> compare(const std::string &name, const Known &computed, const Declared &declared) {
    if (!isPlainType(computed.dtype))
      return error("output '" + name + "' has type " + dtypeName(computed.dtype) + "; expected " +
                   plainTypeNames);
    if (declared.dtype && declared.dtype != computed.dtype)
      return error("output '" + name + "' is declared with type " + dtypeName(declared.dtype) +
                   ", and it is " + dtypeName(computed.dtype) + "; expected the same");
    if (!fits(computed.shape, declared.shape))
      return error("output '" + name + "' is declared with shape " + shapeText(*declared.shape) +
                   ", and it is " + shapeText(computed.shape) + "; expected the same");
    return {};
  }

  /// Outputs that no node computes, and what is declared twice.
  Result<void> compareAll() {
    for (const auto *list : {&graph.value_info(), &graph.output()})
      for (const auto &info : *list)
        if (auto found = values.find(info.name()); found != values.end())
          if (Result<void> good = compare(info.name(), found->second, declaredOf(info.type())); !good)
            return good;
    return {};
  }

  static void write(const Known &known, onnx::ValueInfoProto &info) {
    auto *type = info.mutable_type()->mutable_tensor_type();
    type->set_elem_type(known.dtype);
    type->clear_shape();
    type->mutable_shape();
    for (int64_t size : known.shape)
      type->mutable_shape()->add_dim()->set_dim_value(size);
  }

  /// Nodes whose outputs are known are constants: nothing is left of the arithmetic of shapes.
  void storeConstants() {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    nodes.Swap(graph.mutable_node());
    int index = 0;
    for (auto &node : nodes) {
      node.set_name(nodeName(node, index++)); // its index is another one afterwards
      const bool isConstant =
          node.domain() != externalDomain && llvm::all_of(node.output(), [&](const std::string &output) {
            return output.empty() || values[output].constant;
          });
      if (!isConstant) {
        graph.add_node()->Swap(&node);
        continue;
      }
      for (const std::string &output : node.output())
        if (!output.empty())
          *graph.add_initializer() = encodeTensor(output, *values[output].constant);
    }
  }

  /// The importer reads types from value_info and outputs.
  void writeTypes() {
    std::set<std::string> outputs;
    for (auto &output : *graph.mutable_output()) {
      outputs.insert(output.name());
      write(values[output.name()], output);
    }
    graph.clear_value_info();
    for (const auto &node : graph.node())
      for (const std::string &output : node.output())
        if (!output.empty() && !outputs.count(output)) {
          auto *info = graph.add_value_info();
          info->set_name(output);
          write(values[output], *info);
        }
  }

  onnx::GraphProto &graph;
  const Opsets &opsets;
  MLIRContext &context;
  std::map<std::string, Known> values;
  std::map<std::string, Declared> declared;
};

} // namespace

LogicalResult checkForms(const onnx::GraphProto &graph, const Opsets &opsets, MLIRContext &context) {
  int index = 0;
  for (const auto &proto : graph.node()) {
    const std::string name = nodeName(proto, index++);
    if (!isOnnxDomain(proto.domain()) || isQOperator(proto))
      continue;
    const Location loc = placeOf(proto, name, opsets, context);
    const onnx::OpSchema *schema = schemaOf(proto, opsets.of(proto));
    if (!schema)
      return emitError(NameLoc::get(StringAttr::get(&context, name))) << noSchema(proto, opsets.of(proto));
    const Node node{proto, name, loc, opsets.of(proto)};
    NodeCheck check(node, schema->SinceVersion(), {}, {});
    if (!checkForm(check, *schema))
      return failure();
  }
  return success();
}

void dropUnread(onnx::GraphProto &graph, const Opsets &opsets) {
  std::set<std::string> read;
  for (const auto &output : graph.output())
    read.insert(output.name());
  for (const auto &node : graph.node())
    read.insert(node.input().begin(), node.input().end());
  for (auto &node : *graph.mutable_node()) {
    const onnx::OpSchema *schema = isOnnxDomain(node.domain()) ? schemaOf(node, opsets.of(node)) : nullptr;
    for (int i = node.output_size() - 1; schema && i > 0 && !read.count(node.output(i)); --i) {
      const auto &parameters = schema->outputs();
      if (i >= int(parameters.size()) || parameters[i].GetOption() != onnx::OpSchema::Optional)
        break;
      node.mutable_output()->RemoveLast();
    }
  }
}

LogicalResult checkNodes(onnx::GraphProto &graph, const Opsets &opsets, MLIRContext &context) {
  return Walk(graph, opsets, context).run();
}

} // namespace daedalus::onnximport
