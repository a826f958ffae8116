// See OpenSegments.h.

#include "Plan/OpenSegments.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {
namespace {

/// When as much as `count` of what lies from `first` to `last` has been written.
Cycle writtenAt(Cycle count, Cycle first, Cycle last, Cycle begin, Cycle end) {
  return count <= first ? 0 : begin + (end - begin) * (std::min(count, last) - first) / (last - first);
}

} // namespace

Cycle OpenSegments::roomFrom(Cycle from, Cycle moreBeats, Cycle moreSegments) const {
  if (allWritten <= from)
    return from;
  const Cycle beatsAsked = beats + std::min(moreBeats, room),
              segmentsAsked = segments + std::min(moreSegments, open);
  const Cycle beatsWritten = beatsAsked - std::min(beatsAsked, room);
  const Cycle segmentsWritten = segmentsAsked - std::min(segmentsAsked, open);
  for (const Written &one : llvm::reverse(llvm::ArrayRef(last).drop_front(unneeded)))
    if (beatsWritten > one.firstBeat || segmentsWritten > one.firstSegment)
      return std::max({from, writtenAt(beatsWritten, one.firstBeat, one.endBeat, one.begin, one.end),
                       writtenAt(segmentsWritten, one.firstSegment, one.endSegment, one.begin, one.end)});
  return from;
}

void OpenSegments::add(const TransferTime &transfer, Cycle begin, Cycle end) {
  last.push_back({beats, segments, begin, beats + transfer.beats, segments + transfer.issue, end});
  allWritten = end;
  beats += transfer.beats, segments += transfer.issue;
  while (last[unneeded].endBeat + room <= beats && last[unneeded].endSegment + open <= segments)
    ++unneeded;
  if (unneeded < MostUnneeded)
    return;
  last.erase(last.begin(), last.begin() + unneeded);
  unneeded = 0;
}

} // namespace daedalus::accelerator
