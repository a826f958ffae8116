#include "Fragments.h"

#include <algorithm>
#include <array>

namespace daedalus::cuda {

bool isKnown(const MmaShape &shape) {
  constexpr std::array<MmaShape, 7> known = {{{16, 8, 16, 16},
                                              {16, 8, 8, 16},
                                              {16, 8, 8, 32},
                                              {16, 8, 4, 32},
                                              {16, 8, 32, 8},
                                              {16, 8, 16, 8},
                                              {8, 8, 16, 8}}};
  return std::find(known.begin(), known.end(), shape) != known.end();
}

Position positionInA(const MmaShape &shape, unsigned lane, unsigned number, unsigned element) {
  const unsigned group = lane / 4, thread = lane % 4, each = shape.elementsPerRegister();
  const bool isTall = shape.m == 16;
  const unsigned below = isTall ? number % 2 : 0, right = isTall ? number / 2 : number;
  return {group + 8 * below, right * 4 * each + thread * each + element};
}

Position positionInB(const MmaShape &shape, unsigned lane, unsigned number, unsigned element) {
  const unsigned group = lane / 4, thread = lane % 4, each = shape.elementsPerRegister();
  return {number * 4 * each + thread * each + element, group};
}

Position positionInC(const MmaShape &, unsigned lane, unsigned element) {
  const unsigned group = lane / 4, thread = lane % 4;
  return {group + 8 * (element / 2), thread * 2 + element % 2};
}

Position positionInLoaded(unsigned lane, unsigned element, bool isTransposed) {
  const Position plain = {lane / 4, lane % 4 * 2 + element};
  return isTransposed ? Position{plain.column, plain.row} : plain;
}

} // namespace daedalus::cuda
