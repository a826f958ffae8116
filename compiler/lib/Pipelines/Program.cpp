// See Program.h.

#include "daedalus/Pipelines/Program.h"

#include "Diagnostics.h"

#include "daedalus/Conversion/FormKernels/Interface.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Graph.h"
#include "daedalus/support/input_file.h"
#include "daedalus/support/mlir_text.h"
#include "daedalus/support/process.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace daedalus {
namespace {

constexpr int64_t mostElements = int64_t(1) << 31;

/// Of a tensor of a static shape, up to mostElements.
std::optional<int64_t> elementsOf(Type type) {
  int64_t elements = 1;
  for (int64_t size : cast<RankedTensorType>(type).getShape())
    if (size && elements > mostElements / size)
      return std::nullopt;
    else
      elements *= size;
  return elements;
}

/// Of a static shape, dense, of elements that packages have.
bool isPlainTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  const Type element = tensor ? tensor.getElementType() : nullptr;
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
         (element.isSignlessInteger(8) || element.isSignlessInteger(16) || element.isSignlessInteger(32) ||
          element.isSignlessInteger(64) || element.isF16() || element.isBF16() || element.isF32() ||
          element.isF64());
}

class Checker {
public:
  explicit Checker(ModuleOp module) : module(module) {}
  ~Checker() { // the attributes that are in place own the data now
    for (const DenseResourceElementsHandle &resource : resources)
      DenseResourceElementsHandle::getManagerInterface(module.getContext()).update(resource.getKey(), {});
  }

  LogicalResult check() {
    const bool hasGraph = qnn::isGraph(module);
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || main.isExternal())
      return module.emitError("has no function @main; expected one on tensors, where the program begins");
    if (main.getNumResults() == 0)
      return main.emitError("@main has no result; expected at least one tensor");
    for (Type type : llvm::concat<const Type>(main.getArgumentTypes(), main.getResultTypes()))
      if (failed(checkType(main, type)))
        return failure();
    if (failed(checkInterface(main)) || failed(qnn::graphOf(module)))
      return failure();
    for (Operation &op : module.getOps())
      if (auto function = dyn_cast<func::FuncOp>(op);
          !function && !isa<qnn::ExternalOp, host::PlacementOp>(op))
        return op.emitError("'") << op.getName() << "' is beside functions; expected functions alone";
      else if (function && !function.isExternal() && !(hasGraph && function == main) &&
               failed(checkBody(function)))
        return failure();
    return success();
  }

