// How kernels are recognised: a function becomes blocks, those without reductions become part of the block
// that reads them, and what is left is compared with what the accelerator does: maps with maps, expressions
// with expressions.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELREADER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELREADER_H

#include "Kernel.h"
#include "daedalus/Analysis/Block.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace daedalus::accelerator {

/// Which iterators of a reduction walk which dimension of its data, seen as
/// [batch...][rows][columns][channels].
struct Roles {
  llvm::SmallVector<unsigned, 2> batch;
  std::optional<unsigned> row, column;             ///< parallel
  std::optional<unsigned> kernelRow, kernelColumn; ///< reductions
  std::optional<unsigned> group;                   ///< of channels: parallel
  std::optional<unsigned> lane;                    ///< channels of a group: a reduction
};

class Reader {
public:
  Reader(mlir::func::FuncOp func, std::string &reason) : func(func), reason(reason), kernel(func.getLoc()) {}

  std::optional<Kernel> read();

private:
  bool fail(const llvm::Twine &why) {
    if (reason.empty())
      reason = why.str();
    return false;
  }

  // Kernel.cpp: the function, its blocks, what is made of it.
  bool isWellFormed();
  bool hasNoEffects();
  void readBlocks();
  void inlineProducers(Block &block);
  bool readResult(mlir::Value value);
  bool finish();
  std::optional<unsigned> argumentNumber(mlir::Value tensor);
  bool addInput(const Access &access);
  void setShape(llvm::ArrayRef<int64_t> shape);

  // KernelElementwise.cpp: blocks without reductions.
  bool readElementwise(const Block &block);
  bool readRequant(const Block &block);
  bool readParameters(const Block &block, const Expr &requant);
  bool readAccumulator(const Block &block, ExprId acc);
  bool readPair(const Block &block, Terms terms);
  bool readClamped(const Block &block);
  bool readLookup(const Block &block);
  bool readReduced(const Block &block, unsigned input);
  template <class T>
  bool readParameter(const Block &block, ExprId id, std::vector<T> &values, const char *what);

  // KernelMoves.cpp: what only moves elements.
  bool readMove(const Block &block, const Access &access);
  bool readConcat(mlir::tensor::InsertSliceOp last);

  // KernelReductions.cpp: products and pools.
  bool readReduction(Block &block);
  bool readPool(Block &block);
  bool readProduct(Block &block, unsigned data);
  bool readWindow(const Block &block, const Access &data, Roles &roles);
  bool readChannels(const Block &block, const Access &data, Roles &roles);
  bool readWeights(const Block &block, const Access &weights, const Roles &roles,
                   std::optional<unsigned> output);
  bool writesPixelsThen(const Block &block, const Roles &roles, std::optional<unsigned> output);

  mlir::func::FuncOp func;
  std::string &reason;
  Kernel kernel;
  llvm::DenseMap<mlir::Value, Block> blocks;
  std::vector<uint32_t> bias; ///< what the sums begin with: none, one, or one an output channel
};

/// The number of the int8 argument that the expression extends to 32 bits.
std::optional<unsigned> wideArgument(const Expressions &all, ExprId id);

/// Whether the block reads an element where it writes it.
bool isPointwise(const Block &block, const Access &access);

/// The integers of a constant tensor, each of 8 * sizeof(T) bits; nothing, and why, where it is none.
template <class T>
std::optional<std::vector<T>> constantIntegers(mlir::Value value, const char *what, std::string &why);

} // namespace daedalus::accelerator

#endif
