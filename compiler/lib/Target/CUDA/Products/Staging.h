// A factor's tile in shared memory: copied there by all threads of a block, tile after tile, into stages that
// take turns.

#ifndef DAEDALUS_LIB_TARGET_CUDA_STAGING_H
#define DAEDALUS_LIB_TARGET_CUDA_STAGING_H

#include "Numbers.h"
#include "Product.h"
#include "Tile.h"

#include "Transforms/Transforms.h"

namespace daedalus::cuda {

/// The offset of an element from the first one, of a linear index along a dimension, where elements that are
/// neighbours along a loop lie `strides` apart.
mlir::Value offsetAlong(Numbers n, const Product &product, llvm::ArrayRef<int64_t> strides,
                        const Dimension &dimension, mlir::Value linear);

/// Values of a dimension's loops, at their places among an operation's loops, of a linear index.
void delinearize(Numbers n, const Product &product, const Dimension &dimension, mlir::Value linear,
                 llvm::MutableArrayRef<mlir::Value> loops);

class StagedFactor {
public:
  StagedFactor(DeviceFunction &f, const Product &product, const Factor &factor, const Dimension &rows,
               int64_t rowsInTile, const Tile &tile);

  /// Begins to copy a tile: its first row, and its number along K. `origin`: the offset of the batch's
  /// matrix.
  void copy(Numbers n, mlir::Value thread, mlir::Value origin, mlir::Value firstRow, mlir::Value tileOfK,
            mlir::Value stage);

  /// Whether neighbours in shared memory are those of rows, not of K.
  bool isAlongRows() const { return alongRows; }
  /// Where an element lies among those of asElements(), and the chunk of one among those of asChunks().
  llvm::SmallVector<mlir::Value> place(Numbers n, mlir::Value stage, mlir::Value row, mlir::Value k);
  llvm::SmallVector<mlir::Value> placeOfChunk(Numbers n, mlir::Value stage, mlir::Value row, mlir::Value k);
  mlir::Value asElements() const { return memory; }
  /// The shared memory that its bytes are a part of.
  mlir::Value asBytes() const { return shared; }
  mlir::Value asChunks(mlir::OpBuilder &b);
  /// Elements in a chunk, of 16 bytes.
  int64_t chunk() const { return elements; }
  int64_t bytesOfLine() const;
  int64_t bytesOfPanel() const { return height() * bytesOfLine(); }
  /// Bytes from the first one of asBytes() to an element of a chunk that is in its place: of a line whose
  /// number is a multiple of 8.
  mlir::Value offsetInBytes(Numbers n, mlir::Value stage, mlir::Value row, mlir::Value k);

private:
  /// How it is copied: in chunks, in words that are put together of bytes, or element by element.
  enum class Way { Chunks, Words, Elements };
  struct Place {
    mlir::Value line, chunk, within;
  };
  /// Whether an element is one of the factor, else it is 0, and whether it is one of the image, else it is
  /// the border's; null where that always holds.
  struct Inside {
    mlir::Value factor, image;
  };

  int64_t height() const { return alongRows ? tile.k : rowsInTile; }
  int64_t width() const { return alongRows ? rowsInTile : tile.k; }
  /// A stage is as many panels as its width needs lines, one behind the other; of warpgroups a line has all
  /// banks at most.
  int64_t lineWidth() const;
  int64_t panels() const { return width() / lineWidth(); }
  /// Of a place along the width: its panel among those of all stages, and its place in a line of that.
  std::pair<mlir::Value, mlir::Value> panelOf(Numbers n, mlir::Value stage, mlir::Value at);
  mlir::Value viewOf(mlir::OpBuilder &b, llvm::ArrayRef<int64_t> shape, mlir::Type element);
  Place placeOf(Numbers n, mlir::Value stage, mlir::Value row, mlir::Value k);
  Inside insideOf(Numbers n, mlir::Value row, mlir::Value k);
  mlir::Value isInImage(Numbers n, mlir::Value row, mlir::Value k);
  mlir::Value offset(Numbers n, mlir::Value origin, mlir::Value row, mlir::Value k);
  mlir::Value read(Numbers n, mlir::Value origin, mlir::Value row, mlir::Value k);
  void share(Numbers n, mlir::Value thread, int64_t all, llvm::function_ref<void(mlir::Value)> body);
  void copyChunks(Numbers n, mlir::Value thread, mlir::Value origin, mlir::Value firstRow, mlir::Value firstK,
                  mlir::Value stage);
  void copyChunk(Numbers n, mlir::Value from, mlir::Value inside, mlir::ValueRange to);
  void storeBorder(Numbers n, mlir::Value stage, mlir::Value row, mlir::Value k);
  void copyWords(Numbers n, mlir::Value thread, mlir::Value origin, mlir::Value firstRow, mlir::Value firstK,
                 mlir::Value stage);
  void copyElements(Numbers n, mlir::Value thread, mlir::Value origin, mlir::Value firstRow,
                    mlir::Value firstK, mlir::Value stage);

  const Product &product;
  const Factor &factor;
  const Dimension &rows;
  const int64_t rowsInTile;
  const Tile tile;
  const int64_t elements;
  const Contiguity contiguity;
  Way way;
  bool alongRows;
  mlir::Value source;                ///< the factor's buffer, with one dimension
  int64_t firstByte = 0;             ///< in the shared memory
  mlir::Value shared, memory, words; ///< the same bytes, elements, words
};

} // namespace daedalus::cuda

#endif
