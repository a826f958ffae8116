// See Choose.h.

#include "Kernels/Choose.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace daedalus::accelerator {

using dae::VectorKind;
using Place = Operand::Place;

/// More than any choice has where there is none.
static unsigned operationsOf(const std::optional<Choice> &choice) {
  return choice ? choice->operations : UINT_MAX;
}

ExprId Chooser::withoutClamp(ExprId id, int64_t &lo, int64_t &hi) {
  const Expr node = all[id];
  if (node.kind == ExprKind::Clamp) {
    lo = all[node.operands[1]].value, hi = all[node.operands[2]].value;
    return node.operands[0];
  }
  const bool isExtreme = node.kind == ExprKind::Max || node.kind == ExprKind::Min;
  if (!isExtreme || node.operands.size() != 2 || !all.isConstant(node.operands[1]))
    return id;
  (node.kind == ExprKind::Max ? lo : hi) = all[node.operands[1]].value;
  return node.operands[0];
}

const std::optional<Choice> &Chooser::choose(ExprId id) {
  if (const auto known = choices.find(id); known != choices.end())
    return known->second;
  std::optional<Choice> choice = direct(id);
  if (choice && !addOperands(*choice))
    choice.reset();
  if (operationsOf(choice) > 1 && withinInt8(id))
    if (std::optional<Choice> table = tableOf(id); operationsOf(table) < operationsOf(choice))
      choice = std::move(table);
  if (std::optional<Choice> declared = declaredOf(id); operationsOf(declared) < operationsOf(choice))
    choice = std::move(declared);
  return choices[id] = std::move(choice);
}

std::optional<Operand> Chooser::leaf(ExprId id) const {
  const Expr &node = all[id];
  if (node.kind == ExprKind::Constant)
    return Operand{Place::Immediate, static_cast<int32_t>(node.value)};
  const Expr &argument = node.kind == ExprKind::Extend ? all[node.operands[0]] : node;
  if (argument.kind != ExprKind::Argument || argument.value >= Tail::FirstConstant)
    return std::nullopt;
  if (argument.value == Tail::Reduced)
    return Operand{Place::Temporary, 0};
  if (argument.value == Tail::DataSums)
    return Operand{Place::Temporary, kernel.dataSums()};
  if (argument.value == Tail::WeightSums)
    return Operand{Place::Temporary, kernel.weightSums()};
  if (argument.bits != 8)
    return std::nullopt;
  return Operand{isRow(kernel, argument.value) ? Place::Row : Place::Input,
                 static_cast<int32_t>(argument.value)};
}

bool Chooser::isProduct(const Terms &terms, ExprId term) const {
  const Expr &node = all[term];
  return node.kind == ExprKind::Product && node.operands.size() == 2 && terms.factors.at(term) == 1 &&
         llvm::none_of(node.operands, [&](ExprId operand) { return isPerChannel(operand); });
}

std::vector<ExprId> Chooser::ordered(const Terms &terms) const {
  std::vector<ExprId> order;
  for (auto [term, factor] : terms.factors)
    order.push_back(term);
  const auto keyOf = [&](ExprId term) {
    const Operand operand = leaf(term).value_or(Operand{});
    const bool isInput = operand.is(Place::Input) || operand.is(Place::Row);
    return std::tuple(isProduct(terms, term) ? 0 : isInput ? 2 : 1, isInput ? operand.index : 0, term);
  };
  llvm::sort(order, [&](ExprId a, ExprId b) { return keyOf(a) < keyOf(b); });
  return order;
}

bool Chooser::chooseBiased(ExprId id, int64_t &lo, int64_t &hi) {
  const RequantFields fields{0, lo, hi, static_cast<int32_t>(qnn::Rounding::HalfEven)};
  std::optional<Choice> choice =
      requantized(id, all.constant(0, 32), all.constant(2, 32), all.constant(1, 8), fields); // (x 2) / 2
  if (!choice || !addOperands(*choice))
    return false;
  lo = -128, hi = 127;
  choices[id] = std::move(choice);
  return true;
}

std::optional<Choice> Chooser::declaredOf(ExprId id) {
  std::optional<Choice> best;
  const auto ofUser = llvm::ArrayRef(dae::intrinsicsInUse()).drop_front(dae::builtinIntrinsics().size());
  for (const dae::Intrinsic &intrinsic : ofUser)
    if (isStages(intrinsic))
      if (std::optional<dae::Cover> cover =
              dae::cover(intrinsic, all, id, {Tail::FirstConstant, kernel.tail.channels}))
        if (std::optional<Choice> choice = chosen(id, std::move(*cover));
            operationsOf(choice) < operationsOf(best))
          best = std::move(choice);
  return best;
}

