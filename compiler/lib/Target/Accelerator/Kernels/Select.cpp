// See Select.h. A node of the expression is a leaf (an input, the reduction's result, a number), the result
// of one or a few operations of VECTOR on other nodes, or, as a function of one int8, an entry of a table;
// the cheapest in operations is taken. Sums accumulate in one tile; what a requantization adds a channel is
// in its parameters.

#include "Kernels/Select.h"

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

using dae::VectorKind;
using Place = Operand::Place;

constexpr unsigned MostStages = 64;

/// How a node is computed.
struct Choice {
  enum class How : uint8_t { Leaf, Requantize, Table, Wrap, Sum, Product, Extreme, Clamp, Shift, Declared };
  How how = How::Leaf;
  unsigned operations = 0;          ///< of VECTOR, with those of its operands
  std::vector<ExprId> operands{};   ///< whose values it needs, of 32 bits
  Expressions::Function function{}; ///< of Table
  Parameters parameters{};          ///< of Requantize
  RequantFields fields{};           ///< of Requantize
  dae::Cover cover{};               ///< of Declared
};

class Selector {
public:
  Selector(Kernel &kernel, std::string &reason, ExprId firstFused)
      : kernel(kernel), all(kernel.tail.all), reason(reason), firstFused(firstFused) {}

  bool run() {
    const ExprId result = all.extend(kernel.tail.result, 32);
    int64_t lo = -128, hi = 127;
    ExprId inner = result;
    if (all.isConstant(result) || kernel.inputs.empty())
      return fail("its result does not depend on its inputs");
    if (all[kernel.tail.result].bits == 32)
      return runWide(result);
    if (!withinInt8(result))
      return fail("its result is no int8");
    if (!choose(result) && !chooseBiased(inner = withoutClamp(result, lo, hi), lo, hi))
      return fail("its elementwise computation is none that the accelerator knows: " +
                  all.text(kernel.tail.result));
    if (inner == result && how(result) != Choice::How::Table)
      inner = withoutClamp(result, lo, hi);
    if (choose(inner)->operations + 1 > MostStages) // and a last one that moves
      return fail("its elementwise computation takes more than " + llvm::Twine(MostStages) + " operations");
    countUses(inner);
    if (kernel.combiner)
      busy.push_back(true);
    finish(inner, lo, hi);
    kernel.temporaries = busy.size();
    return true;
  }

private:
  /// The result is stored as it is, byte by byte.
  bool runWide(ExprId result) {
    if (!choose(result))
      return fail("its elementwise computation is none that the accelerator knows: " + all.text(result));
    countUses(result);
    uses[result] = 1;
    if (kernel.combiner)
      busy.push_back(true);
    Operand wide = value(result);
    if (!wide.is(Place::Temporary))
      wide = append(VectorKind::Mov, newTemporary(), wide, {}).dst;
    append(VectorKind::Mov32, {Place::Output}, wide, {});
    kernel.temporaries = busy.size();
    return true;
  }

  bool fail(const llvm::Twine &why) {
    if (reason.empty())
      reason = why.str();
    return false;
  }

  bool withinInt8(ExprId id) const { return all[id].low >= -128 && all[id].high <= 127; }
  Choice::How how(ExprId id) { return choose(id)->how; }

