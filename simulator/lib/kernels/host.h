// One body, compiled for several levels of the host's CPU and chosen at run time.
//
//   DAEDALUS_KERNEL_LEVELS(run, body, (const Job &job), (job))
//
// defines run(job), which calls the always-inline body(job) compiled for AVX-512, AVX2 or the base level.
#pragma once

#define DAEDALUS_ALWAYS_INLINE inline __attribute__((always_inline))

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DAEDALUS_KERNEL_LEVELS(run, body, parameters, arguments)                                                       \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma"))) void run##Avx512 parameters { body arguments; }   \
  __attribute__((target("avx2,fma"))) void run##Avx2 parameters { body arguments; }                                   \
  void run##Base parameters { body arguments; }                                                                        \
  void run parameters {                                                                                                \
    static const int level = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&              \
                                     __builtin_cpu_supports("avx512vl")                                                \
                                 ? 2                                                                                   \
                             : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 1                     \
                                                                                               : 0;                    \
    level == 2 ? run##Avx512 arguments : level == 1 ? run##Avx2 arguments : run##Base arguments;                       \
  }
#else
#define DAEDALUS_KERNEL_LEVELS(run, body, parameters, arguments)                                                       \
  void run parameters { body arguments; }
#endif
