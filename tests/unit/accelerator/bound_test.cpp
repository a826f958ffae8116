// Bounds attacked: of small layers every schedule there is runs, and none takes fewer cycles than its bound
// (docs/bounds.md). DAEDALUS_BOUND_LAYERS: how many layers (24).

#include "stream_runner.h"

#include "Bound/LeastWork.h"
#include "Schedule/Schedule.h"
#include "Transforms/Transforms.h"
#include "daedalus/runtime/bound.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace daedalus::testing {
namespace {

using accelerator::Schedule;

/// A layer of few tiles: every size of them is tried.
KernelModel smallLayer(std::mt19937 &random, const isa::Machine &machine) {
  const auto pick = [&](int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  };
  constexpr Kind kinds[] = {Kind::Conv,      Kind::Conv,    Kind::Conv,           Kind::Matmul,
                            Kind::Depthwise, Kind::MaxPool, Kind::MaxPoolRequant, Kind::Add,
                            Kind::GlobalSum, Kind::Requant, Kind::Depthwise};
  const int64_t n = machine.n;
  KernelModel m;
  m.kind = kinds[pick(0, std::size(kinds) - 1)];
  const auto channels = [&] { return pick(0, 1) ? n * pick(1, 2) : pick(1, 2 * n); };
  m.c = m.kind == Kind::Conv && pick(0, 1) ? pick(1, 4) : channels();
  m.oc = m.kind == Kind::Conv || m.kind == Kind::Matmul ? channels() : m.c;
  m.w = pick(1, 4);
  if (m.kind != Kind::Matmul)
    m.h = pick(1, 4), m.b = pick(0, 5) ? 1 : 2;
  if (m.isWindow()) {
    m.kh = pick(1, 3), m.kw = pick(m.kind == Kind::Depthwise ? 2 : 1, 3), m.sh = pick(1, 2),
    m.sw = pick(1, 2);
    m.pt = pick(0, m.kh - 1), m.pb = pick(0, m.kh - 1), m.pl = pick(0, m.kw - 1), m.pr = pick(0, m.kw - 1);
    m.h = std::max(m.h, m.kh - m.pt - m.pb), m.w = std::max(m.w, m.kw - m.pl - m.pr);
    m.pad = m.kind == Kind::Conv || m.kind == Kind::Depthwise ? 3 : -128;
  }
  randomConstants(m, random, pick(0, 1));
  return m;
}

/// All sizes of tiles, all orders, folds, shares, ramps and windows that slide.
class AllSchedules {
public:
  AllSchedules(const accelerator::Kernel &kernel, const isa::Machine &machine)
      : kernel(kernel), machine(machine) {}

  std::vector<Schedule> run() {
    for (dae::Fold fold : {dae::Fold::None, dae::Fold::Width, dae::Fold::Window}) {
      Schedule s;
      s.fold = fold;
      const accelerator::Reduction r = accelerator::reductionOf(kernel, fold, machine.n);
      const int64_t lanes = kernel.isWeighted() ? r.blocks : 1;
      const accelerator::Window &w = kernel.window;
      for (s.oh = 1; s.oh <= w.oh; ++s.oh)
        for (s.ow = 1; s.ow <= w.ow; ++s.ow)
          for (s.oc = 1; s.oc <= accelerator::blocksOf(w.oc, machine.n); ++s.oc)
            for (s.kh = 1; s.kh <= r.kh; ++s.kh)
              for (s.kw = 1; s.kw <= r.kw; ++s.kw)
                for (s.ic = 1; s.ic <= lanes; ++s.ic)
                  addOrders(s);
    }
    return std::move(all);
  }

private:
  void addOrders(Schedule s) {
    const int64_t slides = kernel.diagonal ? int64_t(machine.inpInterleave) : 0;
    const std::vector<int64_t> shares =
        kernel.diagonal ? std::vector<int64_t>{0, 4, 8, 12, 16} : std::vector<int64_t>{0};
    for (dae::Order order : {dae::Order::Pixels, dae::Order::Channels})
      for (int64_t vector : shares)
        for (bool ramp : {false, true})
          for (int64_t slide = 0; slide <= slides; ++slide) {
            s.order = order, s.vector = vector, s.ramp = ramp, s.slide = slide;
            if (accelerator::fits(kernel, s, machine))
              all.push_back(s);
          }
  }

