// Passes that count what they do. (MLIR's own statistics of passes are compiled out of a released MLIR.)

#ifndef DAEDALUS_DIALECT_COUNTING_H
#define DAEDALUS_DIALECT_COUNTING_H

#include <cstdint>
#include <map>
#include <string>

namespace daedalus {

/// "tables": 3.
using Counts = std::map<std::string, uint64_t>;

class CountingPass {
public:
  virtual ~CountingPass() = default;

  /// Of the last run.
  Counts counts;
};

} // namespace daedalus

#endif
