// See Fusion.h. Tensors of a stream do not share memory, so a contraction may run later than it stood.

#include "Plan/Fusion.h"

#include "Bound/LeastWork.h"
#include "Plan/Candidates.h"

#include "Transforms/Transforms.h"

#include "daedalus/Analysis/Views.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {
namespace {

/// Uses in order, found by their calls; one that was fused away leaves its place empty.
class Uses {
public:
  const KernelUse &operator[](size_t place) const { return *all[place]; }

  void append(KernelUse use) {
    placeOf.try_emplace(use.call, all.size());
    all.push_back(std::move(use));
  }

  void remove(size_t place) {
    placeOf.erase((*this)[place].call);
    all[place].reset();
  }

  /// The use whose result is `value`, or has its elements in another shape, if nothing but one operand of
  /// `user` reads it.
  std::optional<size_t> soleProducer(mlir::Value value, mlir::Operation *user) const {
    if (!value.hasOneUse() || *value.user_begin() != user)
      return std::nullopt;
    for (mlir::Operation *view = value.getDefiningOp(); view && isView(view); view = value.getDefiningOp()) {
      value = view->getOperand(0);
      if (!value.hasOneUse())
        return std::nullopt;
    }
    const auto found = placeOf.find(value.getDefiningOp());
    if (found == placeOf.end())
      return std::nullopt;
    const Kernel &kernel = (*this)[found->second].prepared.kernel;
    const bool takesMore =
        kernel.isWeighted() && !kernel.isFused && kernel.stages.size() == 1 && kernel.resultBytes() == 1;
    return takesMore ? std::optional(found->second) : std::nullopt;
  }

  std::vector<KernelUse> take() {
    std::vector<KernelUse> left;
    for (std::optional<KernelUse> &use : all)
      if (use)
        left.push_back(std::move(*use));
    return left;
  }

private:
  std::vector<std::optional<KernelUse>> all;
  llvm::DenseMap<mlir::Operation *, size_t> placeOf; ///< of a call's first use
};

int64_t productsPerOutput(const Kernel &kernel) {
  return kernel.window.kh * kernel.window.kw * kernel.window.c;
}

/// The product as it is with `last`, whose input `own` it makes, behind it; nothing where that is no kernel.
std::optional<KernelUse> fused(const KernelUse &product, const KernelUse &last, unsigned own,
                               const isa::Machine &machine) {
  const auto isDense = [](const Slot &slot) { return slot.pitch == 0; };
  const Kernel &from = product.prepared.kernel, &to = last.prepared.kernel;
  const bool isPart = !isDense(last.prepared.output) || !llvm::all_of(last.prepared.inputs, isDense);
  if (isPart &&
      (from.isPaired || from.window.oc != to.window.oc)) // pixels that lie apart must be the same ones
    return std::nullopt;
  std::optional<Kernel> kernel = fused(from, to, own);
  if (!kernel)
    return std::nullopt;
  KernelUse use = product;
  use.call = last.call;
  use.prepared.kernel = std::move(*kernel);
  for (auto [operand, slot] : llvm::enumerate(last.prepared.inputs))
    if (operand != own)
      use.prepared.inputs.push_back(slot);
  use.taken = KernelUse::Taken{last.name, last.func, own};
  use.prepared.output = last.prepared.output;
  use.prepared.fusedLayer = last.prepared.layer;
  use.prepared.fusedLoc = last.prepared.kernel.loc;
  use.prepared.apart = KernelCall::Apart{leastWorks(from, machine).front().own.vector,
                                         leastWorks(to, machine).front().own.vector};
  return use;
}

/// Whether a given plan leaves it open, or says, that `last` runs in the tiles of `producer`.
bool mayTake(const KernelUse &producer, const KernelUse &last, unsigned operand) {
  if (dae::FuseOp fusion = last.fusion)
    return producer.decided == fusion->getParentOp() && operand == fusion.getOperand();
  return !producer.decided && !last.decided;
}

/// The input of `last` to fuse with, of several the one with the most products: they hide what follows.
std::optional<std::pair<size_t, unsigned>> choose(const Uses &uses, const KernelUse &last) {
  std::optional<std::pair<size_t, unsigned>> best;
  const Kernel &kernel = last.prepared.kernel;
  if (kernel.combiner || kernel.inputs.size() > 2 || !last.readsAlone)
    return best;
  for (auto [operand, input] : llvm::enumerate(kernel.inputs)) {
    mlir::func::CallOp call = last.call;
    auto producer = uses.soleProducer(call.getOperand(input), call);
    if (producer && mayTake(uses[*producer], last, operand) &&
        (!best || productsPerOutput(uses[*producer].prepared.kernel) >
                      productsPerOutput(uses[best->first].prepared.kernel)))
      best = {*producer, unsigned(operand)};
  }
  return best;
}

} // namespace

mlir::LogicalResult fuse(std::vector<KernelUse> &uses, const isa::Machine &machine, Planning &planning) {
  Uses result;
  for (KernelUse &use : uses) {
    auto producer = choose(result, use);
    std::optional<KernelUse> together;
    if (producer)
      together = fused(result[producer->first], use, producer->second, machine);
    if (use.fusion && !together)
      return use.fusion.emitError("has kernel '")
             << use.name.symbol << "' in the tiles of '"
             << mlir::cast<dae::KernelOp>(use.fusion->getParentOp()).getCallee()
             << "'; expected a kernel without a reduction that alone reads the product there, as operand "
             << use.fusion.getOperand();
    // More accumulators make tiles smaller, which costs more than rows that are not stored and loaded save.
    if (together && !use.fusion &&
        together->prepared.kernel.temporaries > result[producer->first].prepared.kernel.temporaries)
      together.reset();
    if (together && !use.fusion)
      if (const auto &found = planning.candidates().of(together->prepared.kernel, machine))
        together->schedules = *found;
    if (together && (use.fusion || together->schedules)) { // else they do not fit together
      result.remove(producer->first);
      use = std::move(*together);
    }
    result.append(std::move(use));
  }
  uses = result.take();
  return mlir::success();
}

} // namespace daedalus::accelerator
