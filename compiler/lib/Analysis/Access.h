// How accesses are followed through pads, reshapes and slices, compared and composed.

#ifndef DAEDALUS_LIB_ANALYSIS_ACCESS_H
#define DAEDALUS_LIB_ANALYSIS_ACCESS_H

#include "daedalus/Analysis/Block.h"

namespace daedalus {

/// Goes on to what the tensor is a padded or reshaped form of, and with `slices` a part.
void seeThrough(Access &access, bool slices = false);

bool isSame(const Access &a, const Access &b);

/// The access with coordinates in place of its iterators; `places` has one an iterator.
Access composed(const Access &access, llvm::ArrayRef<const Coordinate *> places, size_t iterators);

} // namespace daedalus

#endif
