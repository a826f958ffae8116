// The blocks of a tile as linalg.generic on scoped memrefs. Shapes, N the lanes of a row:
//   inp [rows][cols][blocks][N] i8    wgt [oc][kh][kw][ic][N][N] i8    param [oc][N] i128
//   acc [oh][ow][oc][N] i32           out [oh][ow][oc][N] i8

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_BLOCKS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_BLOCKS_H

#include "Schedule.h"
#include "Transfers.h"

namespace daedalus::accelerator {

mlir::Value allocBuffer(const Site &site, dae::Scope scope, llvm::ArrayRef<int64_t> shape,
                        unsigned elementBits);

/// Starts an accumulator: linalg.fill.
void fillBlock(const Site &site, mlir::Value acc, int32_t value);

/// acc[oh, ow, oc, o] += inp[row, col, ic, i] * wgt[oc, kh, kw, ic, o, i]; `tile` holds the sizes of this
/// tile.
void contractionBlock(const Site &site, const Kernel &kernel, const Schedule &tile, mlir::Value inp,
                      mlir::Value wgt, mlir::Value acc);

/// acc[oh, ow, c, l] += inp[row, col, c, l] * wgt[c, kh, kw, l], with wgt in PARAM.
void depthwiseBlock(const Site &site, const Kernel &kernel, const Schedule &tile, mlir::Value inp,
                    mlir::Value wgt, mlir::Value acc);

/// acc = max(acc, inp) or acc + inp over the kernel positions of the tile.
void poolBlock(const Site &site, const Kernel &kernel, const Schedule &tile, mlir::Value inp,
               mlir::Value acc);

/// acc = source * factor, or acc + source * factor; source lies in INP or is acc itself.
void scaleBlock(const Site &site, mlir::Value source, mlir::Value acc, int32_t factor, bool add);

/// acc = a * b.
void multiplyBlock(const Site &site, mlir::Value a, mlir::Value b, mlir::Value acc);

/// out = entry of `table` [256] in LUT for every element of source, which are int8 values in INP or ACC.
void lookupBlock(const Site &site, mlir::Value source, mlir::Value table, mlir::Value out);

/// out[oh, i, ow, j, oc, l] = inp[oh, ow, oc, l] for all i and j.
void moveBlock(const Site &site, mlir::Value inp, mlir::Value out);

/// out = requant(source), out in OUT or source itself, with parameters of the channel, or the only row of
/// `param`.
void requantBlock(const Site &site, const Requant &requant, mlir::Value source, mlir::Value param,
                  mlir::Value out);

/// out = source clamped to int8.
void saturateBlock(const Site &site, mlir::Value source, mlir::Value out);

} // namespace daedalus::accelerator

#endif
