// Blocks without reductions: requantizations of sums, products and accumulators, and tables.

#include "KernelReader.h"

#include "mlir/IR/Matchers.h"

#include <cstring>

namespace daedalus::accelerator {

std::optional<unsigned> wideArgument(const Expressions &all, ExprId id) {
  const Expr &node = all[id];
  if (node.kind != ExprKind::Extend || node.bits != 32 || all[node.operands[0]].kind != ExprKind::Argument ||
      all[node.operands[0]].bits != 8)
    return std::nullopt;
  return all[node.operands[0]].value;
}

bool isPointwise(const Block &block, const Access &access) {
  return !access.fill && access.elements() == block.output.elements() &&
         access.linear() == block.output.linear();
}

template <class T>
std::optional<std::vector<T>> constantIntegers(mlir::Value value, const char *what, std::string &why) {
  mlir::DenseIntElementsAttr attr;
  constexpr int64_t most = int64_t(1) << 28;
  const llvm::Twine its = llvm::Twine("its ") + what;
  if (!mlir::matchPattern(value, mlir::m_Constant(&attr)))
    why = (its + " are not constants").str();
  else if (attr.getNumElements() > most)
    why = ("it has more than " + llvm::Twine(most) + " " + what).str();
  else if (attr.getElementType().getIntOrFloatBitWidth() > 8 * sizeof(T))
    why = (its + " less their zero points do not fit " + llvm::Twine(8 * sizeof(T)) +
           " bits: quantize them symmetrically")
              .str();
  else if (!attr.getElementType().isSignlessInteger(8 * sizeof(T)))
    why = (its + " are not of " + llvm::Twine(8 * sizeof(T)) + " bits").str();
  if (!why.empty())
    return std::nullopt;
  if (attr.isSplat())
    return std::vector<T>(attr.getNumElements(),
                          static_cast<T>(attr.getSplatValue<llvm::APInt>().getSExtValue()));
  const llvm::ArrayRef<char> raw = attr.getRawData(); // of whole bytes, as the machine has them
  std::vector<T> values(attr.getNumElements());
  std::memcpy(values.data(), raw.data(), raw.size());
  return values;
}

template std::optional<std::vector<int8_t>> constantIntegers(mlir::Value, const char *, std::string &);

/// A number, or one for each channel: the last ones of the elements in order.
template <class T>
bool Reader::readParameter(const Block &block, ExprId id, std::vector<T> &values, const char *what) {
  const Expr &node = block.expressions[id];
  if (node.kind == ExprKind::Constant) {
    values = {static_cast<T>(node.value)};
    return true;
  }
  if (node.kind != ExprKind::Argument || size_t(node.value) >= block.inputs.size())
    return fail("its requantization is not that of accumulator, bias, multiplier and shift as they are");
  const Access &access = block.inputs[node.value];
  std::string why;
  std::optional<std::vector<T>> read = constantIntegers<T>(access.tensor, what, why);
  if (!read)
    return fail(why);
  const Coordinate at = access.linear(), written = block.output.linear();
  const int64_t count = access.elements();
  for (size_t d = 0; d < block.iterators.size(); ++d)
    if (at.factors[d] != (written.factors[d] % count == 0 ? 0 : written.factors[d]))
      return fail("it requantizes each position by numbers of its own");
  if (at.offset || access.fill)
    return fail("it requantizes each position by numbers of its own");
  values = std::move(*read);
  return true;
}

bool Reader::readParameters(const Block &block, const Expr &node) {
  Requant requant;
  const RequantFields &fields = node.requant;
  requant.zeroPoint = fields.zeroPoint, requant.lo = fields.lo, requant.hi = fields.hi;
  requant.rounding = static_cast<qnn::Rounding>(fields.rounding);
  if (!readParameter(block, node.operands[1], requant.bias, "biases") ||
      !readParameter(block, node.operands[2], requant.multiplier, "multipliers") ||
      !readParameter(block, node.operands[3], requant.shift, "shifts"))
    return false;
  for (int32_t multiplier : requant.multiplier) // other values have no meaning
    if (multiplier < 0)
      return fail("its requantization has multiplier " + llvm::Twine(multiplier) + "; expected at least 0");
  for (uint8_t shift : requant.shift)
    if (shift < 1 || shift > 62)
      return fail("its requantization has shift " + llvm::Twine(int(static_cast<int8_t>(shift))) +
                  "; expected 1 to 62");
  kernel.requant = std::move(requant);
  return true;
}

/// The result of a reduction, element by element.
bool Reader::readReduced(const Block &block, unsigned input) {
  const Access &access = block.inputs[input];
  const auto reduction = blocks.find(access.tensor);
  if (reduction == blocks.end())
    return fail("it reads a value that is no argument of the kernel");
  if (!isPointwise(block, access))
    return fail("it reads the result of its reduction elsewhere than it writes");
  return readReduction(reduction->second);
}

/// a x + b y + c, or x y + a x + b y + c, of int8 inputs x and y.
bool Reader::readPair(const Block &block, Terms terms) {
  const Expressions &all = block.expressions;
  std::optional<ExprId> product;
  llvm::SmallVector<ExprId, 2> wide; // x and y
  for (auto [term, factor] : terms.factors)
    if (all[term].kind == ExprKind::Product && all[term].operands.size() == 2 && factor == 1 && !product)
      product = term;
  if (product)
    wide.assign(all[*product].operands.begin(), all[*product].operands.end());
  else
    for (auto [term, factor] : terms.factors)
      wide.push_back(term);
  if (wide.size() != 2)
    return fail("its elementwise computation is none that the accelerator knows");
  llvm::SmallVector<unsigned, 2> inputs;
  for (ExprId term : wide) {
    const std::optional<unsigned> input = wideArgument(all, term);
    if (!input || *input >= block.inputs.size() || !isPointwise(block, block.inputs[*input]))
      return fail("its elementwise computation is none that the accelerator knows");
    inputs.push_back(*input);
  }
  if (inputs[1] < inputs[0])
    std::swap(inputs[0], inputs[1]), std::swap(wide[0], wide[1]);
  if (product)
    terms.take(*product);
  const int32_t a = terms.take(wide[0]), b = terms.take(wide[1]);
  if (!terms.factors.empty())
    return fail("its elementwise computation is none that the accelerator knows");
  kernel.kind = product ? KernelKind::Mul : KernelKind::Add;
  if (product) // (x - zeroA) (y - zeroB) less zeroA zeroB
    kernel.zeroA = -b, kernel.zeroB = -a;
  else
    kernel.multiplierA = a, kernel.multiplierB = b;
  bias = {static_cast<uint32_t>(terms.constant)};
  setShape(block.output.shape);
  return addInput(block.inputs[inputs[0]]) && addInput(block.inputs[inputs[1]]);
}

bool Reader::readAccumulator(const Block &block, ExprId acc) {
  const Expressions &all = block.expressions;
  const Terms terms = all.termsOf(acc);
  if (terms.factors.size() != 1 || terms.factors.begin()->second != 1 ||
      all[terms.factors.begin()->first].kind == ExprKind::Product)
    return readPair(block, terms);
  const Expr &node = all[terms.factors.begin()->first];
  std::optional<unsigned> input = wideArgument(all, terms.factors.begin()->first);
  if (!input && node.kind == ExprKind::Argument && node.bits == 32)
    input = node.value;
  if (!input || *input >= block.inputs.size())
    return fail("its elementwise computation is none that the accelerator knows");
  const Access &access = block.inputs[*input];
  if (!argumentNumber(access.tensor)) {
    if (!readReduced(block, *input))
      return false;
    if (bias.empty())
      bias = {0};
    for (uint32_t &value : bias)
      value += static_cast<uint32_t>(terms.constant);
    return true;
  }
  if (!isPointwise(block, access))
    return fail("its requantization reads other positions than it writes");
  kernel.kind = KernelKind::Requant;
  bias = {static_cast<uint32_t>(terms.constant)};
  setShape(block.output.shape);
  return addInput(access);
}

bool Reader::readRequant(const Block &block) {
  const Expr node = block.expressions[block.result];
  return readParameters(block, node) && readAccumulator(block, node.operands[0]);
}

/// An accumulator clamped to a part of int8: a requantization that changes nothing but the range.
bool Reader::readClamped(const Block &block) {
  const Expr cut = block.expressions[block.result];
  const Expr clamp = block.expressions[cut.operands[0]];
  const int64_t lo = block.expressions[clamp.operands[1]].value;
  const int64_t hi = block.expressions[clamp.operands[2]].value;
  if (clamp.bits != 32 || lo < -128 || hi > 127)
    return fail("its elementwise computation is none that the accelerator knows: " +
                block.expressions.text(block.result));
  if (!readAccumulator(block, clamp.operands[0]))
    return false;
  const bool startsFromZero = llvm::all_of(bias, [](uint32_t value) { return value == 0; });
  if (lo == -128 && hi == 127 && startsFromZero)
    return true;                  // saturated as it is
  Requant requant{{0}, {2}, {1}}; // times two, by two
  requant.lo = lo, requant.hi = hi;
  kernel.requant = std::move(requant);
  return true;
}

/// Any function of one int8 is a table.
bool Reader::readLookup(const Block &block) {
  if (block.inputs.size() != 1 || block.reads(block.outputNumber()) || !isPointwise(block, block.inputs[0]) ||
      !mlir::getElementTypeOrSelf(block.inputs[0].tensor.getType()).isSignlessInteger(8))
    return false;
  kernel.table.clear();
  for (int64_t x = -128; x < 128; ++x) {
    const std::optional<int64_t> entry = block.expressions.evaluate(block.result, {x});
    if (!entry)
      return false;
    kernel.table.push_back(static_cast<int8_t>(*entry));
  }
  kernel.kind = KernelKind::Lookup;
  kernel.requant.reset();
  bias.clear();
  setShape(block.output.shape);
  return addInput(block.inputs[0]);
}

bool Reader::readElementwise(const Block &block) {
  const Expr &node = block.expressions[block.result];
  if (!block.writesInOrder())
    return fail("it does not write all elements of its result once and in their order");
  if (node.kind == ExprKind::Argument && node.bits == 8 && size_t(node.value) < block.inputs.size()) {
    const Access &access = block.inputs[node.value];
    return argumentNumber(access.tensor) ? readMove(block, access) : readReduced(block, node.value);
  }
  if (node.kind == ExprKind::Requant && readRequant(block))
    return true;
  const bool isClamped =
      node.kind == ExprKind::Truncate && block.expressions[node.operands[0]].kind == ExprKind::Clamp;
  kernel.inputs.clear();
  if (readLookup(block) || (isClamped && readClamped(block)))
    return true;
  return fail("its elementwise computation is none that the accelerator knows: " +
              block.expressions.text(block.result));
}

} // namespace daedalus::accelerator
