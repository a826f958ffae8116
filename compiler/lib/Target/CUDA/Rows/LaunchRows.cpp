// See LaunchRows.h. A pass goes over the elements of a row once; what it reduces is combined behind it, and
// the numbers that follow are computed by every thread of the row.

#include "LaunchRows.h"

#include "Combine.h"
#include "LaunchElements.h"
#include "RowElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// So many elements of a thread are loaded before the first one is needed.
constexpr int64_t unrolling = 4;

class RowsLaunch {
public:
  RowsLaunch(const Chain &chain, const RowSchedule &schedule, DeviceFunction &f)
      : chain(chain), schedule(schedule), f(f), loc(chain.last()->getLoc()) {}

  void run() {
    thread = f.b.create<gpu::ThreadIdOp>(loc, gpu::Dimension::x);
    const int64_t rows = schedule.rowsPerBlock();
    Value rowInBlock = schedule.isAcross ? rem(thread, rows) : div(thread, schedule.group);
    inGroup = schedule.isAcross ? div(thread, rows) : rem(thread, schedule.group);
    Value block = f.b.create<gpu::BlockIdOp>(loc, gpu::Dimension::x);
    Value row = add(f.b.create<arith::MulIOp>(loc, block, index(rows)), rowInBlock);
    OpBuilder::InsertionGuard guard(f.b);
    if (chain.rows % rows != 0) {
      auto inside = f.b.create<scf::IfOp>(loc, isLess(row, chain.rows), /*withElseRegion=*/false);
      f.b.setInsertionPointToStart(inside.thenBlock());
    }
    compute(loopsOf(row));
  }

private:
  Value index(int64_t value) { return f.b.create<arith::ConstantIndexOp>(loc, value); }
  Value add(Value a, Value b) { return f.b.createOrFold<arith::AddIOp>(loc, a, b); }
  Value rem(Value a, int64_t b) { return f.b.createOrFold<arith::RemUIOp>(loc, a, index(b)); }
  Value div(Value a, int64_t b) { return f.b.createOrFold<arith::DivUIOp>(loc, a, index(b)); }
  Value isLess(Value a, int64_t b) {
    return f.b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, a, index(b));
  }

  Values loopsOf(Value row) {
    Values at(chain.sizes.size(), index(0));
    for (unsigned loop : llvm::reverse(chain.rowLoops)) {
      const bool isLast = loop == chain.rowLoops.front();
      at[loop] = isLast ? row : rem(row, chain.sizes[loop]);
      row = isLast ? row : div(row, chain.sizes[loop]);
    }
    return at;
  }

  void compute(Values row) {
    RowElements made(chain, schedule, f, std::move(row));
    elements = &made;
    SmallVector<Elements> kept(llvm::divideCeil(chain.columns, schedule.step()));
    computeNumbers(-1);
    for (int pass = 0; pass < chain.passes; ++pass) {
      made.loadNumbers(pass);
      finishReductions(pass, goOverElements(pass, beginsOf(pass), kept));
      computeNumbers(pass);
    }
  }

  template <class Callable> void forReductions(int pass, Callable callable) {
    for (auto [number, step] : llvm::enumerate(chain.steps))
      if (step.pass == pass && step.kind == Step::Kind::Reduction)
        callable(number, step);
  }

  /// What a row's reduction begins with.
  Value firstOf(const Step &step) {
    linalg::FillOp fill = step.fill;
    return f(fill.getInputs()[0]);
  }

  /// What each thread's part of the reductions begins with.
  Values beginsOf(int pass) {
    Values values;
    forReductions(pass, [&](size_t, const Step &step) {
      values.push_back(schedule.group == 1
                           ? firstOf(step)
                           : f.b.create<arith::ConstantOp>(loc, *arith::getNeutralElement(step.combiner)));
    });
    return values;
  }

  void finishReductions(int pass, const Values &parts) {
    size_t part = 0;
    forReductions(pass, [&](size_t number, const Step &step) {
      Value value = parts[part++];
      if (schedule.group > 1)
        value = combine(step.combiner, firstOf(step), combineGroup(step.combiner, value, schedule, thread, f),
                        f.b);
      setNumber(number, value);
    });
  }

  void computeNumbers(int pass) {
    for (auto [number, step] : llvm::enumerate(chain.steps))
      if (step.pass == pass && step.kind == Step::Kind::Number)
        setNumber(number, elements->computeNumber(step));
  }

  /// One thread stores what is read behind the chain.
  void setNumber(size_t number, Value value) {
    const Step &step = chain.steps[number];
    elements->numbersOfRow()[number] = value;
    if (!step.isStored)
      return;
    OpBuilder::InsertionGuard guard(f.b);
    if (schedule.group > 1) {
      Value isFirst = f.b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, inGroup, index(0));
      auto first = f.b.create<scf::IfOp>(loc, isFirst, /*withElseRegion=*/false);
      f.b.setInsertionPointToStart(first.thenBlock());
    }
    elements->storeNumber(step, value);
  }

  /// The element at which the thread begins in the step `number` of the group.
  Value baseOf(int64_t number) {
    Value first = f.b.createOrFold<arith::MulIOp>(loc, inGroup, index(schedule.vector));
    return number ? add(first, index(number * schedule.step())) : first;
  }

  Values goOverElements(int pass, Values reductions, SmallVector<Elements> &kept) {
    const int64_t steps = kept.size();
    if (!schedule.keeps && steps > unrolling)
      return loopOverElements(pass, reductions);
    for (int64_t number = 0; number < steps; ++number) {
      Value base = baseOf(number);
      Value isInside = (number + 1) * schedule.step() > chain.columns ? isLess(base, chain.columns) : Value();
      reductions = elements->compute(pass, kept[number], base, isInside, reductions);
      if (!schedule.keeps)
        kept[number] = Elements();
    }
    return reductions;
  }

  /// Some elements at a time, and then those that are left.
  Values loopOverElements(int pass, Values reductions) {
    const int64_t most = unrolling * schedule.step(), even = chain.columns / most * most;
    reductions = loop(pass, index(0), even, most, baseOf(0), reductions);
    if (even == chain.columns)
      return reductions;
    return loop(pass, add(baseOf(0), index(even)), chain.columns, schedule.step(), Value(), reductions);
  }

  /// `offset`: of the thread's first element from the loop's; null: none.
  Values loop(int pass, Value from, int64_t to, int64_t by, Value offset, const Values &reductions) {
    auto made = f.b.create<scf::ForOp>(loc, from, index(to), index(by), reductions);
    OpBuilder::InsertionGuard guard(f.b);
    f.b.setInsertionPointToStart(made.getBody());
    Values values(made.getRegionIterArgs());
    for (int64_t first = 0; first < by; first += schedule.step()) {
      Elements some;
      Value base = offset ? add(made.getInductionVar(), offset) : made.getInductionVar();
      values = elements->compute(pass, some, first ? add(base, index(first)) : base, Value(), values);
    }
    f.b.setInsertionPointToEnd(made.getBody());
    if (!reductions.empty())
      f.b.create<scf::YieldOp>(loc, values);
    return Values(made.getResults());
  }

  const Chain &chain;
  const RowSchedule &schedule;
  DeviceFunction &f;
  const Location loc;
  Value thread, inGroup;
  RowElements *elements = nullptr;
};

} // namespace

std::optional<Rows> rowsAt(Operation *op) {
  if (const std::optional<Chain> chain = chainAt(op))
    if (const std::optional<RowSchedule> schedule = scheduleOf(*chain))
      return Rows{*chain, schedule};
  const std::optional<Chain> elements = elementsAt(op);
  return elements && elements->columns > 0 ? std::optional<Rows>({*elements, std::nullopt}) : std::nullopt;
}

void launchRows(const Rows &rows, gpu::GPUModuleOp device, StringRef name) {
  const auto &[chain, schedule] = rows;
  if (!schedule)
    return launchElements(chain, device, name);
  OpBuilder b(chain.last()->getContext());
  b.setInsertionPointAfter(chain.last());
  const int64_t blocks = llvm::divideCeil(chain.rows, schedule->rowsPerBlock());
  DeviceFunction f(device, name, b, chain.last()->getLoc(), blocks, schedule->threads);
  RowsLaunch(chain, *schedule, f).run();
  f.finish();
}

} // namespace daedalus::cuda
