// See OperatorTable.h, and Operators.h for the documentation's part.

#include "OperatorTable.h"

#include "Load/QOperators.h"
#include "Schema/Schemas.h"

#include "daedalus/Import/ONNX/Operators.h"

namespace daedalus {
namespace onnximport {

using Add = void(Operators &);
Add addActivations, addAffineGrid, addArguments, addArithmetic, addAttention, addAveragePool,
    addBatchNormalizations, addBlocks, addCasts, addClamps, addCol2Im, addConcat, addConstants,
    addConvolutions, addEinsum, addFunctions, addGathers, addGlobalPools, addGridSample, addIdentities,
    addImages, addIntegers, addLayerNormalizations, addLosses, addLpNormalizations, addLpPools, addMaxPool,
    addPad, addPatterns, addPowers, addProducts, addQuantization, addRecurrent, addReductions, addReshapes,
    addResize, addRotaryEmbedding, addScans, addScatters, addSlice, addSoftmaxes, addTile, addTranspose,
    addTransposedConvolutions;

namespace {

/// One of each file of operators.
Add *const all[] = {addActivations,
                    addAffineGrid,
                    addArguments,
                    addArithmetic,
                    addAttention,
                    addAveragePool,
                    addBatchNormalizations,
                    addBlocks,
                    addCasts,
                    addClamps,
                    addCol2Im,
                    addConcat,
                    addConstants,
                    addConvolutions,
                    addEinsum,
                    addFunctions,
                    addGathers,
                    addGlobalPools,
                    addGridSample,
                    addIdentities,
                    addImages,
                    addIntegers,
                    addLayerNormalizations,
                    addLosses,
                    addLpNormalizations,
                    addLpPools,
                    addMaxPool,
                    addPad,
                    addPatterns,
                    addPowers,
                    addProducts,
                    addQuantization,
                    addRecurrent,
                    addReductions,
                    addReshapes,
                    addResize,
                    addRotaryEmbedding,
                    addScans,
                    addScatters,
                    addSlice,
                    addSoftmaxes,
                    addTile,
                    addTranspose,
                    addTransposedConvolutions};

} // namespace

const Operators &operators() {
  static const Operators table = [] {
    Operators rows;
    for (Add *add : all)
      add(rows);
    return rows;
  }();
  return table;
}

const Operator *operatorOf(llvm::StringRef name) {
  auto found = operators().find(name.str());
  return found == operators().end() ? nullptr : &found->second;
}

} // namespace onnximport

int64_t newestOnnxOpset() {
  return onnximport::newestOpset;
}

std::vector<OperatorSupport> supportedOperators() {
  std::map<std::string, OperatorSupport> all;
  for (const auto &[name, known] : onnximport::operators())
    all[name] = {name, known.quantized, known.build ? "CPU" : known.quantized};
  for (const std::string &name : onnximport::qOperators())
    all[name] = {name, "as the same operator in QDQ form", ""};
  std::vector<OperatorSupport> list;
  for (const auto &[name, support] : all)
    list.push_back(support);
  return list;
}

} // namespace daedalus
