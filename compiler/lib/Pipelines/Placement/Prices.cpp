// See Prices.h. A kernel is a variable of its candidates. What it costs is its own; what a value costs that
// passes between memories is a cost of the kernel that makes it and of all that read it.

#include "Prices.h"
#include "Assignment.h"

#include "daedalus/Analysis/Views.h"

#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace daedalus {
namespace {

class Problem {
public:
  Problem(func::FuncOp main, const llvm::DenseMap<Operation *, std::vector<Candidate>> &kernels,
          TargetStates &states)
      : main(main), symbols(main->getParentOfType<ModuleOp>()), kernels(kernels), states(states) {}

  FailureOr<llvm::DenseMap<Operation *, size_t>> solve() {
    addKernels();
    addCopies();
    const std::optional<std::vector<unsigned>> values = assignment.solve();
    if (!values)
      return main.emitError("has too many kernels that share what they read for a placement by price; use "
                            "--placement-policy accelerator-first");
    llvm::DenseMap<Operation *, size_t> chosen;
    for (auto [kernel, variable] : variables)
      chosen[kernel] = (*values)[variable];
    return chosen;
  }

private:
  using Variable = Assignment::Variable;

  Operation *kernelOf(func::CallOp call) { return symbols.lookup(call.getCallee()); }

  void addKernels() {
    llvm::MapVector<Operation *, double> calls;
    for (auto call : main.getOps<func::CallOp>())
      calls[kernelOf(call)] += 1;
    for (auto [kernel, count] : calls) {
      const auto found = kernels.find(kernel);
      if (found == kernels.end() || found->second.empty())
        continue;
      const std::vector<Candidate> &candidates = found->second;
      variables[kernel] = assignment.add(candidates.size());
      assignment.addCost({variables[kernel]}, [&, calls = count](ArrayRef<unsigned> values) {
        return calls * candidates[values[0]].price.value_or(0);
      });
    }
  }

  void addCopies() {
    for (const auto &target : targets()) {
      if (!target->hasOwnMemory())
        continue;
      for (BlockArgument argument : main.getArguments())
        addCopiesOf(argument, *target);
      for (auto call : main.getOps<func::CallOp>())
        for (Value result : call.getResults())
          addCopiesOf(result, *target);
    }
  }

  /// What reads a value or a view of it; a null of what is no kernel.
  void collectReaders(Value value, llvm::SetVector<Operation *> &readers) {
    for (Operation *user : value.getUsers())
      if (isView(user))
        collectReaders(user->getResult(0), readers);
      else if (auto call = dyn_cast<func::CallOp>(user))
        readers.insert(kernelOf(call));
      else
        readers.insert(nullptr);
  }

  /// There, if a kernel there reads it that it was not made by; and back, if it was made there and is read
  /// elsewhere. Each once, as in Devices.cpp.
  void addCopiesOf(Value value, const Target &target) {
    llvm::SetVector<Operation *> readers;
    collectReaders(value, readers);
    auto call = value.getDefiningOp<func::CallOp>();
    Operation *maker = call ? kernelOf(call) : nullptr;
    const double cost = target.copyCost(tensorBytes(value.getType()), *states.of(target));
    const auto isThere = [&](Operation *kernel, unsigned value) {
      return kernels.find(kernel)->second[value].target == &target;
    };
    addCopy(maker, readers.getArrayRef(), cost, [&](Operation *kernel, unsigned value, bool isMaker) {
      return isThere(kernel, value) != isMaker;
    });
    addCopy(
        maker, readers.getArrayRef(), cost,
        [&](Operation *kernel, unsigned value, bool isMaker) { return isThere(kernel, value) == isMaker; },
        /*isOfHost=*/false);
  }

  /// A cost where both the maker and one of the readers say so; `isOfHost`: a maker that is no kernel does,
  /// else such a reader.
  void addCopy(Operation *maker, ArrayRef<Operation *> readers, double cost,
               llvm::function_ref<bool(Operation *, unsigned, bool)> says, bool isOfHost = true) {
    const auto isVariable = [&](Operation *kernel) { return variables.count(kernel) != 0; };
    if (readers.empty() || (!isVariable(maker) && !isOfHost))
      return;
    std::optional<Variable> any; // of the readers so far: 1 where one says so
    bool isAlways = false;
    for (Operation *reader : readers) {
      if (!isVariable(reader)) {
        isAlways |= !isOfHost;
        continue;
      }
      if (reader == maker) // it is the maker's memory
        continue;
      any = either(any, variables[reader], [&](unsigned value) { return says(reader, value, false); });
    }
    if (!isAlways && !any)
      return;
    std::vector<Variable> scope;
    if (isVariable(maker))
      scope.push_back(variables[maker]);
    if (!isAlways)
      scope.push_back(*any);
    const bool hasMaker = isVariable(maker);
    assignment.addCost(scope, [&](ArrayRef<unsigned> values) {
      const bool isMade = !hasMaker || says(maker, values[0], true);
      return isMade && (isAlways || values.back()) ? cost : 0;
    });
  }

  /// A variable that is 1 where `so_far` is or `says` holds for the reader's value, and 0 elsewhere: so a
  /// value that many read needs no cost of them all.
  Variable either(std::optional<Variable> soFar, Variable reader, llvm::function_ref<bool(unsigned)> says) {
    const Variable made = assignment.add(2);
    std::vector<Variable> scope = {made, reader};
    if (soFar)
      scope.push_back(*soFar);
    assignment.addCost(scope, [&](ArrayRef<unsigned> values) {
      const bool is = says(values[1]) || (soFar && values[2]);
      return is == bool(values[0]) ? 0 : std::numeric_limits<double>::infinity();
    });
    return made;
  }

  func::FuncOp main;
  const SymbolTable symbols;
  const llvm::DenseMap<Operation *, std::vector<Candidate>> &kernels;
  TargetStates &states;
  Assignment assignment;
  llvm::MapVector<Operation *, Variable> variables; ///< of kernels
};

} // namespace

Result<void> canPrice(TargetStates &states, const TargetChoice &asked) {
  for (const auto &target : targets())
    if (!asked.includes(*target))
      continue;
    else if (Result<void> possible = target->canPrice(*states.of(*target)); !possible)
      return possible;
  return {};
}

LogicalResult price(func::FuncOp kernel, MutableArrayRef<Candidate> candidates, TargetStates &states) {
  for (Candidate &candidate : candidates) {
    const double microseconds = candidate.target->cost(kernel, *states.of(*candidate.target)).microseconds;
    if (!std::isfinite(microseconds))
      if (const Result<void> possible = candidate.target->canPrice(*states.of(*candidate.target)); !possible)
        return emitError(kernel.getLoc()) << possible.error();
    if (!std::isfinite(microseconds) || microseconds < 0)
      return emitError(kernel.getLoc())
             << "costs " << std::to_string(microseconds) << " microseconds, says target '"
             << candidate.target->name() << "'; expected a number that is not negative";
    candidate.price = microseconds;
  }
  return success();
}

FailureOr<llvm::DenseMap<Operation *, size_t>>
cheapestPlacement(func::FuncOp main, const llvm::DenseMap<Operation *, std::vector<Candidate>> &kernels,
                  TargetStates &states) {
  return Problem(main, kernels, states).solve();
}

} // namespace daedalus
