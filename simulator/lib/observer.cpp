// Where Observer's tables stand: with the instructions, which call it.

#include "daedalus/simulator/device.h"

namespace daedalus::sim {

Observer::~Observer() = default;

} // namespace daedalus::sim
