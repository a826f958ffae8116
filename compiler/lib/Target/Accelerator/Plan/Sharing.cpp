// See Sharing.h.

#include "Plan/Sharing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {
namespace {

constexpr size_t MostTogether[] = {0, 0, 8, 4}; ///< schedules tried for a call, by group size

/// None, half or all on VECTOR.
int64_t shareOf(const Schedule &s) {
  return llvm::divideCeil(s.vector, 8);
}

} // namespace

bool fitsShare(const Kernel &kernel, const Schedule &s, size_t size, const isa::Machine &machine) {
  const TileShape t = inputTile(kernel, s);
  const int64_t parts = s.slide ? int64_t(size) + 1 : int64_t(2 * size);
  return t.size() <= machine.rows(isa::Scope::Inp) / parts &&
         s.oh * s.ow * s.oc <= machine.rows(isa::Scope::Acc) / 4;
}

Schedule narrowed(const Kernel &kernel, Schedule s, size_t size, const isa::Machine &machine) {
  if (kernel.combiner && !kernel.isWeighted())
    while (s.kh * s.kw > 1 && !fitsShare(kernel, s, size, machine)) {
      int64_t &extent = s.kh > 1 ? s.kh : s.kw;
      extent = llvm::divideCeil(extent, 2);
    }
  return s;
}

std::vector<Schedule> sharing(const KernelCall &call, const RankedSchedules &ranked, dae::Order order,
                              size_t size, const isa::Machine &machine) {
  const Kernel &kernel = call.kernel;
  const bool byRows = order == dae::Order::Pixels;
  const size_t most = MostTogether[size] * (kernel.diagonal ? 2 : 1);
  const auto bandOf = [&](const Schedule &s) { return !byRows ? s.oc : kernel.window.oh > 1 ? s.oh : s.ow; };
  std::vector<Schedule> chosen;
  for (size_t place = 0; place < ranked.size() && chosen.size() < most; ++place) {
    const Schedule s = byRows ? ranked[place] : narrowed(kernel, ranked[place], size, machine);
    const bool isOfOrder =
        byRows ? s.order == order : isByChannels(kernel, s) && s.oc * machine.n < kernel.window.oc;
    const bool isKnown = llvm::any_of(chosen, [&](const Schedule &other) {
      return bandOf(other) == bandOf(s) && shareOf(other) == shareOf(s);
    });
    if (isOfOrder && !isKnown && fitsShare(kernel, s, size, machine))
      chosen.push_back(s);
  }
  return chosen;
}

} // namespace daedalus::accelerator
