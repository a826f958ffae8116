// One body, compiled for several levels of the host's CPU and chosen at run time.
//
//   DAEDALUS_KERNEL_LEVELS(run, body, (const Job &job), (job))
//
// defines run(job), which calls the always-inline body(job) compiled for the level in use.
#pragma once

namespace daedalus::sim::kernels {

/// Vnni is Avx512 with dot products of bytes, which GEMM alone uses.
enum class Level { Base, Avx2, Avx512, Vnni };

/// The highest level of this host's CPU.
Level hostLevel();
/// The level in use: the host's, unless a test has chosen a lower one.
Level levelInUse();
void useLevel(Level level);

} // namespace daedalus::sim::kernels

#define DAEDALUS_ALWAYS_INLINE inline __attribute__((always_inline))

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DAEDALUS_KERNEL_LEVELS(run, body, parameters, arguments)                                             \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma"))) void run##Avx512 parameters {            \
    body arguments;                                                                                          \
  }                                                                                                          \
  __attribute__((target("avx2,fma"))) void run##Avx2 parameters {                                            \
    body arguments;                                                                                          \
  }                                                                                                          \
  void run##Base parameters {                                                                                \
    body arguments;                                                                                          \
  }                                                                                                          \
  void run parameters {                                                                                      \
    switch (levelInUse()) {                                                                                  \
    case Level::Vnni:                                                                                        \
    case Level::Avx512:                                                                                      \
      return run##Avx512 arguments;                                                                          \
    case Level::Avx2:                                                                                        \
      return run##Avx2 arguments;                                                                            \
    case Level::Base:                                                                                        \
      return run##Base arguments;                                                                            \
    }                                                                                                        \
  }
#else
#define DAEDALUS_KERNEL_LEVELS(run, body, parameters, arguments)                                             \
  void run parameters {                                                                                      \
    body arguments;                                                                                          \
  }
#endif

/// For a template `run<N>(const Job &)`: `runRows(n, job)` runs it for rows of n on the host's level; false
/// where no kernel is compiled for rows of n.
#define DAEDALUS_KERNEL_WIDTHS(Job)                                                                          \
  DAEDALUS_KERNEL_LEVELS(run8, run<8>, (const Job &job), (job))                                              \
  DAEDALUS_KERNEL_LEVELS(run16, run<16>, (const Job &job), (job))                                            \
  DAEDALUS_KERNEL_LEVELS(run32, run<32>, (const Job &job), (job))                                            \
  DAEDALUS_KERNEL_LEVELS(run64, run<64>, (const Job &job), (job))                                            \
  bool runRows(unsigned n, const Job &job) {                                                                 \
    switch (n) {                                                                                             \
    case 8:                                                                                                  \
      return run8(job), true;                                                                                \
    case 16:                                                                                                 \
      return run16(job), true;                                                                               \
    case 32:                                                                                                 \
      return run32(job), true;                                                                               \
    case 64:                                                                                                 \
      return run64(job), true;                                                                               \
    default:                                                                                                 \
      return false;                                                                                          \
    }                                                                                                        \
  }
