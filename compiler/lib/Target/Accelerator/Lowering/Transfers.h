// LOAD and STORE of tiles: from a region of an NHWC tensor to rows of a scratchpad and back, first as plain
// data (what the instruction says), then as operations.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TRANSFERS_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_LOWERING_TRANSFERS_H

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

/// A tensor of images of h x w pixels: where they lie, in bytes from the tensor's start, from image to image,
/// row to row, column to column, channel to channel. What is not `plain` is no [image][row][column][channel].
struct Image {
  int64_t h, w, first = 0, image = 0, row = 0, column = 0, channel = 1;
  bool plain = true;

  /// Pixels that lie `pitch` bytes apart, in order.
  static Image ofPixels(int64_t h, int64_t w, int64_t pitch) {
    return {h, w, 0, h * w * pitch, w * pitch, pitch, 1, true};
  }
  int64_t offset(int64_t batch, int64_t y, int64_t x, int64_t c) const {
    return first + batch * image + y * row + x * column + c * channel;
  }
};

/// `rows` x `cols` positions of one image, of each `lanes` bytes from channel `c` on (more than the channels:
/// the run goes on into the next columns). Coordinates may lie outside the image: those bytes are `fill`.
struct Region {
  int64_t batch, y, rowStep, rows, x, colStep, cols, c, lanes;
  int8_t fill;
  bool tailFill;        ///< fill the lanes behind `lanes` in the last row of each position
  bool clips = true;    ///< coordinates count, or else nothing lies outside
  bool isFill = false;  ///< nothing is read, all is `fill`
  bool isTiles = false; ///< columns are rows of tiles of WGT, N of which are one; nothing lies outside
};

/// Places of the positions in the buffer, in bytes: of the first, from row to row, from column to column. Of
/// tiles: from the N columns of a tile to the next ones, from column to column, which is N.
struct Placement {
  int64_t first, row, col;
};

/// One LOAD or STORE. `place` and the loops' second strides are bytes of a buffer for LOAD, rows for STORE.
struct Transfer {
  struct Loop {
    int64_t count, dram, place;
  };
  int64_t run = 0, offset = 0, place = 0;
  llvm::SmallVector<Loop, 3> loops; ///< the outermost first
  bool bounded = false;             ///< origin and extent apply
  int64_t originY = 0, originX = 0, extentY = 0, extentX = 0;
  int8_t fill = 0;
  bool tailFill = false;

  int64_t runs() const;
};

/// The LOADs of a region; of channels that are not one behind the other, by single bytes. Runs that follow
/// each other in DRAM and in the scratchpad are joined; one instruction is enough unless columns outside the
/// image do not fit the fields.
void planLoads(const Image &image, const Region &region, const Placement &placement,
               llvm::SmallVectorImpl<Transfer> &loads);

/// The LOADs of `bytes` bytes from byte `offset` of a tensor to the start of a buffer.
void planLoads(int64_t offset, int64_t bytes, int64_t n, llvm::SmallVectorImpl<Transfer> &loads);

/// The STORE of rows x cols positions from `rowsPerPosition` rows of a buffer each.
Transfer planStore(const Image &image, const Region &region, int64_t rowsPerPosition, int64_t n);

void createLoad(const Site &site, mlir::Value tensor, mlir::Value buffer, const Transfer &load);
void createStore(const Site &site, mlir::Value buffer, mlir::Value tensor, const Transfer &store);

} // namespace daedalus::accelerator

#endif
