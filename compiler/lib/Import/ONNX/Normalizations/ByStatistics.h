// What normalizations by statistics share.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_NORMALIZATIONS_BYSTATISTICS_H
#define DAEDALUS_LIB_IMPORT_ONNX_NORMALIZATIONS_BYSTATISTICS_H

#include "Body/Statistics.h"
#include "OperatorTable.h"

namespace daedalus::onnximport {

inline bool epsilonFits(NodeCheck &c) {
  const float epsilon = floatAttribute(c.node, "epsilon", 1e-5f);
  return epsilon >= 0 || c.failAttribute("epsilon", std::to_string(epsilon), "at least 0");
}

/// Of input 0 over the dimensions from `first` on.
inline Statistics statistics(GeneralKernel &k, unsigned first) {
  return Statistics(k, k.in(0), first, k.real("epsilon", 1e-5f));
}

} // namespace daedalus::onnximport

#endif
