// One package: whether it is right, or how long it takes.
#pragma once

#include "blas.h"
#include "entries.h"

namespace daedalus::test {

struct Outcome {
  std::string wrong; ///< what is wrong with its results; empty: nothing
  std::string row;   ///< of the table, of what was timed
};

constexpr const char *rowHeader = "package                        median ms    least ms    whole ms  rate";

/// An error is one of the run, not of its results.
Result<Outcome> check(const std::string &folder, const Entry &entry);
/// What is timed beside packages; null where there is no such thing.
struct Rivals {
  std::unique_ptr<Device> device;
  std::unique_ptr<Blas> blas;
};

Result<Outcome> measure(const std::string &folder, const Entry &entry, Random &random, const Rivals &rivals);

} // namespace daedalus::test
