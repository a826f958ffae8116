// The least number of cycles of a package's accelerator programs, for any schedule: docs/bounds.md.

#ifndef DAEDALUS_RUNTIME_BOUND_H
#define DAEDALUS_RUNTIME_BOUND_H

#include "daedalus/isa/machine.h"
#include "daedalus/package/least_work.h"
#include "daedalus/package/package.h"

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

/// What a layer's modules work at least; zeros where its target says nothing.
package::LeastWork leastWorkOf(const package::Layer &layer);

/// Cycles of the layer alone, while nothing else runs, without what it has to wait for; 0 where its target
/// says nothing.
uint64_t leastCyclesOf(const package::Layer &layer);

/// Cycles of one run of a program with so much work, from START to the end of FINISH: those of the busiest
/// module, and what has to come before its first instruction and behind its last. 0 without work.
uint64_t boundOf(const package::LeastWork &work, const isa::Machine &machine);

/// Of all programs that the package's first function starts, each as often as it does; on a machine of the
/// package's core. 0 of a package without layers that say what they need.
uint64_t boundOf(const package::Package &package, const isa::Machine &machine);

} // namespace daedalus::runtime
#pragma GCC visibility pop

#endif
