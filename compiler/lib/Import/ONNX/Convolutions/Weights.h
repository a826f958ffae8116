// What convolutions say of weights that do not fit.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_CONVOLUTIONS_WEIGHTS_H
#define DAEDALUS_LIB_IMPORT_ONNX_CONVOLUTIONS_WEIGHTS_H

#include "Node.h"

namespace daedalus::onnximport {

/// `form` is how the weights lie.
inline std::string fittingWeights(const Shape &x, const std::string &form) {
  if (x.size() < 3)
    return "expected an input of at least 3 dimensions";
  return "expected weights " + form + " of " + std::to_string(x.size()) +
         " dimensions for C = " + std::to_string(x[1]) + " channels, and attribute 'group' to divide C and M";
}

} // namespace daedalus::onnximport

#endif
