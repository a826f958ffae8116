// The blocks of a tile as linalg.generic on scoped memrefs. Shapes, N the lanes of a row:
//   inp [rows][cols][blocks][N] i8    wgt [oc][kh][kw][ic][N][N] i8    param [oc][N] i128 or i8
//   acc [oh][ow][oc][N] i32           out [oh][ow][oc][N] i8

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_BLOCKS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_BLOCKS_H

#include "Lowering/Transfers.h"
#include "Schedule/Schedule.h"

namespace daedalus::accelerator {

/// Of a buffer of INP [row][column][block], or [row][rows of INP] where a window slides over it, oh x ow x oc
/// positions from this one on.
struct Positions {
  int64_t row, column, oh, ow, oc;
};

mlir::Value allocBuffer(const Site &site, dae::Scope scope, llvm::ArrayRef<int64_t> shape,
                        unsigned elementBits);

/// Starts an accumulator: linalg.fill.
void fillBlock(const Site &site, mlir::Value acc, int32_t value);

/// acc[oh, ow, oc, o] += inp[row, col, ic, i] * wgt[oc, kh, kw, ic, o, i]; `tile` holds the sizes of this
/// tile.
void contractionBlock(const Site &site, const Kernel &kernel, const Schedule &tile, mlir::Value inp,
                      mlir::Value wgt, mlir::Value acc);

/// The part of it that one tile of weights at `at` makes, of which wgt's tile `number` has the excess.
void excessBlock(const Site &site, const Kernel &kernel, const Schedule &tile, const WeightTile &at,
                 int64_t number, mlir::Value inp, mlir::Value wgt, mlir::Value acc);

/// acc[oh, ow, c, l] += inp[row, col, c, l] * wgt[c, kh, kw, l], with wgt in PARAM.
void laneProductBlock(const Site &site, const Kernel &kernel, const Schedule &tile, mlir::Value inp,
                      mlir::Value wgt, mlir::Value acc);

/// acc = acc and inp, combined as the kernel says, over the kernel positions of the tile.
void combineBlock(const Site &site, const Kernel &kernel, const Schedule &tile, mlir::Value inp,
                  mlir::Value acc);

/// dst = the stage's operation of its operands a, b and table, which may be none, element by element: int8
/// values in INP, accumulators, parameters or int8 of the channel, or the only row of them, a table [256].
/// Where dst has six dimensions [oh, i, ow, j, oc, l], each position stands there for all i and j; where it
/// is in INP, `positions` of it are written.
void stageBlock(const Site &site, const Stage &stage, const std::array<mlir::Value, 3> &operands,
                mlir::Value dst, const std::optional<Positions> &positions);

} // namespace daedalus::accelerator

#endif
