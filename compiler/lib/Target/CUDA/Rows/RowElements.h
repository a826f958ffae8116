// What one thread does with elements of its row in a pass of a chain, and with the row's numbers.

#ifndef DAEDALUS_LIB_TARGET_CUDA_ROWS_ROWELEMENTS_H
#define DAEDALUS_LIB_TARGET_CUDA_ROWS_ROWELEMENTS_H

#include "Schedule.h"

#include "Transforms/Transforms.h"

namespace daedalus::cuda {

using Values = llvm::SmallVector<mlir::Value>;
/// A buffer, and at which of its indices an element lies, of the chain's loops.
using Place = std::pair<mlir::Value, mlir::AffineMap>;

/// What a thread has of some neighbouring elements.
struct Elements {
  llvm::DenseMap<unsigned, Values> made; ///< by step
  llvm::DenseMap<Place, Values> loaded;
};

class RowElements {
public:
  /// `row`: values of the chain's loops, of columns any.
  RowElements(const Chain &chain, const RowSchedule &schedule, DeviceFunction &f, Values row)
      : chain(chain), schedule(schedule), f(f), row(std::move(row)), numbers(chain.steps.size()) {}

  /// Results of steps that give a number for each row, by step, as far as they are known.
  Values &numbersOfRow() { return numbers; }
  mlir::Value computeNumber(const Step &step);
  void storeNumber(const Step &step, mlir::Value value);
  /// Loads what a pass reads of memory for each row.
  void loadNumbers(int pass);

  /// A pass over the elements from column `base` on, if `isInside` holds; null: it does. `reductions`: what
  /// each reduction of the pass has so far; what it has then.
  Values compute(int pass, Elements &elements, mlir::Value base, mlir::Value isInside,
                 const Values &reductions);

private:
  mlir::AffineMap mapOf(const Step &step, mlir::OpOperand &operand) const {
    return step.mapOf(operand, chain.sizes.size());
  }
  Values compute(int pass, Elements &elements, mlir::Value base, Values reductions);
  Values valuesOf(const Step &step, mlir::OpOperand &operand, int producer, Elements &elements,
                  mlir::ValueRange at);
  mlir::Value numberOf(const Step &step, mlir::OpOperand &operand, int producer);
  Values load(const Step &step, mlir::OpOperand &operand, mlir::ValueRange at);
  void store(const Step &step, const Values &values, mlir::ValueRange at);
  Values columnsAt(mlir::Value base);
  /// Whether an operand's elements lie in memory one behind the other, as those of the only row.
  bool isFlat(const Step &step, mlir::OpOperand &operand) const;
  /// The buffer, perhaps in another shape, and the indices of an operand's element.
  std::pair<mlir::Value, Values> placeOf(const Step &step, mlir::OpOperand &operand, mlir::ValueRange at);
  Values shifted(mlir::ValueRange at, int64_t by);
  Values ofStep(const Step &step, mlir::ValueRange at) const;
  bool isNeededBehind(unsigned step, int pass) const;
  llvm::SmallVector<Place> loadsFor(int pass, const Elements &elements) const;

  const Chain &chain;
  const RowSchedule &schedule;
  DeviceFunction &f;
  const Values row;
  Values numbers;
  mlir::Value linear; ///< the column of the first element
  llvm::DenseMap<Place, mlir::Value> loadedNumbers;
};

} // namespace daedalus::cuda

#endif
