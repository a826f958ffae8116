// Plans: verifiers of all that can be said without the model and the machine, and how a kernel prints.

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/isa/field_limits.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

namespace daedalus::dae {
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

namespace {

constexpr int64_t MostSize = int64_t(1) << 31;

LogicalResult expectFrom(mlir::Operation *op, const char *what, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most)
    return success();
  return op->emitError("has ") << what << " " << value << "; expected " << least << " to " << most;
}

/// A hash as it is written: sixteen digits.
LogicalResult expectHash(mlir::Operation *op, const char *what, std::optional<mlir::StringRef> hash) {
  const auto isDigit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (!hash || (hash->size() == 16 && llvm::all_of(*hash, isDigit)))
    return success();
  return op->emitError("has the ") << what << " '" << *hash << "'; expected 16 digits from 0 to f";
}

/// What may stand inside of `op`.
template <class... Parts> LogicalResult expectParts(mlir::Operation *op, const char *expected) {
  for (mlir::Operation &part : op->getRegion(0).front())
    if (!mlir::isa<Parts...>(part))
      return part.emitError("'") << part.getName() << "' is in " << op->getName() << "; expected "
                                 << expected;
  return success();
}

} // namespace

LogicalResult PlanOp::verify() {
  if (static_cast<int64_t>(getFormat()) != Format)
    return emitError("is a plan of format ")
           << static_cast<int64_t>(getFormat()) << "; this compiler reads format " << Format;
  if (failed(expectHash(*this, "core hash", getCore())) ||
      failed(expectParts<GroupOp, KernelOp>(*this, "dae.kernel and dae.group")))
    return failure();
  return success();
}

LogicalResult GroupOp::verify() {
  const int64_t kernels = llvm::range_size(getBody().front());
  if (kernels < 2 || kernels > MostKernels)
    return emitError("has a group of ") << kernels << " kernels; expected 2 to " << MostKernels
                                        << " (one that runs alone is outside of groups)";
  if (failed(expectFrom(*this, "lag", getLag(), 0, MostLag)))
    return failure();
  return expectParts<KernelOp>(*this, "dae.kernel");
}

LogicalResult KernelOp::verify() {
  if (failed(expectHash(*this, "fingerprint", getFingerprint())) ||
      failed(expectFrom(*this, "call", getCall(), 0, MostSize)) ||
      failed(expectFrom(*this, "part", getPart(), 0, MostSize)) ||
      failed(expectParts<FuseOp, FoldOp, TileOp, ReorderOp, SplitOp, SlideOp, RampOp, HandOverOp>(
          *this, "decisions")))
    return failure();
  llvm::StringSet<> seen;
  for (mlir::Operation &decision : getBody().front())
    if (!seen.insert(decision.getName().getStringRef()).second)
      return decision.emitError("'") << decision.getName() << "' occurs twice in kernel '" << getCallee()
                                     << "'; expected it once";
  if (!seen.contains(TileOp::getOperationName()))
    return emitError("has no dae.tile in kernel '") << getCallee() << "'; expected one";
  return success();
}

LogicalResult FuseOp::verify() {
  if (failed(expectHash(*this, "fingerprint", getFingerprint())) ||
      failed(expectFrom(*this, "call", getCall(), 0, MostSize)))
    return failure();
  return expectFrom(*this, "operand", getOperand(), 0, 1);
}

LogicalResult FoldOp::verify() {
  return success();
}

LogicalResult TileOp::verify() {
  const std::pair<const char *, uint64_t> sizes[] = {{"rows", getRows()},
                                                     {"columns", getColumns()},
                                                     {"channels", getChannels()},
                                                     {"window rows", getWindowRows()},
                                                     {"window columns", getWindowColumns()},
                                                     {"lanes", getLanes()}};
  for (auto [name, size] : sizes)
    if (failed(expectFrom(*this, name, size, 1, MostSize)))
      return failure();
  return success();
}

LogicalResult ReorderOp::verify() {
  return success();
}

LogicalResult SplitOp::verify() {
  return expectFrom(*this, "sixteenths for VECTOR", getVector(), 0, 16);
}

LogicalResult SlideOp::verify() {
  return expectFrom(*this, "rows of a window", getRows(), 1, isa::maximumOf<isa::Gemm>("window"));
}

LogicalResult RampOp::verify() {
  return success();
}

LogicalResult HandOverOp::verify() {
  return success();
}

// @callee [`call` n] [`part` n] [fingerprint] `{` decisions `}`, on one line.
void KernelOp::print(mlir::OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getCallee());
  if (getCall())
    printer << " call " << getCall();
  if (getPart())
    printer << " part " << getPart();
  if (getFingerprint())
    printer << ' ' << getFingerprintAttr();
  printer << " {";
  for (mlir::Operation &decision : getBody().front()) {
    printer << ' ';
    printer.printCustomOrGenericOp(&decision);
  }
  printer << " }";
}

mlir::ParseResult KernelOp::parse(mlir::OpAsmParser &parser, mlir::OperationState &state) {
  mlir::Builder &builder = parser.getBuilder();
  mlir::FlatSymbolRefAttr callee;
  std::string fingerprint;
  if (parser.parseAttribute(callee, "callee", state.attributes))
    return failure();
  for (const char *name : {"call", "part"}) {
    int64_t number = 0;
    if (succeeded(parser.parseOptionalKeyword(name)) && parser.parseInteger(number))
      return failure();
    state.addAttribute(name, builder.getI64IntegerAttr(number));
  }
  if (succeeded(parser.parseOptionalString(&fingerprint)))
    state.addAttribute("fingerprint", builder.getStringAttr(fingerprint));
  mlir::Region *body = state.addRegion();
  if (parser.parseRegion(*body))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

} // namespace daedalus::dae
