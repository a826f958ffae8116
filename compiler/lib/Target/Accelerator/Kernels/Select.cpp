// See Select.h. Stages in order, and the accumulators that they use: sums accumulate in one tile, and an
// accumulator is used again when its value was read for the last time. A sum with what has a value a channel
// starts from that, so that a row of it is computed once a tile.

#include "Kernels/Select.h"

#include "Kernels/Choose.h"
#include "Kernels/Stages.h"

#include "daedalus/isa/encoding.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

using dae::VectorKind;
using Place = Operand::Place;

constexpr unsigned MostStages = 64;

class Selector {
public:
  Selector(Kernel &kernel, ExprId firstFused)
      : kernel(kernel), all(kernel.tail.all), firstFused(firstFused), chooser(kernel) {}

  /// Why run() was false: the first reason, and choices come before what is made of them.
  const std::string &failure() const { return chooser.failure().empty() ? reason : chooser.failure(); }

  bool run() {
    const ExprId result = all.extend(kernel.tail.result, 32);
    int64_t lo = -128, hi = 127;
    ExprId inner = result;
    if (all.isConstant(result) || kernel.inputs.empty())
      return fail("its result does not depend on its inputs");
    if (all[kernel.tail.result].bits == 32)
      return runWide(result);
    if (!chooser.withinInt8(result))
      return fail("its result is no int8");
    if (!chooser.choose(result) &&
        !chooser.chooseBiased(inner = chooser.withoutClamp(result, lo, hi), lo, hi))
      return fail("its elementwise computation is unknown to the accelerator: " +
                  all.text(kernel.tail.result));
    if (inner == result && chooser.how(result) != Choice::How::Table)
      inner = chooser.withoutClamp(result, lo, hi);
    if (chooser.choose(inner)->operations + 1 > MostStages) // and a last one that moves
      return fail("its elementwise computation takes more than " + llvm::Twine(MostStages) + " operations");
    countUses(inner);
    busy.assign(kernel.reducedTemporaries(), true);
    finish(inner, lo, hi);
    kernel.temporaries = busy.size();
    return true;
  }

private:
  /// The result is stored as it is, byte by byte.
  bool runWide(ExprId result) {
    if (!chooser.choose(result))
      return fail("its elementwise computation is unknown to the accelerator: " + all.text(result));
    countUses(result);
    uses[result] = 1;
    busy.assign(kernel.reducedTemporaries(), true);
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

  void countUses(ExprId id) {
    for (ExprId operand : chooser.choose(id)->operands)
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
    if (const std::optional<Operand> operand = chooser.leaf(id))
      return *operand;
    const auto known = values.find(id);
    return known != values.end() ? known->second : values[id] = compute(id, {});
  }

  /// Whether an accumulator holds sums of data or of weights, which are fewer rows than others.
  bool isOfSums(const Operand &operand) const {
    return operand.index > 0 && operand.index < kernel.reducedTemporaries();
  }

  /// One use less of a node's value; the last one ends the life of its accumulator.
  void release(ExprId id) {
    if (--uses[id] > 0)
      return;
    const Operand operand = value(id);
    if (operand.is(Place::Temporary) && !isOfSums(operand))
      busy[operand.index] = false;
  }

  Stage &append(VectorKind op, const Operand &dst, const Operand &a, const Operand &b) {
    Stage stage;
    stage.op = op, stage.dst = dst, stage.a = a, stage.b = b;
    stage.fused = current >= firstFused;
    kernel.stages.push_back(stage);
    return kernel.stages.back();
  }

  /// A number, or a row of PARAM, is the second operand, where operations take one.
  static void order(Operand &a, Operand &b) {
    if (a.is(Place::Immediate) || (a.is(Place::Row) && !b.is(Place::Immediate)))
      std::swap(a, b);
  }

  Operand constant(StageConstant constant) {
    kernel.constants.push_back(std::move(constant));
    return {Place::Constant, static_cast<int32_t>(kernel.constants.size()) - 1};
  }

  /// The node's value in `output`, or where that is nothing in an accumulator.
  Operand compute(ExprId id, Operand output) {
    const Choice choice = *chooser.choose(id);
    if (const std::optional<ExprId> requant = requantBefore(choice))
      return throughTable(choice, *requant, output);
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
    if (choice.how == Choice::How::ChannelProduct)
      return channelProduct(choice, output);
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
    case Choice::How::Table:
      b = tableOf(choice);
      return append(VectorKind::Lut, place(), a, b).dst;
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

  Operand tableOf(const Choice &choice) {
    StageConstant table;
    table.table.assign(choice.table.begin(), choice.table.end());
    return constant(std::move(table));
  }

  /// The requantization of which a table, and nothing else, reads the result.
  std::optional<ExprId> requantBefore(const Choice &choice) {
    if (choice.how != Choice::How::Table)
      return std::nullopt;
    const ExprId read = choice.operands[0];
    const bool isOnly = uses[read] == 1 && !values.count(read); // uses that are left; nothing has it yet
    return isOnly && chooser.how(read) == Choice::How::Requantize ? std::optional(read) : std::nullopt;
  }

  /// Both in one operation, which counts to the layer of the requantization.
  Operand throughTable(const Choice &table, ExprId requant, const Operand &output) {
    const Choice choice = *chooser.choose(requant);
    const Operand a = value(choice.operands[0]);
    current = requant;
    release(choice.operands[0]);
    const Operand parameters = constant({choice.parameters}), entries = tableOf(table);
    Stage &stage =
        append(VectorKind::RequantLut, output.is(Place::None) ? newTemporary() : output, a, parameters);
    stage.table = entries;
    setFields(stage, choice.fields);
    return stage.dst;
  }

  /// The highest digit times the value, then for each other one that times 128 and the value times the digit.
  Operand channelProduct(const Choice &choice, const Operand &output) {
    const Operand x = value(choice.operands[0]);
    const bool isOne = choice.digits.size() == 1;
    const Operand sum = isOne && !output.is(Place::None) ? output : newTemporary();
    append(VectorKind::Mul, sum, x, constant({{}, {}, choice.digits[0]}));
    for (const std::vector<int8_t> &digit : llvm::ArrayRef(choice.digits).drop_front()) {
      append(VectorKind::Mul, sum, sum, {Place::Immediate, 128});
      append(VectorKind::Mac, sum, x, constant({{}, {}, digit})).accumulate = true;
    }
    release(choice.operands[0]);
    if (isOne || output.is(Place::None))
      return sum;
    busy[sum.index] = false;
    return append(VectorKind::Mov, output, sum, {}).dst;
  }

  /// The steps of an intrinsic, whose operands live until the last one.
  Operand declared(const Choice &choice, const Operand &output) {
    using Source = dae::IntrinsicStep::Place;
    const dae::Intrinsic &intrinsic = *choice.cover.intrinsic;
    std::vector<Operand> temporaries(intrinsic.temporaries);
    std::map<unsigned, Operand> rows;
    for (const dae::ConstantRow &row : choice.cover.rows)
      rows[row.source] = constant({{}, {}, row.elements});
    const Operand result = output.is(Place::None) ? newTemporary() : output;
    const auto placed = [&](const Source &source) -> Operand {
      switch (source.kind) {
      case Source::None:
        return {};
      case Source::Operand:
        if (const auto row = rows.find(source.value); row != rows.end())
          return row->second;
        return source.value == intrinsic.sources() ? result : value(choice.operands[source.value]);
      case Source::Temporary:
        if (Operand &temporary = temporaries[source.value]; temporary.is(Place::None))
          temporary = newTemporary();
        return temporaries[source.value];
      case Source::Immediate:
        return {Place::Immediate, static_cast<int32_t>(choice.cover.immediates[source.value])};
      case Source::Constant:
        return {Place::Immediate, static_cast<int32_t>(source.value)};
      }
      return {};
    };
    for (const dae::IntrinsicStep &step : intrinsic.steps)
      append(step.op, placed(step.dest), placed(step.a), placed(step.b));
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
    if (order.size() != 2 || terms.constant || chooser.isProduct(terms, order[0])) // products are first
      return false;
    const int64_t a = terms.factors.at(order[0]), b = terms.factors.at(order[1]);
    negative = b == -1;
    return a == 1 && (b == 1 || b == -1);
  }

  Operand accumulate(ExprId id, const Operand &output) {
    const Terms terms = all.termsOf(id);
    std::vector<ExprId> order = chooser.ordered(terms);
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
    const auto isRow = [&](ExprId term) { return chooser.leaf(term).value_or(Operand{}).is(Place::Row); };
    std::stable_partition(order.begin(), order.end(), isRow);
    auto [sum, isOwn] = order.size() > 1 && isRow(order[0]) ? std::pair(startFromRow(terms, order[0]), true)
                                                            : firstTerm(terms, order[0], isOne, place);
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
    if (chooser.isProduct(terms, term)) {
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
    if (factor == 1 && x.is(Place::Temporary) && !isOfSums(x) && isLast) {
      busy[x.index] = true;
      return {x, true};
    }
    const Operand number{Place::Immediate, static_cast<int32_t>(factor)};
    return {append(VectorKind::Mul, place(isOne), x, number).dst, !isOne};
  }

  /// An accumulator in which every pixel has a row times its factor.
  Operand startFromRow(const Terms &terms, ExprId term) {
    Operand row = value(term);
    release(term);
    if (const int64_t factor = terms.factors.at(term); factor != 1)
      row = append(VectorKind::Mul, {Place::RowTemporary, int32_t(kernel.rowTemporaries++)}, row,
                   {Place::Immediate, static_cast<int32_t>(factor)})
                .dst;
    return append(VectorKind::Mov, newTemporary(), row, {}).dst;
  }

  void addTerm(const Terms &terms, ExprId term, const Operand &sum) {
    Operand a, b;
    if (chooser.isProduct(terms, term)) {
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
    const Choice::How last = chooser.how(id);
    if (last == Choice::How::Leaf || (cuts && last == Choice::How::Requantize)) {
      current = kernel.tail.result;
      append(VectorKind::Mov, output, value(id), {});
    } else {
      compute(id, output);
    }
    if (last == Choice::How::Table) { // which cuts nothing but its entries
      for (int8_t &entry : kernel.constants.back().table)
        entry = std::clamp<int64_t>(entry, lo, hi);
      return;
    }
    if (last != Choice::How::Requantize || cuts)
      kernel.stages.back().lo = lo, kernel.stages.back().hi = hi;
  }

  Kernel &kernel;
  Expressions &all;
  std::string reason;
  const ExprId firstFused;
  Chooser chooser;
  ExprId current = 0; ///< whose stages are appended
  std::map<ExprId, unsigned> uses;
  std::map<ExprId, Operand> values;
  std::vector<bool> busy; ///< accumulators
};

} // namespace

static Result<void> select(Kernel &kernel, ExprId firstFused, bool readsRows) {
  kernel.stages.clear();
  kernel.constants.clear();
  kernel.rowTemporaries = 0;
  kernel.readsRows = readsRows;
  Selector selector(kernel, firstFused);
  if (!selector.run())
    return error(selector.failure());
  return {};
}

/// Whether VECTOR can read rows where the stages do: not everywhere.
static bool areLegal(const Kernel &kernel) {
  return llvm::all_of(kernel.stages, [](const Stage &stage) {
    const bool hasRow = stage.a.isRow() || stage.b.isRow();
    return !hasRow || isa::illegalReason(instructionOf(stage)).empty();
  });
}

Result<void> selectStages(Kernel &kernel, ExprId firstFused) {
  const bool hasRows =
      llvm::any_of(kernel.layouts, [](const std::optional<Layout> &layout) { return isRow(layout); });
  if (hasRows && select(kernel, firstFused, true) && areLegal(kernel))
    return {};
  return select(kernel, firstFused, false);
}

} // namespace daedalus::accelerator