  /// What the result is before it is cut to a part of int8, as every operation with a result of int8 does.
  ExprId withoutClamp(ExprId id, int64_t &lo, int64_t &hi) {
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

  // How each node is computed.

  const std::optional<Choice> &choose(ExprId id) {
    if (const auto known = choices.find(id); known != choices.end())
      return known->second;
    std::optional<Choice> choice = direct(id);
    if (choice && choice->how != Choice::How::Leaf && !addOperands(*choice))
      choice.reset();
    if ((!choice || choice->operations > 1) && withinInt8(id))
      if (std::optional<Choice> table = tableOf(id);
          table && (!choice || table->operations < choice->operations))
        choice = std::move(table);
    if (std::optional<Choice> declared = declaredOf(id);
        declared && (!choice || declared->operations < choice->operations))
      choice = std::move(declared);
    return choices[id] = std::move(choice);
  }

  /// By an intrinsic of the user's, the first one with the fewest operations.
  std::optional<Choice> declaredOf(ExprId id) {
    std::optional<Choice> best;
    const auto ofUser = llvm::ArrayRef(dae::intrinsicsInUse()).drop_front(dae::builtinIntrinsics().size());
    for (const dae::Intrinsic &intrinsic : ofUser)
      if (isStages(intrinsic))
        if (std::optional<dae::Cover> cover = dae::cover(intrinsic, all, id))
          if (std::optional<Choice> choice = chosen(std::move(*cover));
              choice && (!best || choice->operations < best->operations))
            best = std::move(choice);
    return best;
  }

  /// Whether an intrinsic computes int32 in ACC of rows in INP and ACC, by operations that stages have.
  static bool isStages(const dae::Intrinsic &intrinsic) {
    const bool isRows = llvm::all_of(intrinsic.operands, [](const dae::IntrinsicOperand &operand) {
      return operand.scope == dae::Scope::Acc || (operand.scope == dae::Scope::Inp && !operand.packing);
    });
    return isRows && intrinsic.destination().scope == dae::Scope::Acc &&
           llvm::all_of(intrinsic.steps, [](const dae::IntrinsicStep &step) {
             return !step.isGemm && step.op <= VectorKind::Mov;
           });
  }

  std::optional<Choice> chosen(dae::Cover cover) {
    Choice choice{Choice::How::Declared, unsigned(cover.intrinsic->steps.size())};
    for (ExprId source : cover.sources) {
      const bool isInput = all[source].bits == 8;
      choice.operands.push_back(all.extend(source, 32));
      const std::optional<Operand> operand = leaf(choice.operands.back());
      if ((operand && operand->is(Place::Immediate)) || (isInput && !(operand && operand->is(Place::Input))))
        return std::nullopt;
    }
    choice.cover = std::move(cover);
    return addOperands(choice) ? std::optional(std::move(choice)) : std::nullopt;
  }

  bool addOperands(Choice &choice) {
    for (ExprId operand : choice.operands) {
      const std::optional<Choice> &of = choose(operand);
      if (!of)
        return false;
      choice.operations += of->operations;
    }
    return true;
  }

  std::optional<Choice> tableOf(ExprId id) {
    const bool isExtended = all[id].kind == ExprKind::Extend; // of what the table gives
    std::optional<Expressions::Function> function = all.functionOfInt8(isExtended ? all[id].operands[0] : id);
    if (!function)
      return std::nullopt;
    Choice choice{Choice::How::Table, 1};
    choice.operands = {all.extend(function->of, 32)};
    choice.function = std::move(*function);
    return addOperands(choice) ? std::optional(std::move(choice)) : std::nullopt;
  }

  std::optional<Operand> leaf(ExprId id) const {
    const Expr &node = all[id];
    if (node.kind == ExprKind::Constant && node.bits == 32)
      return Operand{Place::Immediate, static_cast<int32_t>(node.value)};
    const Expr &argument = node.kind == ExprKind::Extend ? all[node.operands[0]] : node;
    if (node.bits != 32 || argument.kind != ExprKind::Argument || argument.value >= Tail::FirstConstant)
      return std::nullopt;
    if (argument.value == Tail::Reduced)
      return Operand{Place::Temporary, 0};
    return argument.bits == 8 ? std::optional(Operand{Place::Input, static_cast<int32_t>(argument.value)})
                              : std::nullopt;
  }

  std::optional<Choice> direct(ExprId id) {
    const Expr node = all[id];
    if (leaf(id))
      return Choice{};
    if (node.bits != 32)
      return std::nullopt;
    switch (node.kind) {
    case ExprKind::Extend:
      return converted(node);
    case ExprKind::Sum:
      return sum(id);
    case ExprKind::Product:
      if (node.operands.size() != 2)
        return std::nullopt;
      return Choice{Choice::How::Product, 1, node.operands};
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

  /// The extension of an integer of fewer bits that something computes.
  std::optional<Choice> converted(const Expr &node) {
    const Expr inner = all[node.operands[0]];
    if (inner.kind == ExprKind::Requant)
      return requantized(inner.operands[0], inner.operands[1], inner.operands[2], inner.operands[3],
                         inner.requant);
    if (inner.kind == ExprKind::Truncate && all[inner.operands[0]].bits == 32)
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

  std::optional<Choice> sum(ExprId id) {
    const Terms terms = all.termsOf(id);
    Choice choice{Choice::How::Sum, unsigned(terms.factors.size()) + (terms.constant != 0)};
    for (ExprId term : ordered(terms))
      if (isProduct(terms, term))
        llvm::append_range(choice.operands, all[term].operands);
      else
        choice.operands.push_back(term);
    return choice;
  }

  /// A product that is added as it is computed.
  bool isProduct(const Terms &terms, ExprId term) const {
    return all[term].kind == ExprKind::Product && all[term].operands.size() == 2 &&
           terms.factors.at(term) == 1;
  }

  /// Products, then what has to be computed, then inputs by their numbers.
  std::vector<ExprId> ordered(const Terms &terms) const {
    std::vector<ExprId> order;
    for (auto [term, factor] : terms.factors)
      order.push_back(term);
    const auto keyOf = [&](ExprId term) {
      const std::optional<Operand> operand = leaf(term);
      const bool isInput = operand && operand->is(Place::Input);
      return std::tuple(isProduct(terms, term) ? 0 : isInput ? 2 : 1, isInput ? operand->index : 0, term);
    };
    llvm::sort(order, [&](ExprId a, ExprId b) { return keyOf(a) < keyOf(b); });
    return order;
  }

  /// A value a channel, or one for all, of what depends on nothing but the channel.
  std::optional<std::vector<int64_t>> perChannel(ExprId id) const {
    std::vector<int64_t> arguments(Tail::FirstConstant + kernel.tail.channels.size(), 0);
    size_t count = 1;
    for (const auto &[number, node] : all.argumentsOf(id)) {
      if (number < Tail::FirstConstant)
        return std::nullopt;
      count = kernel.tail.channels[number - Tail::FirstConstant].size();
    }
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

  std::optional<Choice> requantized(ExprId sum, ExprId extra, ExprId multiplier, ExprId shift,
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

  /// A sum with a value a channel, cut to a part of int8: a requantization that changes nothing but the
  /// range.
  bool chooseBiased(ExprId id, int64_t &lo, int64_t &hi) {
    if (all[id].bits != 32 || all[id].kind != ExprKind::Sum)
      return false;
    const RequantFields fields{0, lo, hi, static_cast<int32_t>(qnn::Rounding::HalfEven)};
    std::optional<Choice> choice =
        requantized(id, all.constant(0, 32), all.constant(2, 32), all.constant(1, 8), fields); // (x 2) / 2
    if (!choice || !addOperands(*choice))
      return false;
    lo = -128, hi = 127;
    choices[id] = std::move(choice);
    return true;
  }

  bool setParameters(Parameters &parameters, const std::vector<uint32_t> &bias,
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

  // Stages, in order, and the accumulators they use.

  void countUses(ExprId id) {
    for (ExprId operand : choose(id)->operands)
      if (uses[operand]++ == 0)
        countUses(operand);
  }

  Operand newTemporary() {
    const auto free = llvm::find(busy, false);
    const int32_t index = free - busy.begin();
    if (free == busy.end())
      busy.push_back(true);
    busy[index] = true;
    return {Place::Temporary, index};
  }

  Operand value(ExprId id) {
    if (const std::optional<Operand> operand = leaf(id))
      return *operand;
    const auto known = values.find(id);
    return known != values.end() ? known->second : values[id] = compute(id, {});
  }

  /// One use less of a node's value; the last one ends the life of its accumulator.
  void release(ExprId id) {
    if (--uses[id] > 0)
      return;
    const Operand operand = value(id);
    if (operand.is(Place::Temporary))
      busy[operand.index] = false;
  }

  Stage &append(VectorKind op, const Operand &dst, const Operand &a, const Operand &b) {
    Stage stage;
    stage.op = op, stage.dst = dst, stage.a = a, stage.b = b;
    stage.fused = current >= firstFused;
    kernel.stages.push_back(stage);
    return kernel.stages.back();
  }

  /// A number is the second operand, where operations take one.
  static void order(Operand &a, Operand &b) {
    if (a.is(Place::Immediate))
      std::swap(a, b);
  }

  Operand constant(StageConstant constant) {
    kernel.constants.push_back(std::move(constant));
    return {Place::Constant, static_cast<int32_t>(kernel.constants.size()) - 1};
  }

  /// The node's value in `output`, or where that is nothing in an accumulator.
  Operand compute(ExprId id, Operand output) {
    const Choice choice = *choose(id);
    for (ExprId operand : choice.operands)
      value(operand);
    current = id;
    const auto place = [&] { return output.is(Place::None) ? newTemporary() : output; };
    if (choice.how == Choice::How::Sum)
      return accumulate(id, output);
    if (choice.how == Choice::How::Extreme || choice.how == Choice::How::Clamp)
      return limit(id, output);
    if (choice.how == Choice::How::Declared)
      return declared(choice, output);
    Operand a = value(choice.operands[0]), b;
    if (choice.operands.size() > 1)
      b = value(choice.operands[1]);
    for (ExprId operand : choice.operands)
      release(operand);
    switch (choice.how) {
    case Choice::How::Requantize:
      b = constant({choice.parameters});
      setFields(append(VectorKind::Requant, output = place(), a, b), choice.fields);
      return output;
    case Choice::How::Table: {
      StageConstant table;
      table.table.assign(choice.function.values.begin(), choice.function.values.end());
      b = constant(std::move(table));
      return append(VectorKind::Lut, place(), a, b).dst;
    }
    case Choice::How::Wrap: {
      const Operand by{Place::Immediate, 32 - int32_t(all[all[id].operands[0]].bits)}, wide = newTemporary();
      append(VectorKind::Shl, wide, a, by);
      busy[wide.index] = output.is(Place::None);
      return append(VectorKind::Shr, output.is(Place::None) ? wide : output, wide, by).dst;
    }
    case Choice::How::Product:
      order(a, b);
      return append(VectorKind::Mul, place(), a, b).dst;
    default:
      return append(all[id].kind == ExprKind::ShiftLeft ? VectorKind::Shl : VectorKind::Shr, place(), a, b)
          .dst;
    }
  }

  /// The steps of an intrinsic, whose operands live until the last one.
  Operand declared(const Choice &choice, const Operand &output) {
    using Source = dae::IntrinsicStep::Place;
    const dae::Intrinsic &intrinsic = *choice.cover.intrinsic;
    std::vector<Operand> temporaries(intrinsic.temporaries);
    const Operand result = output.is(Place::None) ? newTemporary() : output;
    const auto placed = [&](const Source &source) -> Operand {
      switch (source.kind) {
      case Source::None:
        return {};
      case Source::Operand:
        return source.value == intrinsic.sources() ? result : value(choice.operands[source.value]);
      case Source::Temporary:
        return temporaries[source.value];
      case Source::Immediate:
        return {Place::Immediate, static_cast<int32_t>(choice.cover.immediates[source.value])};
      case Source::Constant:
        return {Place::Immediate, static_cast<int32_t>(source.value)};
      }
      return {};
    };
    for (const dae::IntrinsicStep &step : intrinsic.steps) {
      if (step.dest.kind == Source::Temporary && temporaries[step.dest.value].is(Place::None))
        temporaries[step.dest.value] = newTemporary();
      append(step.op, placed(step.dest), placed(step.a), placed(step.b));
    }
    for (const Operand &temporary : temporaries)
      if (temporary.is(Place::Temporary))
        busy[temporary.index] = false;
    for (ExprId operand : choice.operands)
      release(operand);
    return result;
  }

  static void setFields(Stage &stage, const RequantFields &fields) {
    stage.lo = fields.lo, stage.hi = fields.hi, stage.zeroPoint = fields.zeroPoint;
    stage.rounding = static_cast<qnn::Rounding>(fields.rounding);
  }

  /// Maxima and minima, one operand after the other; of a clamp its two limits.
  Operand limit(ExprId id, const Operand &output) {
    const Expr node = all[id];
    Operand so = value(node.operands[0]);
    release(node.operands[0]);
    for (size_t k = 1; k < node.operands.size(); ++k) {
      const Operand with = value(node.operands[k]);
      release(node.operands[k]);
      const bool isLast = k + 1 == node.operands.size(), isMax = node.kind == ExprKind::Max;
      if (k > 1)
        busy[so.index] = false;
      const bool goesUp = isMax || (node.kind == ExprKind::Clamp && k == 1);
      so = append(goesUp ? VectorKind::Max : VectorKind::Min,
                  isLast && !output.is(Place::None) ? output : newTemporary(), so, with)
               .dst;
    }
    return so;
  }

  /// Whether a sum is one addition or subtraction of two values, the second one's sign `negative`.
  bool isPair(const Terms &terms, llvm::ArrayRef<ExprId> order, bool &negative) const {
    if (order.size() != 2 || terms.constant || isProduct(terms, order[0]) || isProduct(terms, order[1]))
      return false;
    const int64_t a = terms.factors.at(order[0]), b = terms.factors.at(order[1]);
    negative = b == -1;
    return a == 1 && (b == 1 || b == -1);
  }

  Operand accumulate(ExprId id, const Operand &output) {
    const Terms terms = all.termsOf(id);
    std::vector<ExprId> order = ordered(terms);
    if (order.size() == 2 && terms.factors.at(order[0]) == -1 && terms.factors.at(order[1]) == 1)
      std::swap(order[0], order[1]);
    const auto place = [&](bool isLast) {
      return isLast && !output.is(Place::None) ? output : newTemporary();
    };
    if (bool negative = false; isPair(terms, order, negative)) {
      const Operand a = value(order[0]), b = value(order[1]);
      release(order[0]), release(order[1]);
      return append(negative ? VectorKind::Sub : VectorKind::Add, place(true), a, b).dst;
    }
    const bool isOne = order.size() == 1 && terms.constant == 0;
    auto [sum, isOwn] = firstTerm(terms, order[0], isOne, place);
    for (ExprId term : llvm::ArrayRef(order).drop_front())
      addTerm(terms, term, sum);
    if (isOne || (!terms.constant && output.is(Place::None)))
      return sum;
    if (isOwn)
      busy[sum.index] = false;
    const Operand number{Place::Immediate, static_cast<int32_t>(terms.constant)};
    return terms.constant ? append(VectorKind::Add, place(true), sum, number).dst
                          : append(VectorKind::Mov, output, sum, {}).dst;
  }

  /// What the sum starts from, and whether that is an accumulator of its own; a value that nothing else needs
  /// becomes the sum in place.
  template <class F>
  std::pair<Operand, bool> firstTerm(const Terms &terms, ExprId term, bool isOne, F place) {
    if (isProduct(terms, term)) {
      Operand a = value(all[term].operands[0]), b = value(all[term].operands[1]);
      for (ExprId operand : all[term].operands)
        release(operand);
      order(a, b);
      return {append(VectorKind::Mul, place(isOne), a, b).dst, !isOne};
    }
    const Operand x = value(term);
    const int64_t factor = terms.factors.at(term);
    const bool isLast = uses[term] == 1;
    release(term);
    if (factor == 1 && terms.factors.size() == 1) // plus a number, which leaves x as it is
      return {x, false};
    if (factor == 1 && x.is(Place::Temporary) && isLast) {
      busy[x.index] = true;
      return {x, true};
    }
    const Operand number{Place::Immediate, static_cast<int32_t>(factor)};
    return {append(VectorKind::Mul, place(isOne), x, number).dst, !isOne};
  }

  void addTerm(const Terms &terms, ExprId term, const Operand &sum) {
    Operand a, b;
    if (isProduct(terms, term)) {
      a = value(all[term].operands[0]), b = value(all[term].operands[1]);
      for (ExprId operand : all[term].operands)
        release(operand);
      order(a, b);
    } else {
      a = value(term), b = {Place::Immediate, static_cast<int32_t>(terms.factors.at(term))};
      release(term);
    }
    append(VectorKind::Mac, sum, a, b).accumulate = true;
  }

  /// The result, cut to [lo, hi].
  void finish(ExprId id, int64_t lo, int64_t hi) {
    const Operand output{Place::Output};
    const bool cuts = lo != -128 || hi != 127;
    const Choice::How last = how(id);
    if (last == Choice::How::Leaf || (cuts && last == Choice::How::Requantize)) {
      current = kernel.tail.result;
      append(VectorKind::Mov, output, value(id), {});
    } else {
      compute(id, output);
    }
    if (last != Choice::How::Requantize || cuts)
      kernel.stages.back().lo = lo, kernel.stages.back().hi = hi;
  }

  Kernel &kernel;
  Expressions &all;
  std::string &reason;
  const ExprId firstFused;
  ExprId current = 0; ///< whose stages are appended
  std::map<ExprId, std::optional<Choice>> choices;
  std::map<ExprId, unsigned> uses;
  std::map<ExprId, Operand> values;
  std::vector<bool> busy; ///< accumulators
};

} // namespace

bool selectStages(Kernel &kernel, std::string &reason, ExprId firstFused) {
  kernel.stages.clear();
  kernel.constants.clear();
  return Selector(kernel, reason, firstFused).run();
}

} // namespace daedalus::accelerator
