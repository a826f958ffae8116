// A checked ONNX model: parsed, with all its data, static in shape, shapes inferred.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_LOAD_LOAD_H
#define DAEDALUS_LIB_IMPORT_ONNX_LOAD_LOAD_H

#include "daedalus/Import/ONNX/GivenInputs.h"

#include <onnx/onnx_pb.h>

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LogicalResult.h"

namespace daedalus::onnximport {

/// Domain of nodes that call an external function by the name of their operator.
constexpr const char *externalDomain = "daedalus.external";

/// Whether operators of that domain are ONNX's own.
bool isOnnxDomain(const std::string &domain);

/// The node's name, or "OpType_index" where it has none.
std::string nodeName(const onnx::NodeProto &node, int index);

/// "Conv of opset 13"; "com.microsoft.QLinearAdd" where the domain is another one.
std::string nodeKind(const onnx::NodeProto &node, int64_t opset);

/// Parses and checks `bytes`, which `source` names; data outside of the model lie in `folder` (empty:
/// nowhere). On failure one diagnostic is emitted.
mlir::LogicalResult loadModel(llvm::StringRef bytes, llvm::StringRef source, const std::string &folder,
                              const GivenInputs &given, mlir::MLIRContext &context, onnx::ModelProto &model);

} // namespace daedalus::onnximport

#endif
