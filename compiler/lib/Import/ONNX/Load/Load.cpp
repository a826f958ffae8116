// Parsing, and the order of the checks. libonnx's exceptions end here. libonnx 1.12 knows opsets up to 17 and
// rejects what it does not know, so newer models are checked by what is said here alone (Schema/Schemas.h).
//
// libonnx's own shape inference is not used: it divides by what it was given and reads where an axis says.

#include "Load/Load.h"

#include "Load/BatchStatistics.h"
#include "Load/Branches.h"
#include "Load/ExternalData.h"
#include "Load/Functions.h"
#include "Load/Inputs.h"
#include "Load/NodeOrder.h"
#include "Load/QOperators.h"
#include "Node.h"
#include "OperatorTable.h"
#include "Schema/Check.h"
#include "Schema/Schemas.h"

#include "daedalus/support/one_line.h"

#include <google/protobuf/stubs/logging.h>
#include <onnx/checker.h>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

#include "llvm/ADT/ScopeExit.h"

#include <set>

using namespace mlir;

namespace daedalus::onnximport {
namespace {

constexpr int64_t checkerIrVersion = 8;

/// Whether nothing says the shape of what an operator gives before it runs.
bool hasOpenShape(const std::string &type) {
  static const std::set<std::string> all = {"Compress", "NonMaxSuppression", "NonZero", "StringSplit",
                                            "Unique"};
  return all.count(type) != 0;
}

class Loader {
public:
  Loader(StringRef source, const std::string &folder, MLIRContext &context, onnx::ModelProto &model)
      : source(source.str()), folder(folder), context(context), model(model) {}

  LogicalResult load(StringRef bytes, const GivenInputs &given) {
    if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !model.has_graph())
      return fail("is not an ONNX model: the file is truncated or corrupt; export the model again");
    if (const Result<void> good = checkContent(model); !good)
      return fail(good.error());
    if (const Result<void> good = orderNodes(model); !good)
      return fail(good.error());
    if (const Result<void> good = fixInputs(model, given); !good)
      return fail(good.error());
    if (const Result<void> good = flatten(); !good)
      return fail(good.error());
    if (failed(checkOperators()))
      return failure();
    if (const Result<void> good = checkTensors(model.graph()); !good)
      return fail(good.error());
    if (const Result<void> good = checkValues(model.graph()); !good)
      return emitError(UnknownLoc::get(&context)) << good.error();
    if (const Result<void> good = checkStructure(model.graph()); !good)
      return fail("is not a valid ONNX model: " + good.error());
    dropUnread(*model.mutable_graph(), opsets);
    if (failed(checkQuantized()) || failed(checkForms(model.graph(), opsets, context)) ||
        failed(checkFields()) || failed(lowerQuantized()))
      return failure();
    if (failed(checkNodes(*model.mutable_graph(), opsets, context)))
      return failure();
    foldBatchStatistics(*model.mutable_graph());
    return success();
  }

private:
  /// One graph without functions and branches, with all its data.
  Result<void> flatten() {
    if (Result<void> good = inlineFunctions(model); !good)
      return good;
    if (Result<void> good = inlineBranches(model, evaluator()); !good)
      return good;
    return readExternalData(*model.mutable_graph(), folder);
  }

  /// By loading the part of the model on which a value depends: it is an initializer afterwards. The inputs
  /// have their sizes already.
  Evaluate evaluator() {
    return [this](onnx::ModelProto part) -> std::optional<bool> {
      const ScopedDiagnosticHandler silence(&context, [](Diagnostic &) { return success(); });
      const std::string bytes = part.SerializeAsString(), output = part.graph().output(0).name();
      onnx::ModelProto loaded;
      if (failed(loadModel(bytes, source, folder, {}, context, loaded)))
        return std::nullopt;
      for (const auto &tensor : loaded.graph().initializer())
        if (tensor.name() == output)
          if (const auto host = decodeTensor(tensor);
              host && (*host)->dtype == onnx::TensorProto::BOOL && (*host)->size() == 1)
            return (*host)->ints[0] != 0;
      return std::nullopt;
    };
  }

  /// What libonnx says of the fields of a model that is no newer than it.
  LogicalResult checkFields() {
    if (opsets.declared > libraryOpset)
      return success();
    model.set_ir_version(std::min<int64_t>(model.ir_version(), checkerIrVersion));
    const std::vector<onnx::TypeProto_Tensor *> open = giveShapes();
    const auto takeAway =
        llvm::make_scope_exit([&] { llvm::for_each(open, [](auto *type) { type->clear_shape(); }); });
    try {
      onnx::checker::check_model(model);
    } catch (const std::exception &exception) {
      const std::string why = oneLine(exception.what());
      return fail("is not a valid ONNX model: " + why.substr(0, why.find_last_not_of(" .") + 1));
    }
    return success();
  }

