// What is tried instead of a schedule.

#ifndef DAEDALUS_LIB_TARGET_CUDA_NEAR_H
#define DAEDALUS_LIB_TARGET_CUDA_NEAR_H

#include "Products/Tile.h"
#include "Windows/Window.h"

namespace daedalus::cuda {

/// The most tiles near to one.
constexpr size_t MostNear = 32;

/// Others that the product can have, no two the same: those among which the compiler chooses, and some not
/// far from `own`.
llvm::SmallVector<Tile> tilesNear(const Product &product, const Tile &own, const Architecture &architecture);
llvm::SmallVector<WindowTile> tilesNear(const Window &window, const WindowTile &own);

} // namespace daedalus::cuda

#endif