bool Chooser::isStages(const dae::Intrinsic &intrinsic) {
  const auto sources = llvm::ArrayRef(intrinsic.operands).drop_back();
  const bool isRows = llvm::all_of(sources, [](const dae::IntrinsicOperand &operand) {
    return operand.scope == dae::Scope::Acc || (operand.scope == dae::Scope::Inp && !operand.packing) ||
           operand.scope == dae::Scope::Param;
  });
  return isRows && intrinsic.destination().scope == dae::Scope::Acc;
}

std::optional<Choice> Chooser::chosen(ExprId id, dae::Cover cover) {
  Choice choice{Choice::How::Declared, unsigned(cover.intrinsic->steps.size())};
  for (auto [k, source] : llvm::enumerate(cover.sources)) {
    const ExprId operand = all.extend(source, 32);
    if (operand == id || (all.isConstant(operand) && !cover.rowOf(k))) // a copy; a number is no row
      return std::nullopt;
    choice.operands.push_back(operand);
  }
  choice.cover = std::move(cover);
  return addOperands(choice) ? std::optional(std::move(choice)) : std::nullopt;
}

bool Chooser::addOperands(Choice &choice) {
  for (ExprId operand : choice.operands) {
    const std::optional<Choice> &of = choose(operand);
    if (!of)
      return false;
    choice.operations += of->operations;
  }
  return true;
}

std::optional<Choice> Chooser::tableOf(ExprId id) {
  const ExprId root =
      all[id].kind == ExprKind::Extend ? all[id].operands[0] : id; // a table's result is extended
  const std::vector<ExprId> nodes = all.int8Of(root);
  for (ExprId node : llvm::reverse(nodes)) { // the others are computed of it
    int64_t low, high;
    const ExprId index = withoutClamp(node, low, high); // LUT cuts it to int8, the entries do the rest
    Choice choice{Choice::How::Table, 1, {all.extend(index, 32)}};
    if (!addOperands(choice))
      continue;
    if (std::optional<std::vector<int64_t>> table = all.functionOf(root, index)) {
      choice.table = std::move(*table);
      return choice;
    }
  }
  return std::nullopt;
}

std::optional<Choice> Chooser::direct(ExprId id) {
  const Expr node = all[id];
  if (node.bits != 32)
    return std::nullopt;
  if (leaf(id))
    return Choice{};
  switch (node.kind) {
  case ExprKind::Extend:
    return converted(node);
  case ExprKind::Sum:
    return sum(id);
  case ExprKind::Product:
    return product(node);
  case ExprKind::Max:
  case ExprKind::Min:
    return Choice{Choice::How::Extreme, unsigned(node.operands.size()) - 1, node.operands};
  case ExprKind::Clamp:
    return Choice{Choice::How::Clamp, 2, node.operands};
  case ExprKind::ShiftLeft:
  case ExprKind::ShiftRight:
    return Choice{Choice::How::Shift, 1, node.operands};
  default:
    return std::nullopt;
  }
}

std::optional<Choice> Chooser::converted(const Expr &node) {
  const Expr inner = all[node.operands[0]];
  if (inner.kind == ExprKind::Requant)
    return requantized(inner.operands[0], inner.operands[1], inner.operands[2], inner.operands[3],
                       inner.requant);
  if (inner.kind == ExprKind::Truncate)
    return Choice{Choice::How::Wrap, 2, {inner.operands[0]}};
  if (inner.kind != ExprKind::Sum && inner.kind != ExprKind::Product)
    return std::nullopt;
  ExprId wide = all.constant(inner.kind == ExprKind::Sum ? inner.value : 1, 32);
  for (auto [k, operand] : llvm::enumerate(inner.operands)) {
    const ExprId x = all.extend(operand, 32);
    wide = inner.kind == ExprKind::Product
               ? all.multiply(wide, x)
               : all.add(wide, all.multiply(x, all.constant(inner.coefficients[k], 32)));
  }
  return Choice{Choice::How::Wrap, 2, {wide}};
}

