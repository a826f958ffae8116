// LOAD and STORE of tiles: from a region of an NHWC tensor to rows of a scratchpad and back.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_TRANSFERS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_TRANSFERS_H

#include "daedalus/Dialect/Dae/IR/Dae.h"

#include "mlir/IR/Builders.h"

namespace daedalus::accelerator {

/// Where an instruction is made, for which layer.
struct Site {
  mlir::OpBuilder &b;
  mlir::Location loc;
  int64_t layer;
  int64_t n; ///< lanes of a row
};

/// A dense tensor [batch, h, w, c] of bytes.
struct Image {
  mlir::Value tensor; ///< a dae.tensor
  int64_t h, w, c;
};

/// `rows` x `cols` positions of one image, of each `lanes` bytes from channel `c` on (more than c channels:
/// the run goes on into the next columns). Coordinates may lie outside the image: those bytes are `fill`.
struct Region {
  int64_t batch, y, rowStep, rows, x, colStep, cols, c, lanes;
  int8_t fill;
  bool tailFill; ///< fill the lanes behind `lanes` in the last row of each position
};

/// Places of the positions in the buffer, in bytes: of the first, from row to row, from column to column.
struct Placement {
  int64_t first, row, col;
};

/// LOADs the region. Runs that follow each other in DRAM and in the scratchpad are joined; one instruction is
/// enough unless columns outside the image do not fit the fields.
void loadRegion(const Site &site, const Image &image, mlir::Value buffer, const Region &region,
                const Placement &placement);

/// LOADs `bytes` bytes from byte `offset` of a tensor to the start of a buffer.
void loadContiguous(const Site &site, mlir::Value tensor, mlir::Value buffer, int64_t offset, int64_t bytes);

/// STOREs rows x cols positions from `rowsPerPosition` rows of the buffer each.
void storeRegion(const Site &site, const Image &image, mlir::Value buffer, const Region &region,
                 int64_t rowsPerPosition);

} // namespace daedalus::accelerator

#endif
