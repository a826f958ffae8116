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
  void add(VerilatedCovContext &model) {
    add(model, [](const std::string &) { return true; });
  }

  /// A model has settled for the first time. What it has executed counts, for of a block that is
  /// combinational Verilator may count nothing else; bits that began with anything have not changed.
  void settle(VerilatedCovContext &model) {
    add(model, [](const std::string &point) { return point.find("v_line") != std::string::npos; });
    model.zero();
  }

  ~Coverage() {
    std::ofstream out(path);
    out << "# SystemC::Coverage-3\n";
    for (const auto &[point, count] : counts)
      out << point << count << "\n";
  }

private:
  template <class Counts> void add(VerilatedCovContext &model, Counts counted) {
    const std::lock_guard<std::mutex> lock(mutex);
    model.write(path.c_str());
    std::ifstream in(path);
    auto at = counts.begin(); // a model writes its points in the order of `counts`
    for (std::string line; std::getline(in, line);)
      if (const size_t end = line.rfind("' "); end != std::string::npos) {
        at = counts.try_emplace(at, line.substr(0, end + 2), 0);
        if (counted(at->first))
          at->second += std::strtoll(line.c_str() + end + 2, nullptr, 10);
        ++at;
      }
  }

  Coverage() {
    const char *folder = std::getenv("DAEDALUS_RTL_COVERAGE");
    path = std::string(folder ? folder : ".") + "/" + std::to_string(getpid()) + ".dat";
  }

  std::mutex mutex;
  std::string path;
  std::map<std::string, int64_t> counts; ///< of each point: a line of the file up to its number
};

} // namespace daedalus
