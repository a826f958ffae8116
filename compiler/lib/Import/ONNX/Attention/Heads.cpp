// See Heads.h.

#include "Attention/Heads.h"

using llvm::Twine;

namespace daedalus::onnximport {

bool headsOf(C &c, size_t input, Text key, Shape &shape) {
  shape = c.shape(input);
  if (c.rank(input) != c.rank(0) || (shape.size() != 3 && shape.size() != 4))
    return c.fail("input '" + c.name(input) + "' has shape " + shapeText(shape) +
                  "; expected 3 or 4 dimensions, as many as the other inputs have");
  if (shape.size() == 4)
    return c.integer(key, shape[1]) == shape[1] ||
           c.failToFit(key, Twine(c.integer(key, 0)),
                       Twine(shape[1]) + ", as many heads as input '" + c.name(input) + "' has");
  const int64_t heads = c.integer(key, 0);
  if (heads < 1 || shape[2] % heads)
    return c.failToFit(key, Twine(heads),
                       "a divisor of the size " + Twine(shape[2]) + " of input '" + c.name(input) + "'");
  shape = {shape[0], heads, shape[1], shape[2] / heads};
  return true;
}

} // namespace daedalus::onnximport
