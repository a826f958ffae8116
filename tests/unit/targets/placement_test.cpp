// Placement by price: the cheapest of all placements of random graphs, found by trying each one, and what
// targets may not say of prices.

#include "Pipelines/Placement/Assignment.h"
#include "Pipelines/Placement/Prices.h"

#include "daedalus/Analysis/Views.h"
#include "daedalus/Pipelines/Program.h"
#include "daedalus/Target/Target.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

using namespace mlir;

namespace daedalus::test {
namespace {

/// One with a memory of its own; nothing is compiled for it.
class FarTarget : public Target {
public:
  FarTarget(std::string name, double perCopy, double perByte)
      : called(std::move(name)), perCopy(perCopy), perByte(perByte) {}

  std::string name() const override { return called; }
  std::string title(const TargetState &) const override { return called; }
  bool hasOwnMemory() const override { return true; }
  Support supports(func::FuncOp, TargetState &) const override { return {true, "", 0}; }
  Cost cost(func::FuncOp, TargetState &) const override { return {price, ""}; }
  double copyCost(uint64_t bytes, const TargetState &) const override {
    return perCopy + perByte * static_cast<double>(bytes);
  }

  static double price;

private:
  std::string called;
  double perCopy, perByte;
};
double FarTarget::price = 1;

const bool registered = [] {
  return registerTarget(std::make_unique<FarTarget>("far-a", 2, 0.25)) &&
         registerTarget(std::make_unique<FarTarget>("far-b", 0, 0.5));
}();

using Kernels = llvm::DenseMap<Operation *, std::vector<Candidate>>;

/// @main with calls of kernels, some of them called twice, that read results of earlier ones.
class RandomGraph {
public:
  RandomGraph(MLIRContext &context, unsigned seed) : random(seed), b(&context) {
    context.loadDialect<func::FuncDialect>();
    module = ModuleOp::create(b.getUnknownLoc());
    b.setInsertionPointToEnd(module->getBody());
    const Type type = RankedTensorType::get({int64_t(1 + pick(16))}, b.getI8Type());
    main = b.create<func::FuncOp>(b.getUnknownLoc(), "main", b.getFunctionType({type, type}, {}));
    mlir::Block *body = main.addEntryBlock();
    std::vector<Value> values(body->args_begin(), body->args_end());
    const unsigned count = 1 + pick(12);
    while (kernels.size() < count)
      addCall(type, values);
    b.setInsertionPointToEnd(&main.getBody().front());
    b.create<func::ReturnOp>(b.getUnknownLoc(), ValueRange{values.back(), values[pick(values.size())]});
  }

  OwningOpRef<ModuleOp> module;
  func::FuncOp main;
  std::vector<func::FuncOp> kernels;
  Kernels candidates;

private:
  unsigned pick(unsigned below) { return random() % below; }

  void addCall(Type type, std::vector<Value> &values) {
    std::vector<Value> operands(1 + pick(2));
    for (Value &operand : operands)
      operand = values[values.size() - 1 - pick(std::min<unsigned>(values.size(), 4))];
    func::FuncOp kernel =
        kernels.empty() || pick(5) ? addKernel(type, operands.size()) : kernels[pick(kernels.size())];
    operands.resize(kernel.getNumArguments(), values.front());
    b.setInsertionPointToEnd(&main.getBody().front());
    values.push_back(b.create<func::CallOp>(b.getUnknownLoc(), kernel, operands).getResult(0));
  }

  func::FuncOp addKernel(Type type, size_t operands) {
    b.setInsertionPointToEnd(module->getBody());
    auto kernel = b.create<func::FuncOp>(b.getUnknownLoc(), "k" + std::to_string(kernels.size()),
                                         b.getFunctionType(SmallVector<Type>(operands, type), {type}));
    kernel.setPrivate();
    std::vector<Candidate> &all = candidates[kernel];
    constexpr std::array<const char *, 3> devices = {"far-a", "far-b", "cuda"}; // of which two: all are tried
    for (unsigned i = 0, first = pick(3); i < 2; ++i)
      if (pick(3))
        all.push_back({findTarget(devices[(first + i) % 3]), "", 0, double(pick(12))});
    all.push_back({&fallbackTarget(), "", 0, double(pick(16))});
    kernels.push_back(kernel);
    return kernel;
  }

