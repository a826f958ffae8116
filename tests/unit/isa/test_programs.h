// Short ways to write instructions and programs in these tests.
#pragma once

#include "daedalus/isa/verify.h"

#include <gtest/gtest.h>

namespace daedalus::isa {

inline Machine machineNamed(const std::string &name) {
  Result<Machine> machine = loadMachine(name);
  EXPECT_TRUE(machine) << (machine ? "" : machine.error());
  return *machine;
}

/// A program for the machine with base register 0 (read-only) and 1 of 64 KiB each.
inline Program programFor(const Machine &machine, std::vector<Instruction> instructions) {
  Program program;
  program.machineName = machine.name;
  program.machineHash = machine.hash();
  program.bases[0] = {65536, true};
  program.bases[1] = {65536, false};
  program.instructions = std::move(instructions);
  return program;
}

inline uint8_t bits(std::initializer_list<Module> modules) {
  uint8_t mask = 0;
  for (Module module : modules)
    mask |= static_cast<uint8_t>(1u << static_cast<unsigned>(module));
  return mask;
}

/// Any instruction with these token masks.
template <class I>
I tokens(I instruction, std::initializer_list<Module> wait, std::initializer_list<Module> signal) {
  instruction.wait = bits(wait);
  instruction.signal = bits(signal);
  return instruction;
}

/// Loads `bytes` contiguous bytes from base register 0 to byte `dst` of the scope.
inline Load loadTo(Scope scope, uint32_t dst, uint16_t bytes, uint8_t base = 0, uint32_t offset = 0) {
  Load load;
  load.scope = scope;
  load.dst = dst;
  load.runBytes = bytes;
  load.base = base;
  load.offset = offset;
  load.unbounded = true;
  return load;
}

/// Moves one row.
inline Vector moveRow(Scope from, uint16_t a, Scope to, uint16_t dst) {
  Vector vector;
  vector.op = VectorOp::Mov;
  vector.aScope = from;
  vector.dstScope = to;
  vector.a = a;
  vector.dst = dst;
  return vector;
}

inline Gemm product(uint16_t inp, uint16_t wgt, uint16_t acc) {
  Gemm gemm;
  gemm.inp = inp;
  gemm.wgt = wgt;
  gemm.acc = acc;
  return gemm;
}

inline Store storeRow(uint16_t src, uint16_t bytes, uint32_t offset = 0, uint8_t base = 1) {
  Store store;
  store.src = src;
  store.runBytes = bytes;
  store.offset = offset;
  store.base = base;
  return store;
}

} // namespace daedalus::isa
