// Verifiers of the dae operations. What they check is all that passes take for granted, and what would
// otherwise become a wrong instruction: scopes, what buffers hold, who gives tokens, ranks of loops, ranges
// of fields that do not depend on the machine.

#include "daedalus/Dialect/Dae/IR/Dae.h"

#include "mlir/IR/Builders.h"

namespace daedalus::dae {

// [type of a] [`,` type of b]
static mlir::ParseResult parseOperandTypes(mlir::OpAsmParser &parser, mlir::Type &a, mlir::Type &b) {
  const mlir::OptionalParseResult first = parser.parseOptionalType(a);
  if (first.has_value() && failed(*first))
    return mlir::failure();
  return succeeded(parser.parseOptionalComma()) ? parser.parseType(b) : mlir::success();
}

static void printOperandTypes(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Type a, mlir::Type b) {
  if (a)
    printer << a;
  if (b)
    printer << ", " << b;
}

} // namespace daedalus::dae

#define GET_OP_CLASSES
#include "daedalus/Dialect/Dae/IR/DaeOps.cpp.inc"

namespace daedalus::dae {
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

namespace {

std::optional<Scope> scopeOf(mlir::Value buffer) {
  auto type = mlir::dyn_cast<mlir::MemRefType>(buffer.getType());
  auto scope = type ? mlir::dyn_cast_or_null<ScopeAttr>(type.getMemorySpace()) : ScopeAttr();
  return scope ? std::optional<Scope>(scope.getValue()) : std::nullopt;
}

/// The scopes that a buffer, or an operand of a dae.intrinsic, may lie in.
llvm::SmallVector<Scope> scopesOf(mlir::Value buffer) {
  if (std::optional<Scope> scope = scopeOf(buffer))
    return {*scope};
  auto type = mlir::dyn_cast<mlir::MemRefType>(buffer.getType());
  auto widened = type ? mlir::dyn_cast_or_null<WidenedAttr>(type.getMemorySpace()) : WidenedAttr();
  return widened ? llvm::SmallVector<Scope>(widened.getScopes()) : llvm::SmallVector<Scope>();
}

LogicalResult expectScope(mlir::Operation *op, const char *operand, mlir::Value buffer,
                          std::initializer_list<Scope> allowed) {
  const llvm::SmallVector<Scope> scopes = scopesOf(buffer);
  if (!scopes.empty() && llvm::all_of(scopes, [&](Scope s) { return llvm::is_contained(allowed, s); }))
    return success();
  mlir::InFlightDiagnostic diag = op->emitOpError("expects ") << operand << " in scope ";
  llvm::interleave(
      allowed, [&](Scope s) { diag << stringifyScope(s); }, [&] { diag << " or "; });
  return diag << ", found " << buffer.getType();
}

LogicalResult expectDram(mlir::Operation *op, const char *operand, mlir::Value tensor) {
  if (mlir::isa_and_nonnull<TensorOp>(tensor.getDefiningOp()))
    return success();
  return op->emitOpError("expects ") << operand << " to be a dae.tensor";
}

/// An operand of VECTOR that is there: rows, or, in a dae.intrinsic, the scalar that becomes the immediate.
LogicalResult expectOperand(mlir::Operation *op, const char *operand, mlir::Value value) {
  if (!value)
    return success();
  if (mlir::isa<mlir::MemRefType>(value.getType()))
    return expectScope(op, operand, value, {Scope::Inp, Scope::Acc, Scope::Param});
  if (op->getParentOfType<IntrinsicOp>())
    return success();
  return op->emitOpError("expects ") << operand << " in a buffer; a constant is its immediate";
}

/// Offsets, rows and strides: sums of a few of them stay far from the ends of int64.
constexpr int64_t MostOffset = int64_t(1) << 40;

LogicalResult expectWithin(mlir::Operation *op, const char *what, mlir::ArrayRef<int64_t> values,
                           int64_t least) {
  for (int64_t value : values)
    if (value < least || value > MostOffset)
      return op->emitOpError("expects ")
             << what << " from " << least << " to " << MostOffset << ", found " << value;
  return success();
}

LogicalResult expectLoops(mlir::Operation *op, mlir::ArrayAttr loops, size_t most, size_t strides,
                          bool mayReduce) {
  if (loops.size() > most)
    return op->emitOpError("has ") << loops.size() << " loops, the instruction has " << most;
  for (LoopAttr loop : loops.getAsRange<LoopAttr>()) {
    if (loop.getStrides().size() != strides)
      return op->emitOpError("expects ") << strides << " strides in each loop, found " << loop;
    if (loop.getCount() < 1 || loop.getCount() > 65535)
      return op->emitOpError("expects loop counts from 1 to 65535, found ") << loop;
    if (loop.getReduce() && !mayReduce)
      return op->emitOpError("cannot have the reduction loop ") << loop;
    if (failed(expectWithin(op, "strides", loop.getStrides(), -MostOffset)))
      return failure();
  }
  return success();
}

/// Tokens come from instructions in front of the one that waits.
LogicalResult expectTokens(mlir::Operation *op, mlir::ValueRange waits) {
  for (mlir::Value token : waits) {
    mlir::Operation *producer = token.getDefiningOp();
    if (!producer || producer->getBlock() != op->getBlock() ||
        !mlir::isa<LoadOp, GemmOp, VectorOp, StoreOp>(producer))
      return op->emitOpError("expects its tokens from instructions of its block");
  }
  return success();
}

/// What a row of the scope holds.
bool holds(Scope scope, mlir::Type element) {
  switch (scope) {
  case Scope::Inp:
  case Scope::Wgt:
  case Scope::Lut:
    return element.isSignlessInteger(8);
  case Scope::Out: // int8, or the bytes of int32
    return element.isSignlessInteger(8) || element.isSignlessInteger(32);
  case Scope::Acc:
    return element.isSignlessInteger(32);
  case Scope::Param: // parameters of requant, or int8 for the other operations
    return element.isSignlessInteger(128) || element.isSignlessInteger(8);
  }
  return false;
}

/// The bytes of a static memref, or nothing where they are more than a scratchpad or DRAM can have.
std::optional<int64_t> bytesOf(mlir::MemRefType type) {
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  for (int64_t size : type.getShape())
    if (mlir::ShapedType::isDynamic(size) || (size && bytes > MostOffset / size))
      return std::nullopt;
    else
      bytes *= size;
  return bytes;
}

LogicalResult expectRun(mlir::Operation *op, int64_t run) {
  if (run >= 1 && run <= 65535)
    return success();
  return op->emitOpError("expects a run of 1 to 65535 bytes, found ") << run;
}

} // namespace

LogicalResult AllocOp::verify() {
  if (!scopeOf(getBuffer()))
    return emitOpError("expects a memref with a #dae.scope memory space, found ") << getBuffer().getType();
  auto type = mlir::cast<mlir::MemRefType>(getBuffer().getType());
  if ((*this)->getParentOfType<IntrinsicOp>())
    return success(); // a row, of N lanes
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return emitOpError("expects a static, dense memref, found ") << type;
  if (!holds(getScope(), type.getElementType()))
    return emitOpError("expects elements that ") << stringifyScope(getScope()) << " holds, found " << type;
  if (const std::optional<int64_t> bytes = bytesOf(type); !bytes || *bytes == 0)
    return emitOpError("expects from 1 to ") << MostOffset << " bytes, found " << type;
  return getRow() ? expectWithin(*this, "a row", {int64_t(*getRow())}, 0) : success();
}

LogicalResult TensorOp::verify() {
  if (getBase() > 15)
    return emitOpError("expects a base register from 0 to 15, found ") << int64_t(getBase());
  if (scopeOf(getTensor()))
    return emitOpError("is in DRAM and cannot have the type ") << getTensor().getType();
  return expectWithin(*this, "an offset", {int64_t(getOffset())}, -MostOffset);
}

LogicalResult LoadOp::verify() {
  if (failed(expectDram(*this, "source", getSource())) ||
      failed(
          expectScope(*this, "destination", getDest(), {Scope::Inp, Scope::Wgt, Scope::Param, Scope::Lut})) ||
      failed(expectRun(*this, getRun())) || failed(expectLoops(*this, getLoops(), 3, 2, false)))
    return failure();
  if (getOrigin().has_value() != getExtent().has_value())
    return emitOpError("expects origin and extent together");
  if (getOrigin() && (getOrigin()->size() != 2 || getExtent()->size() != 2))
    return emitOpError("expects origin and extent as [y, x]");
  if (failed(expectWithin(*this, "offsets", {int64_t(getOffset()), int64_t(getDst())}, -MostOffset)))
    return failure();
  return expectTokens(*this, getWaits());
}

LogicalResult GemmOp::verify() {
  if (failed(expectScope(*this, "the first operand", getInp(), {Scope::Inp})) ||
      failed(expectScope(*this, "the second operand", getWgt(), {Scope::Wgt})) ||
      failed(expectScope(*this, "destination", getAcc(), {Scope::Acc})))
    return failure();
  if (getRows().size() != 3)
    return emitOpError("expects three first rows");
  if (failed(expectWithin(*this, "first rows", getRows(), -MostOffset)) ||
      failed(expectTokens(*this, getWaits())))
    return failure();
  return expectLoops(*this, getLoops(), 6, 3, true);
}

LogicalResult VectorOp::verify() {
  if (failed(expectScope(*this, "destination", getDest(), {Scope::Acc, Scope::Inp, Scope::Out})) ||
      failed(expectOperand(*this, "the first operand", getA())))
    return failure();
  if (!getA() && !getImmediate())
    return emitOpError("expects a first operand or an immediate");
  const bool looksUp = getOp() == VectorKind::Lut;
  if (looksUp && (!getB() || failed(expectScope(*this, "the table", getB(), {Scope::Lut}))))
    return failure();
  if (!looksUp && failed(expectOperand(*this, "the second operand", getB())))
    return failure();
  if ((getOp() == VectorKind::RequantLut) != bool(getTable()))
    return emitOpError(getTable() ? "has a table behind it, which requant_lut alone has"
                                  : "expects a table behind it, as requant_lut");
  if (getTable() && failed(expectScope(*this, "the table", getTable(), {Scope::Lut})))
    return failure();
  if (getA() && getB() && getImmediate())
    return emitOpError("has both a second operand and an immediate");
  if (getRows().size() != 3)
    return emitOpError("expects three first rows");
  if (failed(expectWithin(*this, "first rows", getRows(), -MostOffset)) ||
      failed(expectTokens(*this, getWaits())))
    return failure();
  return expectLoops(*this, getLoops(), 5, 3, true);
}

LogicalResult StoreOp::verify() {
  if (failed(expectScope(*this, "source", getSource(), {Scope::Out})) ||
      failed(expectDram(*this, "destination", getDest())) || failed(expectRun(*this, getRun())) ||
      failed(expectWithin(*this, "offsets", {int64_t(getOffset()), int64_t(getSrc())}, -MostOffset)) ||
      failed(expectTokens(*this, getWaits())))
    return failure();
  return expectLoops(*this, getLoops(), 3, 2, false);
}

} // namespace daedalus::dae