  std::mt19937 random;
  OpBuilder b;
};

/// What a run costs, call by call: where each value lies, and what is copied when it is needed elsewhere. A
/// value that a device made and somebody else needs comes back once.
double costOfRun(RandomGraph &graph, const std::map<Operation *, size_t> &chosen, TargetStates &states) {
  std::map<std::string, func::FuncOp> byName;
  for (func::FuncOp kernel : graph.kernels)
    byName[kernel.getName().str()] = kernel;
  const auto memoryOf = [&](const Target *target) { return target->hasOwnMemory() ? target : nullptr; };
  llvm::DenseMap<Value, std::set<const Target *>> lies; // null: the host's memory
  double cost = 0;
  for (Value argument : graph.main.getArguments())
    lies[argument].insert(nullptr);
  const auto bring = [&](Value value, const Target *memory) {
    if (lies[value].count(memory))
      return;
    const uint64_t bytes = tensorBytes(value.getType());
    if (!lies[value].count(nullptr)) {
      const Target *maker = *lies[value].begin();
      cost += maker->copyCost(bytes, *states.of(*maker));
      lies[value].insert(nullptr);
    }
    if (memory)
      cost += memory->copyCost(bytes, *states.of(*memory));
    lies[value].insert(memory);
  };
  for (auto call : graph.main.getOps<func::CallOp>()) {
    func::FuncOp kernel = byName[call.getCallee().str()];
    const Candidate &candidate = graph.candidates[kernel][chosen.at(kernel)];
    for (Value operand : call.getOperands())
      bring(operand, memoryOf(candidate.target));
    cost += *candidate.price;
    lies[call.getResult(0)].insert(memoryOf(candidate.target));
  }
  for (Value result : graph.main.getBody().front().getTerminator()->getOperands())
    bring(result, nullptr);
  return cost;
}

/// The least cost of all placements.
double leastCost(RandomGraph &graph, TargetStates &states) {
  std::map<Operation *, size_t> chosen;
  for (func::FuncOp kernel : graph.kernels)
    chosen[kernel] = 0;
  double least = std::numeric_limits<double>::infinity();
  for (bool isLast = false; !isLast;) {
    least = std::min(least, costOfRun(graph, chosen, states));
    isLast = true;
    for (func::FuncOp kernel : graph.kernels) {
      if (++chosen[kernel] < graph.candidates[kernel].size()) {
        isLast = false;
        break;
      }
      chosen[kernel] = 0;
    }
  }
  return least;
}

/// DAEDALUS_PLACEMENT_GRAPHS: how many, instead of 200.
TEST(Placement, IsTheCheapestOfAll) {
  ASSERT_TRUE(registered);
  const char *wanted = std::getenv("DAEDALUS_PLACEMENT_GRAPHS");
  const unsigned count = wanted ? std::atoi(wanted) : 200;
  MLIRContext context;
  TargetStates states{TargetSettings()};
  for (unsigned seed = 0; seed < count; ++seed) {
    RandomGraph graph(context, seed);
    const auto found = cheapestPlacement(graph.main, graph.candidates, states);
    ASSERT_TRUE(succeeded(found));
    std::map<Operation *, size_t> chosen;
    for (func::FuncOp kernel : graph.kernels)
      chosen[kernel] = found->lookup(kernel);
    const double least = leastCost(graph, states);
    ASSERT_NEAR(costOfRun(graph, chosen, states), least, 1e-9 * least) << "seed " << seed;
  }
}

TEST(Placement, OfACostThatJoinsTooMuchIsNone) {
  Assignment assignment;
  std::vector<unsigned> all;
  for (int i = 0; i < 8; ++i)
    all.push_back(assignment.add(3));
  assignment.addCost(all, [](ArrayRef<unsigned> values) { return double(values[0] + values[7]); });
  EXPECT_FALSE(assignment.solve(1000));
  const auto values = assignment.solve();
  ASSERT_TRUE(values);
  EXPECT_EQ(assignment.costOf(*values), 0);
}

TEST(Placement, RefusesAPriceThatIsNone) {
  MLIRContext context;
  std::string said;
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) { said = diagnostic.str(); });
  TargetStates states{TargetSettings()};
  RandomGraph graph(context, 1);
  for (double price : {std::nan(""), -1.0, std::numeric_limits<double>::infinity()}) {
    FarTarget::price = price;
    std::vector<Candidate> candidates = {{findTarget("far-a"), "", 0, std::nullopt}};
    EXPECT_TRUE(failed(daedalus::price(graph.kernels.front(), candidates, states)));
    EXPECT_NE(said.find("microseconds, says target 'far-a'; expected a number that is not negative"),
              std::string::npos)
        << said;
  }
  FarTarget::price = 1;
}

} // namespace
} // namespace daedalus::test
