// See Builds.h.

#include "Builds.h"

namespace daedalus::onnximport {

const Builds &builds() {
  static const Builds all = [] {
    Builds table;
    for (auto add :
         {addConvolutions, addElementwise, addFunctions, addGathers, addMovement, addPads, addSlices,
          addResize, addShapes, addProducts, addPools, addReductions, addNormalizations, addQuantization})
      add(table);
    return table;
  }();
  return all;
}

const Builds &functionBuilds() {
  static const Builds all = [] {
    Builds table;
    addFunctions(table);
    return table;
  }();
  return all;
}

} // namespace daedalus::onnximport