  const accelerator::Kernel &kernel;
  const isa::Machine &machine;
  std::vector<Schedule> all;
};

/// As a plan has them.
std::string decisionsOf(const Schedule &s) {
  const auto size = [](int64_t number) { return std::to_string(number); };
  std::string text = s.fold == dae::Fold::None    ? ""
                     : s.fold == dae::Fold::Width ? "dae.fold columns "
                                                  : "dae.fold window ";
  text += "dae.tile rows " + size(s.oh) + " columns " + size(s.ow) + " channels " + size(s.oc) + " window " +
          size(s.kh) + " x " + size(s.kw) + " lanes " + size(s.ic);
  if (s.order == dae::Order::Channels)
    text += " dae.reorder channels";
  if (s.vector)
    text += " dae.split vector " + size(s.vector);
  if (s.slide)
    text += " dae.slide rows " + size(s.slide);
  return text + (s.ramp ? " dae.ramp" : "");
}

class Bounds : public ::testing::Test {
protected:
  /// Cycles of the fastest schedule; a failure where one is faster than the bound. Nothing of a layer that
  /// the accelerator does not take, such as a sum of one element.
  std::optional<uint64_t> fastest(KernelModel m, const isa::Machine &machine, uint64_t &bound) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kernelText(m, "kernel"), &runner.context);
    const auto kernel = accelerator::readSimplified(*module->getOps<mlir::func::FuncOp>().begin(), machine);
    if (!kernel)
      return std::nullopt;
    std::optional<uint64_t> best;
    const mlir::ScopedDiagnosticHandler quiet(&runner.context,
                                              [](mlir::Diagnostic &) { return mlir::success(); });
    for (const Schedule &schedule : AllSchedules(*kernel, machine).run()) {
      m.decisions = decisionsOf(schedule);
      if (!runner.tryToCompile({m}, machine))
        continue;
      bound = runtime::boundOf(runner.stream.bounds.at(0).work, machine);
      runner.run("systemc", std::vector<std::vector<int8_t>>(m.kind == Kind::Add ? 2 : 1,
                                                             std::vector<int8_t>(m.inputBytes(), 1)));
      EXPECT_GE(runner.cycles(), bound) << m.decisions << "\n" << kernelText(m, "kernel") << machine.name;
      best = std::min(best.value_or(UINT64_MAX), runner.cycles());
      ++schedules;
    }
    return best;
  }

  static unsigned count() {
    const char *asked = std::getenv("DAEDALUS_BOUND_LAYERS");
    return asked ? std::atoi(asked) : 24;
  }

  StreamRunner runner;
  size_t schedules = 0;
};

TEST_F(Bounds, NoScheduleOfASmallLayerIsFaster) {
  std::vector<double> gaps;
  for (unsigned seed = 0; gaps.size() < count() && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    const isa::Machine machine = randomMachine(random, {1, 8, 64});
    uint64_t bound = 0;
    const std::optional<uint64_t> best = fastest(smallLayer(random, machine), machine, bound);
    if (!best)
      continue;
    ASSERT_GT(bound, 0u) << "seed " << seed;
    gaps.push_back(double(*best) / double(bound));
  }
  ASSERT_FALSE(gaps.empty());
  std::sort(gaps.begin(), gaps.end());
  std::cout << gaps.size() << " layers, " << schedules << " schedules: the fastest takes " << gaps.front()
            << " to " << gaps.back() << " of the bound, half of them at most " << gaps[gaps.size() / 2]
            << "\n";
  EXPECT_LT(gaps[gaps.size() / 2], 2);
}

TEST(BoundsOfWork, TheBusiestModuleDecides) {
  package::LeastWork work;
  EXPECT_EQ(work.cycles(), 0u);
  work.gemm = 100, work.vector = 60, work.read = 80, work.write = 20;
  EXPECT_EQ(work.cycles(), 100u);
  work.either = 50; // 40 of them on VECTOR: 110 and 100
  EXPECT_EQ(work.cycles(), 105u);
  work.either = 20; // all of them on VECTOR
  EXPECT_EQ(work.cycles(), 100u);
}

} // namespace
} // namespace daedalus::testing
