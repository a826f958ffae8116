// See CountersJson.h.
#include "Report/Profile/CountersJson.h"

namespace daedalus::report {

using isa::CounterClass;
using isa::CounterModule;

Json countersJson(const sim::ClassCycles &cycles) {
  Json all = Json::object();
  for (size_t c = 0; c < cycles.size(); ++c)
    if (cycles[c])
      all[isa::name(static_cast<CounterClass>(c))] = cycles[c];
  return all;
}

Json countersJson(const runtime::Counters &counters) {
  Json all = Json::object();
  for (size_t m = 0; m < counters.size(); ++m)
    if (Json classes = countersJson(counters[m]); !classes.empty())
      all[isa::name(static_cast<CounterModule>(m))] = std::move(classes);
  return all;
}

} // namespace daedalus::report
