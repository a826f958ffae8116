// The code of a block of sums of products in the tile registers of AMX, in MLIR's dialect of them.

#ifndef DAEDALUS_LIB_TARGET_CPU_AMXCODE_H
#define DAEDALUS_LIB_TARGET_CPU_AMXCODE_H

#include "AmxBlocks.h"
#include "BlockCode.h"

namespace daedalus::cpu {

/// The tiles of a step of the reduction: rows of the computed operand where they lie, `quads` times DotWidth
/// bytes of each, and as many rows of a panel.
class AmxCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  AmxCode(const BlockStreams &streams, Block block, int64_t quads, mlir::OpBuilder &builder,
          mlir::Location loc);

  /// Sums of zero, or what the output has: a tile for each panel, of one tile of rows after the other.
  Values begin(const Place &at, bool isFromZero);
  /// The sums with the products of the reduction's current place added.
  Values step(const Place &at, Values sums);
  void store(const Place &at, const Values &sums);

private:
  /// A flat buffer as its memory, and the element of this that it begins with.
  struct Memory {
    mlir::Value base, offset;
  };

  Memory memoryOf(mlir::Value flat);
  mlir::Value rowsAt(const Memory &memory, mlir::Value at, int64_t more, int64_t rows, int64_t step);
  mlir::Value load(const Memory &memory, mlir::Value at, int64_t more, mlir::VectorType type, int64_t step);
  mlir::Value bytesAt(const Place &at, int64_t tile);
  mlir::Value weightsAt(const Place &at, int64_t panel);
  int64_t outputOf(int64_t tile, int64_t panel) const;

  const BlockStreams &streams;
  const Block block;
  const TileRows rows;
  mlir::OpBuilder &b;
  const mlir::Location loc;
  mlir::VectorType sumType, scalarType, vectorType;
  Memory vectors, scalars, output;
};

/// Of a function of the LLVM dialect: tiles that pass from block to block do so as vectors, which LLVM makes
/// tiles again. MLIR has no type for tiles there.
void carryTilesAsVectors(mlir::ModuleOp module);

/// How the casts for this become LLVM's.
void addTileTranslation(mlir::Dialect &dialect);

/// Instead of operations on tiles, others that compute the same: for tests on processors without AMX.
void emulateTiles(mlir::func::FuncOp kernel);

} // namespace daedalus::cpu

#endif
