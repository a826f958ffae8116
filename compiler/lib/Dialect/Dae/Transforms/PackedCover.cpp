// An intrinsic with rows of constants in an expression with constants a channel. What its packing functions
// may be given is tried: constants of the channel, what the expression makes of them alone, and numbers that
// stand in it. The bytes they give in one channel take the place of the rows, and the intrinsic is laid over
// the expression of that channel as any is, which finds its other sources. What fits there is compared in
// every channel.

#include "Cover.h"
#include "Packing.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace daedalus::dae {
namespace {

/// What a packing function is given, a value a channel.
using Values = std::vector<int64_t>;

class RowsCover {
public:
  RowsCover(const Intrinsic &intrinsic, const Expressions &all, ExprId root, const ChannelConstants &channels)
      : intrinsic(intrinsic), from(all), work(all), root(root), channels(channels), nodes(all.nodesOf(root)),
        arguments(all.argumentsOf(root)), firstRead(arguments.lower_bound(channels.first)) {
    for (auto [k, operand] : llvm::enumerate(intrinsic.operands))
      if (isConstantRow(operand))
        addRow(k, operand.packing.get());
  }

  std::optional<Cover> find() {
    if (firstRead == arguments.end() || inputs.size() > MostInputs)
      return std::nullopt;
    collectCandidates();
    return choose() ? std::optional(std::move(result)) : std::nullopt;
  }

private:
  struct Row {
    unsigned source;
    const Packing *packing; ///< none: a constant as it is
    size_t firstInput;
  };
  using Bytes = std::map<unsigned, int8_t>; ///< of one channel, by source

  void addRow(unsigned source, const Packing *packing) {
    rows.push_back({source, packing, inputs.size()});
    if (packing)
      llvm::append_range(inputs, packing->constants());
    else
      inputs.push_back({8, -128, 127});
  }

  size_t count() const { return channels.values[firstRead->first - channels.first].size(); }

  void findVarying() {
    for (ExprId id : nodes) {
      const Expr &node = from[id];
      const bool isRead = node.kind == ExprKind::Argument && node.value < channels.first;
      if (isRead || node.kind == ExprKind::Other ||
          llvm::any_of(node.operands, [&](ExprId operand) { return varies(operand); }))
        varying.push_back(id);
    }
  }

  bool varies(ExprId id) const { return llvm::is_contained(varying, id); }

  void collectCandidates() {
    findVarying();
    for (ExprId id : nodes)
      if (!varies(id))
        addCandidate(id);
    Values numbers{0, 1};
    for (ExprId id : nodes) {
      const Expr node = from[id];
      addPartOf(id, 1);
      for (auto [term, factor] : llvm::zip(node.operands, node.coefficients))
        addPartOf(term, factor);
      if (node.kind == ExprKind::Constant || node.kind == ExprKind::Sum)
        numbers.push_back(node.value);
      llvm::append_range(numbers, node.coefficients);
    }
    for (int64_t number : numbers)
      addCandidate(work.constant(number, 64));
  }

  /// What of a sum or product does not vary within a channel.
  void addPartOf(ExprId id, int64_t factor) {
    const Expr node = from[id];
    const bool isSum = node.kind == ExprKind::Sum;
    if (!isSum && node.kind != ExprKind::Product)
      return;
    ExprId part = work.constant(isSum ? node.value : factor, node.bits);
    for (auto [k, operand] : llvm::enumerate(node.operands))
      if (!varies(operand))
        part = isSum ? work.add(part, work.multiply(work.constant(node.coefficients[k], node.bits), operand))
                     : work.multiply(part, operand);
    addCandidate(part);
  }

  bool fitsSome(int64_t value) const {
    return llvm::any_of(inputs, [&](const Packing::Constant &input) { return fits(input, value); });
  }
  static bool fits(const Packing::Constant &input, int64_t value) {
    return value >= input.low && value <= input.high;
  }

  /// Of a node of `work` that does not vary within a channel.
  void addCandidate(ExprId id) {
    Values values;
    std::vector<int64_t> constants(channels.first + channels.values.size(), 0);
    for (size_t channel = 0; channel < count(); ++channel) {
      for (auto [k, of] : llvm::enumerate(channels.values))
        constants[channels.first + k] = of[channel];
      const std::optional<int64_t> value = work.evaluate(id, constants);
      if (!value || !fitsSome(*value))
        return;
      values.push_back(*value);
    }
    if (candidates.size() < MostCandidates && !llvm::is_contained(candidates, values))
      candidates.push_back(std::move(values));
  }

  /// Tries each candidate as the next constant of a packing function.
  bool choose() {
    if (given.size() == inputs.size())
      return isCovered();
    for (const Values &candidate : candidates) {
      const Packing::Constant &input = inputs[given.size()];
      if (!llvm::all_of(candidate, [&](int64_t value) { return fits(input, value); }))
        continue;
      given.push_back(&candidate);
      if (choose())
        return true;
      given.pop_back();
    }
    return false;
  }

