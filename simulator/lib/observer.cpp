// Where the tables of who watches a run stand: with the instructions, which call them.

#include "daedalus/simulator/device.h"

namespace daedalus::sim {

Observer::~Observer() = default;
SpanSink::~SpanSink() = default;

} // namespace daedalus::sim
