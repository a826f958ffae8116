// Seeded random legal programs: every instruction, every form of VECTOR, fields at and near their limits,
// padding, tail fill, diagonal tiles, tokens from as few as needed to every order that there is. What is made
// passes the verifier, so every engine must run it to its end with the same bytes.
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
  bool extraTokens = true;    ///< one instruction in four waits for one more than it needs to
  bool tight = false;         ///< every instruction waits for all before it
  unsigned wide = 0;          ///< so many more instructions with loops of thousands of iterations
  unsigned debt = 0;          ///< so many tokens are given before the first of them is taken
};

struct RandomProgram {
  isa::Program program;           ///< base register 0 is only read, 1 is read and written
  std::vector<uint8_t> constants; ///< what lies at base register 0: rows of PARAM, then anything
  std::vector<uint8_t> arena;     ///< and at base register 1, before the run
};

/// The same program for the same machine, seed and options, on every host.
RandomProgram randomProgram(const isa::Machine &machine, uint64_t seed, const ProgramOptions &options = {});

} // namespace daedalus::cosim
