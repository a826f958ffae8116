// What the Verilated models of a process have covered, together: how often each line was executed and each
// bit changed. It is written when the process ends, to a file of its own in the folder that
// DAEDALUS_RTL_COVERAGE names, in the form that verilator_coverage reads.
#pragma once

#include "verilated_cov.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <unistd.h>

namespace daedalus {

class Coverage {
public:
  static Coverage &ofProcess() {
    static Coverage all;
    return all;
  }

  /// The counts of a model that ends.
  void add(VerilatedCovContext &model) { addTo(model, "", 1); }

  /// Of a model that has settled for the first time: bits that began with anything have not changed.
  void leaveOutToggles(VerilatedCovContext &model) { addTo(model, "v_toggle/", -1); }

  ~Coverage() {
    std::ofstream out(path);
    out << "# SystemC::Coverage-3\n";
    for (const auto &[point, count] : counts)
      out << point << count << "\n";
  }

private:
  Coverage() {
    const char *folder = std::getenv("DAEDALUS_RTL_COVERAGE");
    path = std::string(folder ? folder : ".") + "/" + std::to_string(getpid()) + ".dat";
  }

  /// The counts of points whose text contains `what`, so many times.
  void addTo(VerilatedCovContext &model, const char *what, int64_t times) {
    const std::lock_guard<std::mutex> lock(mutex);
    model.write(path.c_str());
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
      if (const size_t end = line.rfind("' "); end != std::string::npos && line.find(what) < end)
        counts[line.substr(0, end + 2)] += times * std::strtoll(line.c_str() + end + 2, nullptr, 10);
  }

  std::mutex mutex;
  std::string path;
  std::map<std::string, int64_t> counts; ///< of each point: a line of the file up to its number
};

} // namespace daedalus
