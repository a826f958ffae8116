// The planner's model of time attacked: no plan costs less than the bound by which the search leaves it out.
// Otherwise the plan would depend on which thread ends first.

#include "kernel_model.h"
#include "stream_runner.h"

#include "Plan/StreamModel.h"
#include "Plan/Wavefront.h"
#include "Schedule/Schedule.h"
#include "Transforms/Transforms.h"

#include <limits>

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

  /// Some of the kernel's schedules, one behind the other.
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
    for (int i = 0; i < 8; ++i)
      step(call, (*schedules)[random() % schedules->size()]);
  }

  size_t count() const { return bounded; }

private:
  void step(const KernelCall &call, const accelerator::Schedule &schedule) {
    const Script script(call, schedule, machine), *const scripts[] = {&script};
    const StreamModel before = model;
    const auto pieces = accelerator::wavefrontOf(scripts, call, 0);
    for (StreamModel::Rank rank : {StreamModel::Rank::End, StreamModel::Rank::Score}) {
      model = before;
      if (!model.run(scripts, call, pieces, rank, Unlimited))
        return; // no room
      EXPECT_LE(before.leastCost(script.timing().work, rank), model.cost(rank)) << machine.name;
      bounded += before.leastCost(script.timing().work, rank) > 0.9 * model.cost(rank);
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
