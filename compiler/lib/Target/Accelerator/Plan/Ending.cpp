// See Ending.h. The last operations are gone through backwards, until all is known.

#include "Plan/Ending.h"

namespace daedalus::accelerator {
namespace {

using Kind = Timing::Kind;

constexpr size_t MostOperations = 256; ///< what is not known behind so many is little beside the rest

class Backwards {
public:
  Backwards(llvm::ArrayRef<const Script *> scripts, const isa::Machine &machine)
      : scripts(scripts), ahead(machine.queueDepth + 1) {}

  Ending run(llvm::ArrayRef<Piece> pieces) {
    size_t visited = 0;
    for (auto piece = pieces.rbegin(); piece != pieces.rend() && visited < MostOperations; ++piece) {
      const Timing &timing = scripts[piece->script]->timing();
      visited += piece->end - piece->first;
      for (uint32_t op = piece->end; op-- > piece->first && !isDone();)
        visit(timing, op);
    }
    return ending;
  }

private:
  struct Module {
    bool isSeen = false;
    Cycle cycles = 0;        ///< of its operations so far
    uint32_t beforeLoad = 0; ///< of these, that many are in front of the last LOAD
  };

  bool isDone() const {
    return ending.gemmFromLoad != Ending::Unknown && ending.vectorFromLoad != Ending::Unknown;
  }

  /// Of a script whose last LOAD stands farther ahead, nothing is known of what is behind its others.
  void visit(const Timing &timing, uint32_t index) {
    const Timing::Op &op = timing.ops[index];
    const Drain &drain = timing.drain;
    if (op.kind == Kind::Load && !hasLoad) {
      hasLoad = true;
      ending.drain.load = index == drain.lastLoad ? drain.load : 0;
    } else if (op.kind == Kind::Gemm) {
      compute(op, gemm, drain.gemm, ending.drain.gemm, ending.gemmFromLoad);
    } else if (op.kind == Kind::Vector) {
      compute(op, vector, drain.vector, ending.drain.vector, ending.vectorFromLoad);
    }
  }

  void compute(const Timing::Op &op, Module &module, Cycle ofScript, Cycle &drain, Cycle &fromLoad) {
    if (!module.isSeen)
      drain = ofScript;
    module.isSeen = true;
    module.cycles += op.cycles;
    if (hasLoad && ++module.beforeLoad == ahead)
      fromLoad = module.cycles;
  }

  llvm::ArrayRef<const Script *> scripts;
  const uint32_t ahead; ///< operations of a module that may be dispatched and not done
  Ending ending;
  bool hasLoad = false;
  Module gemm, vector;
};

} // namespace

Ending endingOf(llvm::ArrayRef<const Script *> scripts, llvm::ArrayRef<Piece> pieces,
                const isa::Machine &machine) {
  return Backwards(scripts, machine).run(pieces);
}

} // namespace daedalus::accelerator
