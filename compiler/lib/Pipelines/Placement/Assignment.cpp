// See Assignment.h.

#include "Assignment.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

namespace daedalus {

Assignment::Variable Assignment::add(unsigned values) {
  counts.push_back(values);
  return counts.size() - 1;
}

void Assignment::addCost(std::vector<Variable> variables,
                         llvm::function_ref<double(llvm::ArrayRef<unsigned>)> cost) {
  Table table{std::move(variables), {}};
  const size_t size = sizeOf(table.variables);
  for (size_t i = 0; i < size; ++i)
    table.costs.push_back(cost(valuesAt(i, table.variables)));
  all.push_back(std::move(table));
}

std::optional<std::vector<unsigned>> Assignment::solve(size_t maximumTable) const {
  std::vector<Table> tables = all;
  std::vector<Choice> choices;
  std::vector<std::optional<size_t>> sizes; // of the table that a variable leaves; nothing of eliminated ones
  for (Variable variable = 0; variable < counts.size(); ++variable)
    sizes.push_back(sizeOf(neighboursOf(variable, tables)));
  for (size_t i = 0; i < counts.size(); ++i) {
    const Variable variable = smallest(sizes);
    if (*sizes[variable] > maximumTable / counts[variable])
      return std::nullopt;
    choices.push_back(eliminate(variable, tables));
    sizes[variable].reset();
    for (Variable other : choices.back().others) // of no others do the costs change
      sizes[other] = sizeOf(neighboursOf(other, tables));
  }
  std::vector<unsigned> values(counts.size());
  for (const Choice &choice : llvm::reverse(choices))
    values[choice.variable] = choice.values[indexOf(choice.others, values)];
  return values;
}

double Assignment::costOf(llvm::ArrayRef<unsigned> values) const {
  double sum = 0;
  for (const Table &table : all)
    sum += table.costs[indexOf(table.variables, values)];
  return sum;
}

/// Saturates, for it is compared with limits.
size_t Assignment::sizeOf(llvm::ArrayRef<Variable> variables) const {
  constexpr size_t most = std::numeric_limits<size_t>::max();
  size_t size = 1;
  for (Variable variable : variables)
    size = size > most / counts[variable] ? most : size * counts[variable];
  return size;
}

size_t Assignment::indexOf(llvm::ArrayRef<Variable> variables, llvm::ArrayRef<unsigned> values) const {
  size_t index = 0;
  for (Variable variable : llvm::reverse(variables))
    index = index * counts[variable] + values[variable];
  return index;
}

/// The other way round: in the order of the variables.
llvm::SmallVector<unsigned> Assignment::valuesAt(size_t index, llvm::ArrayRef<Variable> variables) const {
  llvm::SmallVector<unsigned> values;
  for (Variable variable : variables) {
    values.push_back(index % counts[variable]);
    index /= counts[variable];
  }
  return values;
}

/// The other variables of its costs, in order.
std::vector<Assignment::Variable> Assignment::neighboursOf(Variable variable,
                                                           llvm::ArrayRef<Table> tables) const {
  std::vector<Variable> found;
  for (const Table &table : tables)
    if (llvm::is_contained(table.variables, variable))
      llvm::append_range(found, table.variables);
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  llvm::erase(found, variable);
  return found;
}

/// The first one that leaves the smallest table.
Assignment::Variable Assignment::smallest(llvm::ArrayRef<std::optional<size_t>> sizes) {
  std::optional<Variable> best;
  for (Variable variable = 0; variable < sizes.size(); ++variable)
    if (sizes[variable] && (!best || *sizes[variable] < *sizes[*best]))
      best = variable;
  return *best;
}

/// Takes its costs out of `tables` and puts in what is left of them where it takes the cheapest value.
Assignment::Choice Assignment::eliminate(Variable variable, std::vector<Table> &tables) const {
  Table left{neighboursOf(variable, tables), {}};
  Choice choice{variable, left.variables, {}};
  std::vector<Table> own, others;
  for (Table &table : tables)
    (llvm::is_contained(table.variables, variable) ? own : others).push_back(std::move(table));
  const size_t size = sizeOf(left.variables);
  std::vector<unsigned> values(counts.size());
  for (size_t i = 0; i < size; ++i) {
    for (auto [other, value] : llvm::zip(left.variables, valuesAt(i, left.variables)))
      values[other] = value;
    double least = std::numeric_limits<double>::infinity();
    unsigned best = 0;
    for (values[variable] = 0; values[variable] < counts[variable]; ++values[variable]) {
      double sum = 0;
      for (const Table &table : own)
        sum += table.costs[indexOf(table.variables, values)];
      if (sum < least)
        least = sum, best = values[variable];
    }
    left.costs.push_back(least);
    choice.values.push_back(best);
  }
  others.push_back(std::move(left));
  tables = std::move(others);
  return choice;
}

} // namespace daedalus
