// The planner's model of time attacked: no plan costs less than the bounds by which the search leaves it out,
// before it is run and behind each of its tiles. Otherwise the plan would depend on which thread ends first.

#include "kernel_model.h"
#include "stream_runner.h"

#include "Plan/Ending.h"
#include "Plan/StreamModel.h"
#include "Plan/Wavefront.h"
#include "Schedule/Schedule.h"
#include "Transforms/Transforms.h"

#include <cmath>
#include <limits>
#include <memory>

namespace daedalus::testing {
namespace {

using accelerator::KernelCall;
using accelerator::Script;
using accelerator::StreamModel;

constexpr double Unlimited = std::numeric_limits<double>::infinity();

class Bounded {
public:
  Bounded(StreamRunner &runner, const isa::Machine &machine)
      : runner(runner), machine(machine), model(machine) {}

  /// Some of the kernel's schedules, one behind the other, each alone and with the one before it.
  void run(const KernelModel &kernel, std::mt19937 &random) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kernelText(kernel, "kernel"), &runner.context);
    const auto read = accelerator::readSimplified(*module->getOps<mlir::func::FuncOp>().begin(), machine);
    if (!read)
      return;
    KernelCall call{*read, {}, {{0}}, {kernel.inputBytes()}, 0, 0, module->getLoc()};
    if (kernel.kind == Kind::Add)
      call.inputs.push_back({0});
    const auto schedules = accelerator::rankSchedules(call.kernel, machine);
    ASSERT_TRUE(bool(schedules));
    std::unique_ptr<const Script> last;
    for (int i = 0; i < 8; ++i) {
      auto script = std::make_unique<const Script>(call, (*schedules)[random() % schedules->size()], machine);
      if (last)
        step({last.get(), script.get()}, {call, call}, random() % 3);
      step({script.get()}, {call}, 0);
      last = std::move(script);
    }
  }

  size_t count() const { return bounded; }

private:
  void step(const std::vector<const Script *> &scripts, const std::vector<KernelCall> &calls, int64_t lag) {
    const auto inOrder = accelerator::wavefrontOf(scripts, calls, lag);
    for (const auto &pieces : {inOrder, withWeightsAhead(scripts, inOrder)})
      attack(scripts, calls, pieces);
  }

  /// The last script's loads of constants before all else, as loads ahead of a group are.
  static std::vector<accelerator::Piece> withWeightsAhead(const std::vector<const Script *> &scripts,
                                                          const std::vector<accelerator::Piece> &pieces) {
    const accelerator::Timing &timing = scripts.back()->timing();
    std::vector<accelerator::Piece> loads, others;
    for (const accelerator::Piece &piece : pieces)
      for (uint32_t op = piece.first; op < piece.end; ++op) {
        const bool isAhead = piece.script + 1 == scripts.size() &&
                             timing.ops[op].kind == accelerator::Timing::Kind::Load &&
                             timing.ops[op].input == accelerator::Timing::Op::NoInput;
        (isAhead ? loads : others).push_back({piece.script, op, op + 1});
      }
    loads.insert(loads.end(), others.begin(), others.end());
    return loads;
  }

  void attack(const std::vector<const Script *> &scripts, const std::vector<KernelCall> &calls,
              const std::vector<accelerator::Piece> &pieces) {
    const StreamModel before = model;
    accelerator::Busy work;
    for (const Script *script : scripts)
      work += script->timing().work;
    const accelerator::Ending ending = accelerator::endingOf(scripts, pieces, machine);
    for (StreamModel::Rank rank : {StreamModel::Rank::End, StreamModel::Rank::Score}) {
      model = before;
      if (!model.run(scripts, calls, pieces, rank, Unlimited)) {
        model = before;
        return; // no room
      }
      const double cost = model.cost(rank), least = before.leastCost(work, rank, ending);
      EXPECT_LE(before.leastCost(work, rank), least) << machine.name;
      EXPECT_LE(least, cost) << machine.name;
      bounded += least > 0.95 * cost;
      StreamModel again = before;
      EXPECT_TRUE(again.run(scripts, calls, pieces, rank, std::nextafter(cost, Unlimited))) << machine.name;
      EXPECT_FALSE(StreamModel(before).run(scripts, calls, pieces, rank, cost)) << machine.name;
    }
  }

  StreamRunner &runner;
  const isa::Machine &machine;
  StreamModel model;
  size_t bounded = 0; ///< closely
};

TEST(StreamModel, NoPlanCostsLessThanItsBound) {
  StreamRunner runner;
  size_t closely = 0;
  for (uint32_t seed = 0; seed < 400 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const isa::Machine machine = randomMachine(random, {1, 8, 64, 300});
    Bounded bounded(runner, machine);
    for (Kind kind : {Kind::Conv, Kind::Requant, Kind::Depthwise, Kind::MaxPool, Kind::Add})
      bounded.run(randomKernel(kind, random), random);
    closely += bounded.count();
  }
  EXPECT_GT(closely, 1000u) << "a bound far below the cost spares the search nothing";
}

} // namespace
} // namespace daedalus::testing
