// Random instructions: every field from its whole range, but mostly so that they fit the scratchpads, DRAM's
// limits and a length of some hundred cycles. Whether one fits is the caller's to check.
#pragma once

#include "cosim/random.h"
#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"

#include <array>
#include <vector>

namespace daedalus::cosim {

/// Rows that instructions use most, in the unit in which GEMM, VECTOR and STORE address the scope: at its
/// start, at its end and, where it has banks, around the border of the first two.
struct Window {
  int64_t first = 0, count = 0;
};
std::vector<Window> windowsOf(isa::Scope scope, const isa::Machine &machine);

struct InstructionLimits {
  uint32_t dramBytes = 16384; ///< behind each of the base registers 0 and 1
  unsigned iterations = 200;  ///< of a GEMM or VECTOR
};

class InstructionDraw {
public:
  InstructionDraw(const isa::Machine &machine, Random &random, InstructionLimits limits);

  isa::Instruction any();
  isa::Load load();
  isa::Gemm gemm();
  isa::Vector vector();
  isa::Store store();
  isa::Instruction nothing(isa::Module module); ///< NOP or MARK
  isa::Instruction wide();                      ///< loops of thousands of iterations, tiles from behind

private:
  template <class Loops> void drawCounts(Loops &loops, uint64_t most);
  template <class Loops, class Member>
  int64_t place(Loops &loops, Member stride, int64_t reach, int64_t extent, int64_t units, isa::Scope scope,
                int64_t grain = 1);
  int64_t unusedStride(int64_t most, int64_t grain);
  template <class Loops> uint32_t drawDram(Loops &loops, int64_t run);
  uint32_t drawRun();
  int64_t bytesOfOne();
  void drawPlaceInTensor(isa::Load &load);
  void drawFarRow(isa::Load &load);
  void drawFarRun(isa::Load &load);
  void drawParameters(isa::Load &load);
  void drawColumns(isa::Gemm &gemm);
  int64_t drawLine(const isa::Gemm &gemm);
  void placeInp(isa::Gemm &gemm);
  int32_t drawImmediate();
  void drawClamp(isa::Vector &vector);
  uint16_t operand(isa::Vector &vector, isa::Scope scope, int16_t isa::VectorLoop::*stride);
  void drawReduction(isa::Vector &vector);
  void makeInPlace(isa::Vector &vector);
  isa::Gemm longGemm(bool veryLong);
  isa::Vector longVector(bool veryLong);
  isa::Gemm tilesBackwards();
  isa::Load longLoad();
  isa::Store longStore();

  const isa::Machine &machine;
  Random &random;
  const InstructionLimits limits;
  std::array<std::vector<Window>, isa::ScopeCount> windows;
};

} // namespace daedalus::cosim
