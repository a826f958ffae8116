// How kernels are read: a function becomes blocks, those without reductions become part of the block that
// reads them, and what is left is a nest of loops with an expression: maps are compared with maps,
// expressions with expressions.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_READER_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_KERNELS_READER_H

#include "Kernels/Kernel.h"
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
  Reader(mlir::func::FuncOp func, int64_t n) : func(func), n(n), kernel(func.getLoc()) {}

  Result<Kernel> read();

private:
  /// The first failure, or that of the first order in which data may be read, is what read() says.
  bool fail(const llvm::Twine &why) {
    if (reason.empty())
      reason = why.str();
    return false;
  }

  // Kernel.cpp: the function, its blocks, what is made of it.
  bool isWellFormed();
  bool hasNoEffects();
  bool readResult(mlir::Value value);
  std::optional<unsigned> argumentNumber(mlir::Value tensor);
  std::optional<unsigned> addInput(const Access &access, const std::optional<Layout> &layout = {});
  void setShape(llvm::ArrayRef<int64_t> shape);

  // Elementwise.cpp: the expression behind a reduction, or alone.
  bool readElementwise(const Block &block);
  std::optional<ExprId> readLeaf(const Block &block, const Access &access, const Expr &argument);
  std::optional<ExprId> readConstant(const Block &block, const Access &access, unsigned bits);
  ExprId channelConstant(std::vector<int64_t> values, unsigned bits);

  // Layouts.cpp: inputs that do not lie as the nest runs.
  void setNest(const Block &block);
  std::optional<Layout> layoutOf(const Block &block, const Access &access) const;

  // Moves.cpp: what only moves elements.
  bool readRepeats(const Block &block, const Access &access);
  bool readParts(mlir::tensor::InsertSliceOp last);

  // Reductions.cpp: products and windows.
  bool readReduction(Block &block);
  bool readWindowReduction(Block &block);
  /// out + (x + b) (w + a) of 8 bits: x and w are multiplied by `ofData` and `ofWeights`, `number` is added.
  struct CentredProduct {
    int64_t ofData, ofWeights, number;
  };
  std::optional<CentredProduct> centredProduct(Block &block, unsigned data);
  bool readProduct(Block &block, unsigned data);
  void startFrom(std::vector<int64_t> values);
  bool readData(const Block &block, const Access &data, llvm::function_ref<bool(const Roles &)> rest);
  bool readWindow(const Block &block, const Access &data, Roles &roles);
  bool readChannels(const Block &block, const Access &data, Roles &roles);
  bool writesPixelsThen(const Block &block, const Roles &roles, std::optional<unsigned> output);
  // Weights.cpp: constant ones.
  bool readWeights(const Block &block, const Access &weights, const Roles &roles,
                   std::optional<unsigned> output, const CentredProduct &product);
  bool areWeightsOfChannels(const Access &weights, const Coordinate &at, const Roles &roles);
  template <class T> bool centreWeights(std::vector<T> values, const CentredProduct &product, int64_t first);
  bool takesExcess(llvm::ArrayRef<Excess> excess) const;
  template <class T> bool splitWeights(const std::vector<T> &values, int64_t zero);
  void addDataSums(int64_t multiple);
  // InputProducts.cpp: products of two inputs.
  bool readInputProduct(Block &block);
  bool readMatrices(const Block &block, const Access &data, const Access &weights);
  void startFromSums(const CentredProduct &product);

  mlir::func::FuncOp func;
  int64_t n; ///< lanes of the array
  std::string reason;
  Kernel kernel;
  ExprId reduced = 0; ///< in the kernel's tail: the result of the reduction, once it is read
  llvm::DenseMap<mlir::Value, Block> blocks;
  std::optional<llvm::SmallVector<unsigned, 4>> nest; ///< see setNest
};

/// Whether the block reads an element where it writes it.
bool isPointwise(const Block &block, const Access &access);

/// The integers of a constant tensor, each of 8 * sizeof(T) bits; an error says what `what` are not.
template <class T> Result<std::vector<T>> constantIntegers(mlir::Value value, const char *what);

} // namespace daedalus::accelerator

#endif