  /// libonnx demands a shape of every output; those that say none get one.
  std::vector<onnx::TypeProto_Tensor *> giveShapes() {
    std::vector<onnx::TypeProto_Tensor *> open;
    for (auto &output : *model.mutable_graph()->mutable_output())
      if (output.type().has_tensor_type() && !output.type().tensor_type().has_shape()) {
        open.push_back(output.mutable_type()->mutable_tensor_type());
        open.back()->mutable_shape();
      }
    return open;
  }

  /// The counts and attributes of QLinearConv and the like.
  LogicalResult checkQuantized() {
    const auto &graph = model.graph();
    for (int i = 0; i < graph.node_size(); ++i)
      if (isQOperator(graph.node(i)))
        if (const Result<void> good = checkQOperator(graph.node(i), opsets.declared); !good)
          return kindError(graph.node(i), i) << good.error();
    return success();
  }

  /// They become QDQ form, where there are any.
  LogicalResult lowerQuantized() {
    auto &graph = *model.mutable_graph();
    if (llvm::none_of(graph.node(), isQOperator))
      return success();
    if (const Result<void> good = lowerQOperators(graph, opsets.declared, opsets.lowered); !good)
      return emitError(UnknownLoc::get(&context)) << good.error();
    return success();
  }

  LogicalResult fail(const std::string &what) {
    return emitError(UnknownLoc::get(&context)) << "'" << source << "' " << what;
  }

  InFlightDiagnostic nodeError(const onnx::NodeProto &node, int index) {
    return emitError(NameLoc::get(StringAttr::get(&context, nodeName(node, index))));
  }

  /// What the sentence does not say: which operator it is.
  InFlightDiagnostic kindError(const onnx::NodeProto &node, int index) {
    return emitError(sentenceLocation(&context, nodeName(node, index), nodeKind(node, opsets.declared)));
  }

  /// Every operator is one that the importer knows, at an opset whose meaning it knows.
  LogicalResult checkOperators() {
    bool external = false;
    for (const auto &import : model.opset_import()) {
      if (isOnnxDomain(import.domain()))
        opsets.declared = import.version();
      external |= import.domain() == externalDomain;
    }
    const int64_t opset = opsets.declared;
    int index = 0;
    for (auto &node : *model.mutable_graph()->mutable_node()) {
      int at = index++;
      if (node.domain() != externalDomain && failed(checkSizes(node, at)))
        return failure();
      if (node.domain() == externalDomain || isQOperator(node))
        continue;
      if (isOnnxDomain(node.domain()) && hasOpenShape(node.op_type()))
        return nodeError(node, at)
               << "operator '" << node.op_type()
               << "' gives a tensor whose shape depends on its inputs' values; expected "
                  "shapes that are known when the model is compiled: end the model before it";
      if (!isOnnxDomain(node.domain()) || !operatorOf(node.op_type()))
        return nodeError(node, at)
               << "operator '" << (node.domain().empty() ? "" : node.domain() + ".") << node.op_type()
               << "' of opset " << opset
               << " is not supported; docs/onnx.md lists those that are, and any operator of domain '"
               << externalDomain << "' calls a function of yours";
    }
    if (opset > newestOpset)
      return fail("uses opset " + std::to_string(opset) + "; expected at most " +
                  std::to_string(newestOpset) + ": export the model for an older opset");
    declareExternal(external);
    return success();
  }

  /// libonnx divides by strides without looking at them.
  LogicalResult checkSizes(const onnx::NodeProto &node, int index) {
    for (const auto &attribute : node.attribute())
      if (attribute.name() == "strides" || attribute.name() == "dilations" ||
          attribute.name() == "kernel_shape")
        for (int64_t size : attribute.ints())
          if (size < 1 || size > (1 << 24))
            return kindError(node, index) << "attribute '" << attribute.name() << "' holds " << size
                                          << "; expected sizes from 1 to 2^24";
    return success();
  }

  /// An external function's domain need not be declared.
  void declareExternal(bool hasExternal) {
    bool usesExternal = false;
    for (const auto &node : model.graph().node())
      usesExternal |= node.domain() == externalDomain;
    if (usesExternal && !hasExternal) {
      auto *import = model.add_opset_import();
      import->set_domain(externalDomain);
      import->set_version(1);
    }
  }

  std::string source;
  const std::string &folder;
  MLIRContext &context;
  onnx::ModelProto &model;
  Opsets opsets;
};

} // namespace

bool isOnnxDomain(const std::string &domain) {
  return domain.empty() || domain == "ai.onnx";
}

std::string nodeName(const onnx::NodeProto &node, int index) {
  return node.name().empty() ? node.op_type() + "_" + std::to_string(index) : node.name();
}

std::string nodeKind(const onnx::NodeProto &node, int64_t opset) {
  return isOnnxDomain(node.domain()) ? node.op_type() + " of opset " + std::to_string(opset)
                                     : node.domain() + "." + node.op_type();
}

LogicalResult loadModel(StringRef bytes, StringRef source, const std::string &folder,
                        const GivenInputs &given, MLIRContext &context, onnx::ModelProto &model) {
  google::protobuf::SetLogHandler(nullptr); // its complaints become diagnostics
  return Loader(source, folder, context, model).load(bytes, given);
}

} // namespace daedalus::onnximport