private:
  LogicalResult checkType(Operation *at, Type type) {
    if (!isPlainTensor(type))
      return at->emitError("has an argument or result of type ")
             << type << "; expected tensors of a static shape, of i8, i16, i32, i64, f16, bf16, f32 or f64";
    if (!elementsOf(type))
      return at->emitError("has a tensor of type ") << type << "; expected at most 2^31 elements";
    return success();
  }

  LogicalResult checkBody(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return function.emitError("has several blocks; expected one");
    const bool isMain = function.getName() == "main";
    const WalkResult walk = function.walk([&](Operation *op) {
      return op == function || succeeded(checkOperation(op, isMain)) ? WalkResult::advance()
                                                                     : WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
  }

  LogicalResult checkOperation(Operation *op, bool isMain) {
    if (auto call = dyn_cast<func::CallOp>(op))
      return checkCall(call, isMain);
    if (auto scale = dyn_cast<tosa::ApplyScaleOp>(op)) {
      if (failed(checkScale(scale)))
        return failure();
    } else if (!isa<func::FuncDialect, linalg::LinalgDialect, tensor::TensorDialect, arith::ArithDialect,
                    math::MathDialect, scf::SCFDialect, qnn::QnnDialect, cf::ControlFlowDialect>(
                   op->getDialect()))
      return op->emitError("is not an operation of linalg, tensor, arith, math, scf, qnn or func, "
                           "nor tosa.apply_scale");
    if (!isKnown(op))
      return op->emitError("is an operation that tensor programs do not have");
    if (isa<cf::AssertOp>(op))
      return success();
    if (!op->getNumRegions() && !isMemoryEffectFree(op))
      return op->emitError("may do more than compute values; expected operations on tensors and scalars");
    for (Type type : op->getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (isa<ShapedType>(type) && (!tensor || !tensor.hasStaticShape()))
        return op->emitError("has a result of type ") << type << "; expected tensors of a static shape";
    }
    for (NamedAttribute attribute : op->getAttrs())
      if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute.getValue()))
        if (failed(inPlace(op, attribute.getName(), resource)))
          return failure();
    return success();
  }

  static LogicalResult checkScale(tosa::ApplyScaleOp scale) {
    const auto has = [](Value value, unsigned bits) {
      return getElementTypeOrSelf(value.getType()).isSignlessInteger(bits);
    };
    if (has(scale.getValue(), 32) && has(scale.getMultiplier(), 32) && has(scale.getShift(), 8) &&
        has(scale.getOutput(), 32))
      return success();
    return scale.emitError("scales ")
           << scale.getValue().getType() << " by " << scale.getMultiplier().getType() << " and "
           << scale.getShift().getType() << " to " << scale.getType() << "; expected (i32, i32, i8) -> i32";
  }

  /// Of scf and tensor, what becomes something of linalg or has buffers on every target.
  static bool isKnown(Operation *op) {
    if (isa<scf::SCFDialect>(op->getDialect()))
      return isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op);
    if (isa<tensor::TensorDialect>(op->getDialect()))
      return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ConcatOp, tensor::DimOp, tensor::EmptyOp,
                 tensor::ExpandShapeOp, tensor::ExtractOp, tensor::ExtractSliceOp, tensor::GenerateOp,
                 tensor::InsertOp, tensor::InsertSliceOp, tensor::PadOp, tensor::YieldOp>(op);
    return true;
  }

  /// Constants that stand at the end of the text stand where they are used.
  LogicalResult inPlace(Operation *op, StringAttr name, DenseResourceElementsAttr resource) {
    const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return op->emitError("has the constant '")
             << resource.getRawHandle().getKey() << "' without its data; print the program in full";
    bool isSplat = false;
    if (!DenseElementsAttr::isValidRawBuffer(resource.getType(), blob->getData(), isSplat))
      return op->emitError("has the constant '")
             << resource.getRawHandle().getKey() << "', whose data is not of its type";
    op->setAttr(name, DenseElementsAttr::getFromRawBuffer(resource.getType(), blob->getData()));
    resources.push_back(resource.getRawHandle());
    return success();
  }

  LogicalResult checkCall(func::CallOp call, bool isMain) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (!isMain || call->getParentOp() != module.lookupSymbol("main"))
      return call.emitError("calls a function outside of @main; expected calls in @main alone");
    if (callee && qnn::externalName(callee))
      return success();
    if (!callee || callee.isExternal() || callee.getName() == "main")
      return call.emitError("calls '")
             << call.getCallee() << "', which is not a function with a body beside @main";
    if (callee.getNumResults() != 1)
      return call.emitError("calls '")
             << call.getCallee() << "', which has " << callee.getNumResults() << " results; expected one";
    for (Type type : llvm::concat<const Type>(callee.getArgumentTypes(), callee.getResultTypes()))
      if (!isa<RankedTensorType>(type) || !cast<RankedTensorType>(type).hasStaticShape())
        return call.emitError("calls '") << call.getCallee() << "' with a value of type " << type
                                         << "; expected tensors of a static shape";
    return success();
  }

  ModuleOp module;
  SmallVector<DenseResourceElementsHandle> resources; ///< that stood at the end of the text
};

} // namespace

bool isTensor(Type type) {
  return isPlainTensor(type) && elementsOf(type).has_value();
}

LogicalResult checkProgram(ModuleOp module) {
  return Checker(module).check();
}

bool isTensorProgram(const std::string &path) {
  return StringRef(path).ends_with(".mlir");
}

static Result<void> tryToParse(const std::string &text, const std::string &path,
                               const DialectRegistry &registry) {
  if (Result<void> plain = checkMlirText(text); !plain)
    return error(path + ": " + plain.error());
  // MLIR's own parser may end in a signal on texts that nobody has thought of, or use memory that it has
  // freed.
  const Result<CopyOutcome> tried = runInCopy([&]() -> std::string {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    const Diagnostics diagnostics(context);
    return parseSourceString<ModuleOp>(text, ParserConfig(&context), path) ? ""
                                                                           : diagnostics.take(path).message;
  });
  if (!tried)
    return error(tried.error());
  if (tried->status)
    return error(path + ": MLIR's parser ends with " + tried->ending() +
                 " on it, so it cannot be read; look at the attributes of its operations");
  return tried->text.empty() ? Result<void>() : error(tried->text);
}

Result<OwningOpRef<ModuleOp>> parseMlirText(const std::string &text, const std::string &name,
                                            MLIRContext &context) {
  if (Result<void> parsed = tryToParse(text, name, context.getDialectRegistry()); !parsed)
    return error(parsed.error());
  return parseSourceString<ModuleOp>(text, ParserConfig(&context), name);
}

Result<OwningOpRef<ModuleOp>> parseMlirFile(const std::string &path, MLIRContext &context) {
  Result<std::vector<uint8_t>> bytes = readFile(path, input::MlirText);
  if (!bytes)
    return error(bytes.error());
  const std::string text(bytes->begin(), bytes->end());
  std::vector<uint8_t>().swap(*bytes);
  return parseMlirText(text, path, context);
}

Result<OwningOpRef<ModuleOp>> readProgram(const std::string &path, MLIRContext &context) {
  Result<OwningOpRef<ModuleOp>> module = parseMlirFile(path, context);
  if (module && *module && failed(isLowered(**module) ? checkLowered(**module) : checkProgram(**module)))
    *module = nullptr;
  return module;
}

} // namespace daedalus
