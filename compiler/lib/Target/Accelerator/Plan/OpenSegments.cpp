// See OpenSegments.h.

#include "Plan/OpenSegments.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

/// When as much as `count` of what lies from `first` to `last` has been written.
Cycle writtenAt(Cycle count, Cycle first, Cycle last, Cycle begin, Cycle end) {
  return count <= first ? 0 : begin + (end - begin) * (std::min(count, last) - first) / (last - first);
}

} // namespace

/// Where not all has been written by then.
Cycle OpenSegments::decidedFrom(Cycle from, Cycle moreBeats, Cycle moreSegments) const {
  const Cycle beatsAsked = beats + std::min(moreBeats, room),
              segmentsAsked = segments + std::min(moreSegments, open);
  const Cycle beatsWritten = beatsAsked - std::min(beatsAsked, room);
  const Cycle segmentsWritten = segmentsAsked - std::min(segmentsAsked, open);
  size_t place = next;
  for (size_t i = 0; i < last.size(); ++i) {
    const Written &one = last[place = (place ? place : last.size()) - 1];
    const Cycle begin = one.begin + delayed, end = one.end + delayed;
    if (end <= from) // so has all before it
      return from;
    if (beatsWritten > one.firstBeat || segmentsWritten > one.firstSegment)
      return std::max({from, writtenAt(beatsWritten, one.firstBeat, one.endBeat, begin, end),
                       writtenAt(segmentsWritten, one.firstSegment, one.endSegment, begin, end)});
  }
  return from;
}

void OpenSegments::add(const BurstTime &bursts, Cycle begin, Cycle end) {
  last[next] = {beats,        segments, begin - delayed, beats + bursts.beats, segments + bursts.issue,
                end - delayed};
  next = next + 1 == last.size() ? 0 : next + 1;
  allWritten = end;
  beats += bursts.beats, segments += bursts.issue;
}

} // namespace daedalus::accelerator
