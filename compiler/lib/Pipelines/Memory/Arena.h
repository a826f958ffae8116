// First fit over lives: places in one memory for buffers that come in the order in which their lives begin.

#ifndef DAEDALUS_LIB_PIPELINES_ARENA_H
#define DAEDALUS_LIB_PIPELINES_ARENA_H

#include <cstdint>
#include <map>

namespace daedalus {

class Arena {
public:
  /// The lowest offset, a multiple of 64, at which `bytes` bytes are free from step `from` on until behind
  /// step `to`. `from` never decreases from call to call, so what has ended is free for good, and only the
  /// gaps between what lives have to be looked at.
  uint64_t allocate(uint64_t bytes, int64_t from, int64_t to);

  /// The end of the highest buffer so far.
  uint64_t bytes() const { return size; }

private:
  void release(uint64_t offset, uint64_t end);

  std::map<uint64_t, uint64_t> gaps{{0, UINT64_MAX}};          ///< begin to end
  std::multimap<int64_t, std::pair<uint64_t, uint64_t>> lives; ///< by the last step: begin and end
  uint64_t size = 0;
};

} // namespace daedalus

#endif