/// Digits in [0, 127], the first of them in [-128, 127], such that each value is their sum with powers of
/// 128.
static std::vector<std::vector<int8_t>> digitsOf(std::vector<int64_t> values) {
  std::vector<std::vector<int8_t>> digits;
  const auto isDigit = [](int64_t value) { return value >= -128 && value <= 127; };
  while (!llvm::all_of(values, isDigit)) {
    std::vector<int8_t> &low = digits.emplace_back();
    for (int64_t &value : values)
      low.push_back(static_cast<int8_t>(value & 127)), value >>= 7;
  }
  digits.emplace_back(values.begin(), values.end());
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Choice> Chooser::product(const Expr &node) {
  std::vector<ExprId> varying;
  ExprId factor = all.constant(1, 32);
  for (ExprId operand : node.operands)
    if (isPerChannel(operand))
      factor = all.multiply(factor, operand);
    else
      varying.push_back(operand);
  if (varying.size() == 2 && all.isConstant(factor))
    return Choice{Choice::How::Product, 1, varying};
  const auto values = perChannel(factor);
  if (varying.size() != 1 || !values)
    return std::nullopt;
  Choice choice{Choice::How::ChannelProduct, 1, varying};
  std::vector<int64_t> channels;
  for (int64_t c = 0; c < kernel.window.oc; ++c)
    channels.push_back((*values)[c % values->size()]);
  choice.digits = digitsOf(std::move(channels));
  choice.operations = 2 * choice.digits.size() - 1;
  return choice;
}

std::optional<Choice> Chooser::sum(ExprId id) {
  const Terms terms = all.termsOf(id);
  Choice choice{Choice::How::Sum, unsigned(terms.factors.size()) + (terms.constant != 0)};
  for (ExprId term : ordered(terms))
    if (isProduct(terms, term))
      llvm::append_range(choice.operands, all[term].operands);
    else
      choice.operands.push_back(term);
  return choice;
}

bool Chooser::isPerChannel(ExprId id) const {
  return llvm::all_of(all.argumentsOf(id),
                      [](const auto &argument) { return argument.first >= Tail::FirstConstant; });
}

std::optional<std::vector<int64_t>> Chooser::perChannel(ExprId id) const {
  if (!isPerChannel(id))
    return std::nullopt;
  std::vector<int64_t> arguments(Tail::FirstConstant + kernel.tail.channels.size(), 0);
  size_t count = 1;
  for (const auto &[number, node] : all.argumentsOf(id))
    count = kernel.tail.channels[number - Tail::FirstConstant].size();
  std::vector<int64_t> values;
  for (size_t k = 0; k < count; ++k) {
    for (auto [j, constants] : llvm::enumerate(kernel.tail.channels))
      arguments[Tail::FirstConstant + j] = constants[k % constants.size()];
    const std::optional<int64_t> value = all.evaluate(id, arguments);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<Choice> Chooser::requantized(ExprId sum, ExprId extra, ExprId multiplier, ExprId shift,
                                           const RequantFields &fields) {
  Choice choice{Choice::How::Requantize, 1};
  choice.fields = fields;
  const Terms terms = all.termsOf(sum);
  std::vector<uint32_t> bias{static_cast<uint32_t>(terms.constant)};
  const auto add = [&](const std::vector<int64_t> &values, int64_t factor) { // wraps, as accumulators do
    if (values.size() > bias.size())
      bias.assign(values.size(), bias[0]);
    for (size_t k = 0; k < bias.size(); ++k)
      bias[k] += static_cast<uint32_t>(factor) * static_cast<uint32_t>(values[k % values.size()]);
  };
  ExprId rest = all.constant(0, 32);
  for (auto [term, factor] : terms.factors)
    if (const auto values = perChannel(term))
      add(*values, factor);
    else
      rest = all.add(rest, all.multiply(all.constant(factor, 32), term));
  const auto biases = perChannel(extra), multipliers = perChannel(multiplier), shifts = perChannel(shift);
  if (!biases || !multipliers || !shifts || all.isConstant(rest))
    return std::nullopt;
  add(*biases, 1);
  choice.operands = {rest};
  return setParameters(choice.parameters, bias, *multipliers, *shifts) ? std::optional(std::move(choice))
                                                                       : std::nullopt;
}

bool Chooser::setParameters(Parameters &parameters, const std::vector<uint32_t> &bias,
                            const std::vector<int64_t> &multipliers, const std::vector<int64_t> &shifts) {
  for (int64_t multiplier : multipliers) // other values have no meaning
    if (multiplier < 0)
      return fail("its requantization has multiplier " + llvm::Twine(multiplier) + "; expected at least 0");
  for (int64_t shift : shifts)
    if (shift < 1 || shift > 62)
      return fail("its requantization has shift " + llvm::Twine(shift) + "; expected 1 to 62");
  const size_t channels = kernel.window.oc;
  for (size_t k = 0; k < channels; ++k) {
    parameters.bias.push_back(static_cast<int32_t>(bias[k % bias.size()]));
    parameters.multiplier.push_back(static_cast<int32_t>(multipliers[k % multipliers.size()]));
    parameters.shift.push_back(static_cast<uint8_t>(shifts[k % shifts.size()]));
  }
  return true;
}

bool Chooser::fail(const llvm::Twine &why) {
  if (reason.empty())
    reason = why.str();
  return false;
}

} // namespace daedalus::accelerator
