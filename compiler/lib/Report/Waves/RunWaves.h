// The runs of a package's programs as waves: a value change dump (IEEE 1364-2005, 18) for GTKWave and Surfer,
// with the same signals and the same bytes from both cycle engines. A nanosecond is a cycle.
//
//   accelerator.<module>.state        what the module does (docs/timing.md R25), as text
//   accelerator.<module>.instruction  for which instruction, by its index in the program
//   accelerator.<module>.layer        and for which ONNX nodes, as text
//   accelerator.<module>.queue        instructions in its queue (not of FETCH)
//   accelerator.tokens.<a>_to_<b>     the counter of tokens from module a to module b
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/package/package.h"
#include "daedalus/runtime/session.h"
#include "daedalus/simulator/profile.h"

#include <map>
#include <string>
#include <vector>

namespace daedalus::report {

/// Cycles of all runs one behind the other; both are in it.
struct WaveWindow {
  uint64_t first = 0, last = UINT64_MAX;
};

class RunWaves {
public:
  RunWaves(const package::Package &package, WaveWindow window);

  /// The next run, behind those before.
  void add(const runtime::ProgramProfile &run);
  /// The file.
  std::string text() const;

private:
  struct Signal {
    std::string scope, name, type;
    unsigned bits;
    std::string value; ///< in front of the window
  };

  size_t declare(const std::string &scope, const std::string &name, const std::string &type, unsigned bits);
  void set(uint64_t cycle, size_t signal, std::string value);
  void addSpans(const runtime::ProgramProfile &run);
  void addLevels(const runtime::ProgramProfile &run);
  void count(std::map<uint64_t, int> changes, size_t signal);
  std::string layerOf(uint32_t program, uint32_t instruction) const;

  const package::Package &package;
  const WaveWindow window;
  uint64_t from = 0; ///< the cycles of the runs before
  std::vector<Signal> signals;
  std::map<uint64_t, std::map<size_t, std::string>> changes; ///< by cycle, in the window
};

} // namespace daedalus::report