  std::optional<Bytes> pack(size_t channel) const {
    Bytes bytes;
    for (const Row &row : rows) {
      Values values;
      const size_t size = row.packing ? row.packing->constants().size() : 1;
      for (const Values *constants : llvm::ArrayRef(given).slice(row.firstInput, size))
        values.push_back((*constants)[channel]);
      const std::optional<llvm::APInt> packed =
          row.packing ? row.packing->pack(values) : llvm::APInt(64, values[0], true);
      if (!packed)
        return std::nullopt;
      bytes[row.source] = static_cast<int8_t>(packed.value().getSExtValue());
    }
    return bytes;
  }

  /// The channel that hides least of the expression, as factors of 0 and 1 do.
  size_t tellingChannel() const {
    const auto hides = [&](size_t channel) {
      int64_t sum = 0;
      for (const Values *values : given)
        sum += (*values)[channel] == 0 ? 2 : std::abs((*values)[channel]) == 1;
      return sum;
    };
    size_t best = 0;
    int64_t least = hides(best);
    for (size_t channel = 1; channel < count(); ++channel)
      if (const int64_t some = hides(channel); some < least)
        best = channel, least = some;
    return best;
  }

  /// A node of the expression as it is in one channel.
  ExprId inChannel(ExprId id, size_t channel) {
    std::vector<ExprId> of(channels.first + channels.values.size(), 0);
    for (const auto &[number, node] : arguments)
      of[number] = number < channels.first
                       ? work.argument(number, node.bits, node.detail)
                       : work.constant(channels.values[number - channels.first][channel], node.bits);
    return work.substitute(from, id, of);
  }

  bool isCovered() {
    const size_t channel = tellingChannel();
    const std::optional<Bytes> bytes = pack(channel);
    if (!bytes)
      return false;
    const std::optional<Cover> found =
        coverOfConstants(intrinsic, work, inChannel(root, channel), bytes.value());
    return found && takeSources(found.value(), channel) && packRows();
  }

  /// The nodes that are in one channel what was found there.
  bool takeSources(const Cover &found, size_t channel) {
    std::map<ExprId, ExprId> originals;
    for (ExprId id : varying)
      if (id != root) // which a factor of 1 leaves as it is
        originals.emplace(inChannel(id, channel), id);
    result = Cover{&intrinsic, {}, found.immediates, {}};
    bool areFound = true;
    for (auto [k, source] : llvm::enumerate(found.sources)) {
      const auto original = originals.find(source);
      const bool isFound = original != originals.end();
      areFound &= isFound || isConstantRow(intrinsic.operands[k]);
      result.sources.push_back(isFound ? original->second : 0);
    }
    return areFound;
  }

  /// Packs the rows, as long as the expression is the intrinsic's.
  bool packRows() {
    for (const Row &row : rows)
      result.rows.push_back({row.source, {}});
    for (size_t channel = 0; channel < count(); ++channel) {
      const std::optional<Bytes> bytes = pack(channel);
      if (!bytes || !isSame(channel, bytes.value()))
        return false;
      for (ConstantRow &row : result.rows)
        row.elements.push_back(bytes->at(row.source));
    }
    return true;
  }

  bool isSame(size_t channel, const Bytes &bytes) {
    std::vector<ExprId> of;
    for (auto [k, source] : llvm::enumerate(result.sources)) {
      const auto byte = bytes.find(k);
      of.push_back(byte == bytes.end() ? inChannel(source, channel) : work.constant(byte->second, 8));
    }
    of.push_back(0); // what the destination was, which is not read
    for (int64_t immediate : result.immediates)
      of.push_back(work.constant(immediate, 32));
    return work.substitute(intrinsic.expressions, intrinsic.element, of) == inChannel(root, channel);
  }

  static constexpr size_t MostInputs = 4, MostCandidates = 8;
  const Intrinsic &intrinsic;
  const Expressions &from;
  Expressions work; ///< as `from`, and what is tried
  const ExprId root;
  const ChannelConstants &channels;
  const std::vector<ExprId> nodes;
  const std::map<unsigned, Expr> arguments;
  const std::map<unsigned, Expr>::const_iterator firstRead; ///< of the constants
  std::vector<ExprId> varying;                              ///< nodes, within a channel
  std::vector<Row> rows;
  std::vector<Packing::Constant> inputs; ///< of the packing functions of all rows
  std::vector<Values> candidates;
  std::vector<const Values *> given; ///< an input each
  Cover result;
};

} // namespace

const ConstantRow *Cover::rowOf(unsigned source) const {
  const auto found = llvm::find_if(rows, [&](const ConstantRow &row) { return row.source == source; });
  return found == rows.end() ? nullptr : &*found;
}

bool isConstantRow(const IntrinsicOperand &operand) {
  return operand.scope == Scope::Param && operand.bits == 8;
}

std::optional<Cover> coverOfRows(const Intrinsic &intrinsic, Expressions &all, ExprId root,
                                 const ChannelConstants &channels) {
  std::optional<Cover> found = RowsCover(intrinsic, all, root, channels).find();
  if (found)
    for (const ConstantRow &row : found->rows)
      found->sources[row.source] = all.constant(row.elements.front(), 8);
  return found;
}

} // namespace daedalus::dae
