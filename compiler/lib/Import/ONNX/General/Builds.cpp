// See Builds.h.

#include "Builds.h"

namespace daedalus::onnximport {

const Builds &builds() {
  static const Builds all = [] {
    Builds table;
    for (auto add :
         {addActivations, addAttention,  addEinsum,         addRecurrent,   addConvolutions,
          addElementwise, addFunctions,  addGathers,        addGridSamples, addImages,
          addIntegers,    addLosses,     addLpPools,        addMovement,    addNorms,
          addOrders,      addPatterns,   addScans,          addScatters,    addTransposedConvolutions,
          addPads,        addSlices,     addResize,         addShapes,      addProducts,
          addPools,       addReductions, addNormalizations, addQuantization})
      add(table);
    return table;
  }();
  return all;
}

const Builds &functionBuilds() {
  static const Builds all = [] {
    Builds table;
    addActivations(table);
    addFunctions(table);
    return table;
  }();
  return all;
}

} // namespace daedalus::onnximport
