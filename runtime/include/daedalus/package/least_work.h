// What a layer on the accelerator needs at least, whatever its schedule: docs/bounds.md.

#ifndef DAEDALUS_PACKAGE_LEAST_WORK_H
#define DAEDALUS_PACKAGE_LEAST_WORK_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace daedalus::package {

/// The name that packages have for the least cycles of a layer as a whole.
constexpr const char *leastCycles = "cycles";

/// Cycles that each module works at least; drains of pipelines and waits are not in them.
struct LeastWork {
  uint64_t gemm = 0;   ///< tile products that GEMM alone computes
  uint64_t either = 0; ///< products lane by lane: each is a cycle of GEMM or one of VECTOR
  uint64_t vector = 0; ///< rows of VECTOR's other instructions, times the cycles of each
  uint64_t read = 0;   ///< beats of LOAD's bursts
  uint64_t write = 0;  ///< beats of STORE's bursts

  /// The modules work at the same time, and `either` is divided between two as well as it can be.
  uint64_t cycles() const {
    const uint64_t both = (gemm + vector + either + (either ? 1 : 0)) / 2;
    return std::max({gemm, vector, either ? both : 0, read, write});
  }

  LeastWork &operator+=(const LeastWork &other) {
    for (const auto &[name, member] : fields())
      this->*member += other.*member;
    return *this;
  }

  /// In both, module by module.
  LeastWork least(const LeastWork &other) const {
    LeastWork result;
    for (const auto &[name, member] : fields())
      result.*member = std::min(this->*member, other.*member);
    return result;
  }

  /// By the names that packages have for them.
  using Field = std::pair<const char *, uint64_t LeastWork::*>;
  static std::array<Field, 5> fields() {
    return {Field{"gemm", &LeastWork::gemm}, Field{"either", &LeastWork::either},
            Field{"vector", &LeastWork::vector}, Field{"read", &LeastWork::read},
            Field{"write", &LeastWork::write}};
  }
};

} // namespace daedalus::package

#endif
