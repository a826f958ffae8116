// See Fusion.h. Tensors of a stream do not share memory, so a contraction may run later than it stood.

#include "Fusion.h"

#include "Lowering.h"

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

  /// The use whose result is `value`, if nothing but one operand of `user` reads it.
  std::optional<size_t> soleProducer(mlir::Value value, mlir::Operation *user) const {
    if (!value.hasOneUse() || *value.user_begin() != user)
      return std::nullopt;
    const auto found = placeOf.find(value.getDefiningOp());
    if (found == placeOf.end())
      return std::nullopt;
    const Kernel &kernel = (*this)[found->second].prepared.kernel;
    const bool takesMore = kernel.kind == KernelKind::Contraction && !kernel.epilogue && kernel.requant;
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

/// The contraction as it is with the epilogue of `last` behind it; `own`: which operand of `last` it makes.
KernelUse fused(const KernelUse &contraction, const KernelUse &last, unsigned own) {
  KernelUse use = contraction;
  const Kernel &tail = last.prepared.kernel;
  Kernel &kernel = use.prepared.kernel;
  use.call = last.call;
  if (tail.kind == KernelKind::Add) {
    int32_t a = tail.multiplierA, b = tail.multiplierB;
    if (own == 1)
      std::swap(a, b);
    kernel.epilogue = Epilogue{KernelKind::Add, a, b, *tail.requant};
    use.prepared.inputs.push_back(last.prepared.inputs[1 - own]);
  } else {
    kernel.epilogue = Epilogue{KernelKind::Lookup, 0, 0, {}};
    kernel.table = tail.table;
  }
  use.prepared.output = last.prepared.output;
  use.prepared.epilogueLayer = last.prepared.layer;
  use.prepared.epilogueLoc = last.prepared.kernel.loc;
  return use;
}

/// The operand of `last` to fuse with, of two the one with more products: they hide the addition.
std::optional<std::pair<size_t, unsigned>> choose(const Uses &uses, const KernelUse &last) {
  std::optional<std::pair<size_t, unsigned>> best;
  const KernelKind kind = last.prepared.kernel.kind;
  const bool adds =
      kind == KernelKind::Add && last.prepared.kernel.requant && last.prepared.kernel.requant->isUniform();
  if (!adds && kind != KernelKind::Lookup)
    return best;
  for (auto [operand, input] : llvm::enumerate(last.prepared.kernel.inputs)) {
    mlir::func::CallOp call = last.call;
    auto producer = uses.soleProducer(call.getOperand(input), call);
    if (producer && (!best || productsPerOutput(uses[*producer].prepared.kernel) >
                                  productsPerOutput(uses[best->first].prepared.kernel)))
      best = {*producer, unsigned(operand)};
  }
  return best;
}

} // namespace

void fuse(std::vector<KernelUse> &uses, const isa::Machine &machine) {
  Uses result;
  for (KernelUse &use : uses) {
    auto producer = choose(result, use);
    std::string reason;
    if (producer) {
      KernelUse together = fused(result[producer->first], use, producer->second);
      together.schedules = schedulesOf(together.func, together.prepared.kernel, machine, reason);
      if (!together.schedules.empty()) {
        result.remove(producer->first);
        use = std::move(together);
      }
    }
    result.append(std::move(use));
  }
  uses = result.take();
}

} // namespace daedalus::accelerator
