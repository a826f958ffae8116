// See vector_products.h. Tiles of a layer are GEMM's or VECTOR's (docs/decisions/0008-planner.md), and all of
// them have as many products for a row of results, whatever the instructions are that compute them.

#include "vector_products.h"

#include "daedalus/isa/encoding.h"

#include <cmath>

namespace daedalus::runtime {
namespace {

/// Of results; one that is computed in several instructions counts in each of them.
struct Rows {
  double gemm = 0, vector = 0;
};

template <class Instruction> double rowsOf(const Instruction &instruction) {
  double rows = 1;
  for (size_t loop = 0; loop < instruction.loops.size(); ++loop)
    if (!(instruction.reduction >> loop & 1))
      rows *= instruction.loops[loop].count;
  return rows;
}

void add(const isa::Instruction &instruction, Rows &rows) {
  if (const auto *gemm = std::get_if<isa::Gemm>(&instruction))
    rows.gemm += rowsOf(*gemm);
  const auto *vector = std::get_if<isa::Vector>(&instruction);
  if (vector && vector->op == isa::VectorOp::Mac && vector->bScope == isa::Scope::Param) // times weights
    rows.vector += rowsOf(*vector);
}

} // namespace

std::vector<uint64_t> vectorProducts(const package::Package &package) {
  std::vector<Rows> rows(package.layers.size());
  for (const package::AcceleratorProgram &program : package.programs)
    if (const auto instructions = isa::decodeWords(program.words))
      for (size_t i = 0; i < std::min(instructions->size(), program.layerOfInstruction.size()); ++i)
        if (program.layerOfInstruction[i] < rows.size())
          add((*instructions)[i], rows[program.layerOfInstruction[i]]);
  std::vector<uint64_t> products;
  for (size_t layer = 0; layer < rows.size(); ++layer) {
    const Rows &of = rows[layer];
    const double share = of.vector > 0 ? of.vector / (of.gemm + of.vector) : 0;
    products.push_back(
        static_cast<uint64_t>(std::llround(share * static_cast<double>(package.layers[layer].macs))));
  }
  return products;
}

} // namespace daedalus::runtime
