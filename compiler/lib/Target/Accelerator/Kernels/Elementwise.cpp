// Blocks without reductions: the expression of an element of inputs, of the reduction's result, and of
// constants.

#include "Kernels/Reader.h"

#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <cstring>

namespace daedalus::accelerator {

bool isPointwise(const Block &block, const Access &access) {
  return !access.fill && access.elements() == block.output.elements() &&
         access.linear() == block.output.linear();
}

template <class T> Result<std::vector<T>> constantIntegers(mlir::Value value, const char *what) {
  mlir::DenseIntElementsAttr attr;
  constexpr int64_t most = int64_t(1) << 28;
  const std::string its = std::string("its ") + what;
  if (!mlir::matchPattern(value, mlir::m_Constant(&attr)))
    return error(its + " are not constants");
  if (attr.getNumElements() > most)
    return error("it has more than " + std::to_string(most) + " " + what);
  if (!attr.getElementType().isSignlessInteger(8 * sizeof(T)))
    return error(its + " are not of " + std::to_string(8 * sizeof(T)) + " bits");
  if (attr.isSplat())
    return std::vector<T>(attr.getNumElements(),
                          static_cast<T>(attr.getSplatValue<llvm::APInt>().getSExtValue()));
  const llvm::ArrayRef<char> raw = attr.getRawData(); // of whole bytes, as the machine has them
  std::vector<T> values(attr.getNumElements());
  std::memcpy(values.data(), raw.data(), raw.size());
  return values;
}

template Result<std::vector<int8_t>> constantIntegers(mlir::Value, const char *);
template Result<std::vector<int16_t>> constantIntegers(mlir::Value, const char *);

/// Of 8 or 32 bits, as one type.
static Result<std::vector<int64_t>> integersOf(mlir::Value value, unsigned bits) {
  const auto widened = [](const auto &values) -> Result<std::vector<int64_t>> {
    if (!values)
      return error(values.error());
    return std::vector<int64_t>(values->begin(), values->end());
  };
  if (!mlir::matchPattern(value, mlir::m_Constant()))
    return error("it computes with an operand that is not constant");
  return bits == 8 ? widened(constantIntegers<int8_t>(value, "constants"))
                   : widened(constantIntegers<int32_t>(value, "constants"));
}

/// A constant of a value a channel; of one value for all, a number.
ExprId Reader::channelConstant(std::vector<int64_t> values, unsigned bits) {
  Tail &tail = kernel.tail;
  if (llvm::all_equal(values))
    return tail.all.constant(values.front(), bits);
  tail.channels.push_back(std::move(values));
  return tail.all.argument(Tail::FirstConstant + tail.channels.size() - 1, bits);
}

/// The last elements of the output in order have one value each: what channels are.
std::optional<ExprId> Reader::readConstant(const Block &block, const Access &access, unsigned bits) {
  Result<std::vector<int64_t>> values = integersOf(access.tensor, bits);
  const auto refuse = [&](const llvm::Twine &what) {
    fail(what);
    return std::nullopt;
  };
  if (!values)
    return refuse(values.error());
  const Coordinate at = access.linear(), written = block.output.linear();
  const int64_t count = access.elements();
  bool isChannels = !access.fill; // and so no offset where there are as many as channels
  for (size_t d = 0; d < block.iterators.size(); ++d)
    isChannels &= at.factors[d] == (written.factors[d] % count == 0 ? 0 : written.factors[d]);
  if (count != 1 && !isChannels && !llvm::all_equal(*values))
    return refuse("it computes with constants of each position's own");
  return channelConstant(std::move(*values), bits);
}

/// What the block reads there, in the tail's expression.
std::optional<ExprId> Reader::readLeaf(const Block &block, const Access &access, const Expr &argument) {
  const auto refuse = [&](const llvm::Twine &why) {
    fail(why);
    return std::nullopt;
  };
  if (const auto reduction = blocks.find(access.tensor); reduction != blocks.end()) {
    if (!isPointwise(block, access))
      return refuse("it reads the result of its reduction elsewhere than it writes");
    if (kernel.combiner)
      return refuse("it has several reductions");
    return readReduction(reduction->second) ? std::optional(reduced) : std::nullopt;
  }
  if (!argumentNumber(access.tensor)) {
    if (mlir::matchPattern(access.tensor, mlir::m_Constant()))
      return readConstant(block, access, argument.bits);
    return refuse("it reads a value that is not an argument of the kernel");
  }
  if (!isPointwise(block, access) && (!nest || access.fill))
    return refuse("its elementwise computation reads other positions than it writes");
  const std::optional<unsigned> number = addInput(access, layoutOf(block, access));
  return number ? std::optional(kernel.tail.all.argument(*number, 8)) : std::nullopt;
}

bool Reader::readElementwise(const Block &block) {
  const Expr &node = block.expressions[block.result];
  if (!block.writesInOrder())
    return fail("it does not write all elements of its result once and in their order");
  const std::map<unsigned, Expr> arguments = block.expressions.argumentsOf(block.result);
  if (block.reads(block.outputNumber()))
    return fail("its elementwise computation is unknown to the accelerator: it reads what its result was "
                "before");
  if (node.kind == ExprKind::Argument && argumentNumber(block.inputs[node.value].tensor) &&
      readRepeats(block, block.inputs[node.value]))
    return true;
  // The reduction first, for its data is the first input.
  std::vector<unsigned> order;
  for (const auto &[k, argument] : arguments)
    order.push_back(k);
  std::stable_partition(order.begin(), order.end(),
                        [&](unsigned k) { return blocks.count(block.inputs[k].tensor) != 0; });
  const bool hasReduction = !order.empty() && blocks.count(block.inputs[order[0]].tensor) != 0;
  if (!hasReduction && !llvm::all_of(order, [&](unsigned k) { return isPointwise(block, block.inputs[k]); }))
    setNest(block);
  std::vector<ExprId> leaves(block.inputs.size() + 1, 0);
  for (unsigned k : order) {
    const std::optional<ExprId> leaf = readLeaf(block, block.inputs[k], arguments.at(k));
    if (!leaf)
      return false;
    leaves[k] = *leaf;
  }
  if (!kernel.combiner && !nest)
    setShape(block.output.shape);
  Tail &tail = kernel.tail;
  tail.result = tail.all.substitute(block.expressions, block.result, leaves);
  const bool isByChannel = llvm::all_of(
      tail.channels, [&](const auto &values) { return values.size() == size_t(kernel.window.oc); });
  return isByChannel || fail("it computes with constants that are not one per channel");
}

} // namespace daedalus::accelerator
