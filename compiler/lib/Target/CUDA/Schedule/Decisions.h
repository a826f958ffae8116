// The schedules of products and windows as kernels are lowered: what is given, whether it can be, and what
// was decided.

#ifndef DAEDALUS_LIB_TARGET_CUDA_DECISIONS_H
#define DAEDALUS_LIB_TARGET_CUDA_DECISIONS_H

#include "Entries.h"
#include "Products/Product.h"
#include "Products/Tile.h"
#include "Windows/Window.h"

#include "daedalus/Target/CUDA/CUDA.h"
#include "daedalus/Target/CUDA/ScheduleOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/StringSet.h"

#include <array>
#include <vector>

namespace daedalus::cuda {

/// Is told of products and windows as they are decided.
class DecisionListener {
public:
  virtual ~DecisionListener() = default;
  virtual void decided(const Product &product, const Tile &tile) = 0;
  virtual void decided(const Window &window, const WindowTile &tile) = 0;
};

class Decisions {
public:
  /// Takes the module's cuda.schedule out of it, if there is one. `listener` may be null.
  Decisions(mlir::ModuleOp module, const Architecture &architecture, DecisionListener *listener = nullptr);

  /// How a product is computed: as it is given, or as the compiler chooses. A diagnostic says why it cannot
  /// be as it is given.
  mlir::FailureOr<Tile> decide(const Product &product);
  /// The same of a window; the compiler leaves those to threads.
  mlir::FailureOr<WindowTile> decide(const Window &window);

  /// Leaves what was decided in the module.
  void record(mlir::ModuleOp module) const;

private:
  struct Decision {
    mlir::Type element;
    std::array<int64_t, 4> sizes;
    Tile tile;
  };
  struct WindowDecision {
    mlir::Type element;
    llvm::SmallVector<int64_t> sizes, window;
    WindowTile tile;
  };

  ProductOp entryFor(llvm::StringRef key) const;

  const Architecture architecture;
  DecisionListener *const listener;
  mlir::OwningOpRef<ScheduleOp> given;
  llvm::StringMap<ProductOp> entries, ofWarpgroups; ///< that are given
  llvm::StringMap<WindowOp> windows;
  llvm::StringSet<> known; ///< products and windows that are decided
  std::vector<Decision> decided;
  std::vector<WindowDecision> decidedWindows;
};

/// Moves the entries of a schedule to one of all architectures, which becomes the schedule where it is none
/// yet; what both schedule is the first one's.
void addEntries(ScheduleOp schedule, mlir::OwningOpRef<ScheduleOp> &all);

} // namespace daedalus::cuda

#endif
