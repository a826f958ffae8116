// Which value each variable takes so that a sum of costs is smallest, each cost of a few of the variables: by
// elimination of one variable after the other (Dechter, Bucket elimination, Artificial Intelligence 113,
// 1999).

#ifndef DAEDALUS_LIB_PIPELINES_PLACEMENT_ASSIGNMENT_H
#define DAEDALUS_LIB_PIPELINES_PLACEMENT_ASSIGNMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace daedalus {

class Assignment {
public:
  using Variable = unsigned;

  /// One that takes a value below `values`, which is 1 or more.
  Variable add(unsigned values);

  /// A cost of some variables, each named once: what `cost` says for the values of these, in their order. May
  /// be infinite for what must not be.
  void addCost(std::vector<Variable> variables, llvm::function_ref<double(llvm::ArrayRef<unsigned>)> cost);

  /// A value for each variable: no other ones have a smaller sum, and of the same sum the first in the order
  /// of the variables that are eliminated last. Nothing where a table on the way would have more than
  /// `maximumTable` costs: the costs join too many variables with each other.
  std::optional<std::vector<unsigned>> solve(size_t maximumTable = size_t(1) << 20) const;

  /// The sum for such values.
  double costOf(llvm::ArrayRef<unsigned> values) const;

private:
  /// A cost for each combination of values; that of the first variable changes first.
  struct Table {
    std::vector<Variable> variables;
    std::vector<double> costs;
  };
  /// What a variable takes, by the values of those that are eliminated behind it.
  struct Choice {
    Variable variable;
    std::vector<Variable> others;
    std::vector<unsigned> values;
  };

  size_t sizeOf(llvm::ArrayRef<Variable> variables) const;
  size_t indexOf(llvm::ArrayRef<Variable> variables, llvm::ArrayRef<unsigned> values) const;
  llvm::SmallVector<unsigned> valuesAt(size_t index, llvm::ArrayRef<Variable> variables) const;
  std::vector<Variable> neighboursOf(Variable variable, llvm::ArrayRef<Table> tables) const;
  static Variable smallest(llvm::ArrayRef<std::optional<size_t>> sizes);
  Choice eliminate(Variable variable, std::vector<Table> &tables) const;

  std::vector<unsigned> counts; ///< of values, by variable
  std::vector<Table> all;
};

} // namespace daedalus

#endif
