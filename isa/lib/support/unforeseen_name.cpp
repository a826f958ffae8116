#include "unforeseen_name.h"

#include <cstdint>
#include <random>

namespace daedalus {

std::string unforeseenName(const std::string &folder) {
  std::random_device random; // the system's
  std::string name = folder + ".daedalus-";
  for (unsigned draw = 0; draw < 3; ++draw)
    for (uint32_t bits = random(), letter = 0; letter < 6; ++letter, bits >>= 5)
      name += "abcdefghijklmnopqrstuvwxyz234567"[bits & 31];
  return name;
}

} // namespace daedalus
