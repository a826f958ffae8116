// Seeded random legal programs: every instruction, every form of VECTOR, odd loops, negative strides,
// padding, tail fill, diagonal tiles, needed and additional tokens. What is made passes the verifier, so
// every engine must run it to its end with the same bytes.
//
//   #include "daedalus/simulator/random_program.h"
//   RandomProgram random = randomProgram(machine, seed);
#pragma once

#include "daedalus/isa/program.h"

#include <cstdint>
#include <vector>

namespace daedalus::cosim {

struct ProgramOptions {
  unsigned instructions = 40; ///< between those that fill the scratchpads at the start and finish
  uint32_t dramBytes = 16384; ///< of each of the two base registers; at least 16384
  unsigned iterations = 200;  ///< of one GEMM or VECTOR at most
  bool extraTokens = true;
};

struct RandomProgram {
  isa::Program program;           ///< base register 0 is only read, 1 is read and written
  std::vector<uint8_t> constants; ///< what lies at base register 0
  std::vector<uint8_t> arena;     ///< and at base register 1, before the run
};

/// Random bytes, the first of the constants being sound and some extreme rows of PARAM.
struct RandomData {
  std::vector<uint8_t> constants, arena;
};
RandomData randomData(uint32_t bytesOfEach, uint64_t seed);

/// The same program for the same machine, seed and options, on every host.
RandomProgram randomProgram(const isa::Machine &machine, uint64_t seed, const ProgramOptions &options = {});

} // namespace daedalus::cosim
