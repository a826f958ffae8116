// The code of a block of sums of products: its sums stay in registers while the loops of the reduction run.

#ifndef DAEDALUS_LIB_TARGET_CPU_BLOCKCODE_H
#define DAEDALUS_LIB_TARGET_CPU_BLOCKCODE_H

#include "Contraction.h"
#include "MicroKernels.h"

#include "mlir/IR/Builders.h"

namespace daedalus::cpu {

/// How products are added up.
enum class Arithmetic {
  Float,   ///< float32, one product at a time
  Widened, ///< bytes as int32, one product at a time
  Pairs,   ///< bytes as int16, two products in an instruction, of DotWidth that lie side by side
  Dots, ///< DotWidth bytes in an instruction, of which one side has no sign: 128 more, and the sums corrected
};

/// Where a block is: the element of each flat buffer that its first row and panel begin with.
struct Place {
  mlir::Value vectors, scalars, output;
};

/// The flat buffers of a contraction, and the elements from row to row and from panel to panel of a block.
struct BlockStreams {
  mlir::Value vectors, scalars, output;
  int64_t scalarRow = 0, outputRow = 0;
  int64_t vectorPanel = 0, scalarPanel = 0, outputPanel = 0;
  int64_t lanes = PanelWidth; ///< columns of a panel
  bool hasScalars = true;     ///< else `scalars` is read along the columns too
};

class BlockCode {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  BlockCode(Arithmetic arithmetic, const BlockStreams &streams, const Features &features,
            mlir::OpBuilder &builder, mlir::Location loc)
      : arithmetic(arithmetic), streams(streams), features(features), b(builder), loc(loc) {}

  /// Sums in registers of a row of a panel.
  static unsigned accumulators(Arithmetic arithmetic, const Features &features);

  /// Sums of zero, one row after the other.
  Values zeros(Block block);
  /// The sums with the products of the reduction's current place added.
  Values step(const Place &at, Block block, Values sums);
  /// What has to be taken from the sums of each panel: the sum of its weights, for the 128 that are added.
  /// From zeros of one row.
  Values weightsStep(const Place &at, int64_t panels, Values sums);
  /// Stores the sums less `taken`, one for each panel or none; with what is there if `isAdded`.
  void store(const Place &at, Block block, const Values &sums, const Values &taken, bool isAdded);

private:
  mlir::Value load(mlir::Value flat, mlir::Value at, int64_t more, int64_t size);
  mlir::Value vectorsOf(const Place &at, int64_t panel);
  mlir::Value scalarOf(const Place &at, int64_t row, int64_t panel);
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value added(mlir::Value a, mlir::Value b);
  mlir::Value product(mlir::Value sum, mlir::Value scalar, mlir::Value vector);
  mlir::Value dot(mlir::Value sum, mlir::Value bytes, mlir::Value weights);
  mlir::Value fourBytes(const Place &at, int64_t row);
  Values stepOfPairs(const Place &at, Block block, Values sums);
  Values pairSums(llvm::ArrayRef<mlir::Value> chunks);
  mlir::VectorType sumType() const;

  const Arithmetic arithmetic;
  const BlockStreams &streams;
  const Features &features;
  mlir::OpBuilder &b;
  const mlir::Location loc;
};

} // namespace daedalus::cpu

#endif
