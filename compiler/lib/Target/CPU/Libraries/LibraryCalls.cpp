// Products that a function of a library computes, with what follows them, and how large their sums become.

#include "LibraryProducts.h"
#include "MicroKernels/Contraction.h"

#include "daedalus/Analysis/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// Whether element by element is read as it is written.
bool isIdentity(AffineMap map, ArrayRef<int64_t> shape) {
  for (auto [i, result] : llvm::enumerate(map.getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(result);
    const bool isUnit = constant && constant.getValue() == 0 && shape[i] == 1;
    if (!isUnit && loopOf(result) != i)
      return false;
  }
  return map.getNumResults() == map.getNumDims();
}

/// What computes one operation of `value`'s elements, and nothing but it reads them; else null.
linalg::GenericOp elementwiseOf(Value value) {
  auto op = value.hasOneUse() ? dyn_cast<linalg::GenericOp>(*value.user_begin()) : nullptr;
  if (!op || op.getNumReductionLoops() || op.getNumDpsInits() != 1 ||
      op.getBody()->getOperations().size() != 2 || op->getResult(0).getType() != value.getType() ||
      op.getDpsInits()[0] == value || !isIdentity(op.getIndexingMapsArray().back(), typeOf(value).getShape()))
    return nullptr;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (operand->get() == value && !isIdentity(op.getMatchingIndexingMap(operand), typeOf(value).getShape()))
      return nullptr;
  return op.getBody()->getTerminator()->getOperand(0).getDefiningOp() == &op.getBody()->front() ? op
                                                                                                : nullptr;
}

/// Takes the sum with one constant of each column into the call.
void takeBias(LibraryCall &call, int64_t columns) {
  linalg::GenericOp op = elementwiseOf(call.result);
  if (!op || op.getNumDpsInputs() != 2 || !isa<arith::AddFOp>(op.getBody()->front()))
    return;
  const unsigned other = op.getDpsInputs()[0] == call.result ? 1 : 0;
  const Value bias = op.getDpsInputs()[other];
  const AffineMap map = op.getIndexingMapsArray()[other];
  const auto type = RankedTensorType::get({columns}, typeOf(bias).getElementType());
  Operation &sum = op.getBody()->front();
  const bool isOfBoth = isa<BlockArgument>(sum.getOperand(0)) && isa<BlockArgument>(sum.getOperand(1)) &&
                        sum.getOperand(0) != sum.getOperand(1) &&
                        !llvm::is_contained(sum.getOperands(), op.getBody()->getArgument(2));
  if (!isOfBoth || bias == call.result || typeOf(bias).getRank() == 0 ||
      typeOf(bias).getShape().back() != columns || loopOf(map.getResults().back()) != map.getNumDims() - 1 ||
      !constantOf(bias, type))
    return;
  call.tensors.push_back(bias);
  call.types.push_back(type);
  call.result = op->getResult(0);
}

/// Takes the maximum with 0 into the call.
void takeRelu(LibraryCall &call) {
  linalg::GenericOp op = elementwiseOf(call.result);
  auto most = op && op.getNumDpsInputs() == 1 ? dyn_cast<arith::MaximumFOp>(op.getBody()->front()) : nullptr;
  if (!most)
    return;
  const Value in = op.getBody()->getArgument(0);
  if ((most.getLhs() == in && isZero(most.getRhs())) || (most.getRhs() == in && isZero(most.getLhs()))) {
    call.attributes.back() = 1;
    call.result = op->getResult(0);
  }
}

/// Follows views that leave the columns the last dimension.
void followViews(LibraryCall &call, int64_t columns) {
  while (call.result.hasOneUse() && isView(*call.result.user_begin())) {
    const Value view = (*call.result.user_begin())->getResult(0);
    if (typeOf(view).getRank() == 0 || typeOf(view).getShape().back() != columns)
      return;
    call.result = view;
  }
}

bool isComputed(Value value) {
  return !constantOf(value, typeOf(value));
}

std::optional<LibraryCall> callOf(linalg::LinalgOp op) {
  const std::optional<Contraction> product = Contraction::of(op);
  auto fill = product ? op.getDpsInits()[0].getDefiningOp<linalg::FillOp>() : nullptr;
  if (!fill || !isZero(fill.getInputs()[0]))
    return std::nullopt;
  std::optional<LibraryCall> call = matMulOf(op);
  if (!call)
    call = convolutionOf(op);
  if (!call || !isComputed(call->tensors[0]) || (call->pattern == "conv" && isComputed(call->tensors[1])))
    return std::nullopt;
  if (!product->isFloat) {
    call->pattern += "_i8";
    return call;
  }
  const int64_t columns = call->resultType.getShape().back();
  if (!isComputed(call->tensors[1])) { // a bias stands behind it
    followViews(*call, columns);
    takeBias(*call, columns);
  }
  followViews(*call, columns);
  takeRelu(*call);
  return call;
}

/// The second factor as columns of what is added up in each: how far apart columns, and the elements of one,
/// lie.
struct Columns {
  int64_t count, depth, columnStep, elementStep;

  explicit Columns(const LibraryCall &call) {
    const ArrayRef<int64_t> shape = call.types[1].getShape();
    const bool isTransposed = call.pattern == "conv_i8" || call.attributes[1];
    count = call.resultType.getShape().back();
    depth = call.pattern == "conv_i8" ? shape[2] * shape[3] * shape[4]
                                      : shape[shape.size() - (isTransposed ? 1 : 2)];
    columnStep = isTransposed ? depth : 1;
    elementStep = isTransposed ? 1 : count;
  }
};

} // namespace

int64_t LibraryCall::largestSum() const {
  constexpr int64_t mostOfByte = 255, leastOfFactor = 128;
  const Columns columns(*this);
  const DenseElementsAttr factor = constantOf(tensors[1], types[1]);
  if (!factor)
    return mostOfByte * leastOfFactor * columns.depth;
  const auto values = factor.getValues<int8_t>();
  int64_t most = 0;
  for (int64_t page = 0; page < factor.getNumElements(); page += columns.count * columns.depth)
    for (int64_t column = 0; column < columns.count; ++column) {
      int64_t sum = 0;
      for (int64_t i = 0; i < columns.depth; ++i)
        sum += std::abs(int64_t(values[page + column * columns.columnStep + i * columns.elementStep]));
      most = std::max(most, mostOfByte * sum);
    }
  return most;
}

DenseElementsAttr constantOf(Value value, RankedTensorType type) {
  DenseElementsAttr elements;
  if (!matchPattern(rootOf(value), m_Constant(&elements)) ||
      elements.getNumElements() != type.getNumElements() ||
      elements.getElementType() != type.getElementType())
    return nullptr;
  return elements.reshape(type);
}

std::optional<LibraryCall> findLibraryCall(func::FuncOp kernel,
                                           llvm::function_ref<bool(const LibraryCall &)> isWanted) {
  if (!kernel.getBody().getOps<cf::AssertOp>().empty())
    return std::nullopt; // what it checks is checked once, by the kernel
  for (linalg::LinalgOp op : linalgOps(kernel))
    if (op->getParentOp() == kernel && op.hasPureTensorSemantics())
      if (std::optional<LibraryCall> call = callOf(op); call && isWanted(*call))
        return call;
  return std::nullopt;
}

} // namespace daedalus::cpu
