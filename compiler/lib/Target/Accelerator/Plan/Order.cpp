// See Order.h. Units (a group, or a call alone) are sorted by what they read and by the plan's order; of
// those that may come next the one that stood first does.

#include "Plan/Order.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

namespace daedalus::accelerator {
namespace {

using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::success;

/// Of which uses each use reads the result, by their places; those stand in front of it.
class Dependences {
public:
  explicit Dependences(llvm::ArrayRef<KernelUse> uses) : sources(uses.size()) {
    std::map<int64_t, std::vector<size_t>> writers; // by the tensor that they write a part of
    for (auto [place, use] : llvm::enumerate(uses)) {
      for (auto [operand, slot] : llvm::enumerate(use.prepared.inputs))
        for (size_t writer : writers[slot.root()])
          if (overlap(use.prepared, operand, uses[writer].prepared))
            sources[place].push_back(writer);
      writers[use.prepared.output.root()].push_back(place);
    }
  }

  llvm::ArrayRef<size_t> of(size_t place) const { return sources[place]; }

private:
  /// Whether the reader's channels of the tensor are among the writer's.
  static bool overlap(const KernelCall &reader, size_t operand, const KernelCall &writer) {
    const Slot &from = reader.inputs[operand], &to = writer.output;
    if (!from.pitch || !to.pitch)
      return true;
    const int64_t channels = imageShape(reader.kernel, operand).c;
    return from.channel < to.channel + writer.kernel.window.oc && to.channel < from.channel + channels;
  }

  std::vector<llvm::SmallVector<size_t, 2>> sources;
};

/// Calls that stay together, in order.
struct Unit {
  mlir::Operation *part = nullptr; ///< of the plan: dae.group or dae.kernel
  llvm::SmallVector<size_t, 2> uses;
};

class Order {
public:
  explicit Order(std::vector<KernelUse> &uses) : uses(uses), dependences(uses) {}

  FailureOr<std::vector<GivenGroup>> run() {
    makeUnits();
    for (const Unit &unit : units)
      if (failed(checkGroup(unit)))
        return failure();
    connect();
    if (failed(sort()))
      return failure();
    return apply();
  }

private:
  void makeUnits() {
    llvm::DenseMap<mlir::Operation *, size_t> unitOfPart;
    for (auto [place, use] : llvm::enumerate(uses)) {
      mlir::Operation *part = use.decided;
      if (part && mlir::isa<dae::GroupOp>(part->getParentOp()))
        part = part->getParentOp();
      size_t unit = units.size();
      if (part)
        unit = unitOfPart.try_emplace(part, unit).first->second;
      if (unit == units.size())
        units.push_back({part, {}});
      units[unit].uses.push_back(place);
      unitOf.push_back(unit);
    }
    for (Unit &unit : units)
      llvm::sort(unit.uses, [&](size_t a, size_t b) {
        return uses[a].decided != uses[b].decided && uses[a].decided->isBeforeInBlock(uses[b].decided);
      });
  }

  LogicalResult checkGroup(const Unit &unit) {
    auto group = mlir::dyn_cast_or_null<dae::GroupOp>(unit.part);
    if (!group)
      return success();
    for (auto kernel : group.getBody().getOps<dae::KernelOp>())
      if (llvm::none_of(unit.uses, [&](size_t use) { return uses[use].decided == kernel; }))
        return kernel.emitError("has kernel '")
               << kernel.getCallee() << "' in a group with '" << uses[unit.uses.front()].name.symbol
               << "', whose stream it is not in; expected kernels of one stream";
    for (auto [k, use] : llvm::enumerate(unit.uses))
      for (size_t source : dependences.of(use))
        if (llvm::is_contained(llvm::ArrayRef(unit.uses).drop_front(k), source))
          return refuse(use, source);
    return success();
  }

  LogicalResult refuse(size_t use, size_t source) {
    return uses[use].decided->emitError("runs kernel '")
           << uses[use].name.symbol << "' before '" << uses[source].name.symbol
           << "', whose result it reads; expected it behind that";
  }

  void connect() {
    behind.resize(units.size());
    waits.resize(units.size(), 0);
    const auto edge = [&](size_t from, size_t to) {
      if (from != to && behind[from].insert(to).second)
        ++waits[to];
    };
    for (size_t use = 0; use < uses.size(); ++use)
      for (size_t source : dependences.of(use))
        edge(unitOf[source], unitOf[use]);
    for (size_t unit = 0; unit < units.size(); ++unit)
      if (units[unit].part)
        decided.push_back(unit);
    llvm::sort(decided,
               [&](size_t a, size_t b) { return a != b && units[a].part->isBeforeInBlock(units[b].part); });
    for (size_t k = 1; k < decided.size(); ++k)
      edge(decided[k - 1], decided[k]);
  }

  LogicalResult sort() {
    std::set<size_t> ready; // units are numbered as they stood
    for (size_t unit = 0; unit < units.size(); ++unit)
      if (!waits[unit])
        ready.insert(unit);
    while (!ready.empty()) {
      const size_t unit = *ready.begin();
      ready.erase(ready.begin());
      sorted.push_back(unit);
      for (size_t next : behind[unit])
        if (--waits[next] == 0)
          ready.insert(next);
    }
    if (sorted.size() == units.size())
      return success();
    const std::set<size_t> done(sorted.begin(), sorted.end());
    const size_t stuck = *llvm::find_if(decided, [&](size_t unit) { return !done.count(unit); });
    for (size_t use : units[stuck].uses) // what is in front of it in the plan is done
      for (size_t source : dependences.of(use))
        if (unitOf[source] != stuck && !done.count(unitOf[source]))
          return refuse(use, source);
    return units[stuck].part->emitError("cannot run at its place in the plan");
  }

  std::vector<GivenGroup> apply() {
    std::vector<GivenGroup> groups;
    std::vector<KernelUse> ordered;
    for (size_t unit : sorted) {
      if (mlir::Operation *part = units[unit].part) {
        auto group = mlir::dyn_cast<dae::GroupOp>(part);
        groups.push_back({ordered.size(), units[unit].uses.size(), group ? int64_t(group.getLag()) : 0});
      }
      for (size_t use : units[unit].uses)
        ordered.push_back(std::move(uses[use]));
    }
    uses = std::move(ordered);
    return groups;
  }

  std::vector<KernelUse> &uses;
  const Dependences dependences;
  std::vector<Unit> units;
  std::vector<size_t> unitOf, decided, waits, sorted;
  std::vector<std::set<size_t>> behind;
};

} // namespace

FailureOr<std::vector<GivenGroup>> orderAsDecided(std::vector<KernelUse> &uses) {
  if (llvm::none_of(uses, [](const KernelUse &use) { return bool(use.decided); }))
    return std::vector<GivenGroup>();
  return Order(uses).run();
}

} // namespace daedalus::accelerator
