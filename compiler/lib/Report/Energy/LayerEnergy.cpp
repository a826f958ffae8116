// See LayerEnergy.h.
#include "Report/Energy/LayerEnergy.h"
#include "Tuning/Costs.h"

#include "daedalus/isa/encoding.h"
#include "daedalus/isa/timing.h"

#include <algorithm>

namespace daedalus::report {
namespace {

using isa::Scope;

/// What is counted for one instruction.
class Counter {
public:
  Counter(const isa::Machine &machine, const EnergyTable &table) : m(machine), table(table) {
    for (unsigned scope = 0; scope < isa::ScopeCount; ++scope)
      if (const uint32_t size = m.bytes(Scope(scope)))
        ofByte[scope] = table.sramByte(static_cast<double>(size) / m.banks(Scope(scope)));
  }

  Energy of(const isa::Instruction &instruction) {
    energy = {};
    std::visit(*this, instruction);
    energy.dram += isa::InstructionBytes * table.dram; // FETCH reads it
    return energy;
  }

  void operator()(const isa::Gemm &gemm) {
    const double rows = static_cast<double>(isa::iterationsOf(gemm.loops)), n = m.n;
    energy.array += rows * n * n * table.multiplyAccumulate;
    access(Scope::Inp, static_cast<double>(isa::gemmCycles(gemm)) * n * std::max<unsigned>(gemm.window, 1));
    access(Scope::Wgt, rows * n * n);
    access(Scope::Acc, rows * 2 * 4 * n); // a sum is read and written
  }

  void operator()(const isa::Vector &vector) {
    const double rows = static_cast<double>(isa::iterationsOf(vector.loops)), n = m.n;
    const bool multiplies =
        isa::requantizes(vector.op) || vector.op == isa::VectorOp::Mul || vector.op == isa::VectorOp::Mac;
    energy.vector += rows * n * (multiplies ? table.multiply : table.add);
    for (Scope scope : {vector.aScope, vector.bScope, vector.dstScope})
      access(scope, rows * rowBytes(scope));
    if (vector.reduction || vector.accumulate)
      access(vector.dstScope, rows * rowBytes(vector.dstScope)); // the old destination
    if (isa::looksUp(vector.op))
      access(Scope::Lut, rows * n);
  }

  void operator()(const isa::Load &load) {
    isa::LoadSegments segments(load, m, 0);
    for (isa::LoadSegment segment; segments.next(segment);) {
      access(load.scope, segment.bytes);
      if (segment.kind == isa::LoadSegment::Kind::Burst)
        energy.dram += segment.bytes * table.dram;
    }
  }

  void operator()(const isa::Store &store) {
    isa::StoreSegments segments(store, m, 0);
    for (isa::StoreSegment segment; segments.next(segment);) {
      access(Scope::Out, segment.bytes);
      energy.dram += segment.bytes * table.dram;
    }
  }

  template <class Other> void operator()(const Other &) {}

private:
  double rowBytes(Scope scope) const {
    return scope == Scope::Acc ? 4.0 * m.n : scope == Scope::Param ? 16.0 * m.n : m.n;
  }

  void access(Scope scope, double bytes) { energy.scratchpads += bytes * ofByte[static_cast<size_t>(scope)]; }

  const isa::Machine &m;
  const EnergyTable &table;
  std::array<double, isa::ScopeCount> ofByte{}; ///< of each scope
  Energy energy;
};

} // namespace

Energy &Energy::operator+=(const Energy &other) {
  array += other.array, vector += other.vector, scratchpads += other.scratchpads, dram += other.dram;
  return *this;
}

Energy energyOf(const isa::Instruction &instruction, const isa::Machine &machine, const EnergyTable &table) {
  return Counter(machine, table).of(instruction);
}

std::vector<Energy> layerEnergies(const package::Package &package, const isa::Machine &machine,
                                  const EnergyTable &table) {
  std::vector<Energy> layers(package.layers.size() + 1);
  if (package.functions.empty())
    return layers;
  Counter counter(machine, table);
  for (const package::Step &step : package.functions.front().steps) {
    if (step.kind != package::Step::Kind::Start)
      continue;
    const package::AcceleratorProgram &program = package.programs[step.index];
    const auto instructions = *isa::decodeWords(program.words);
    for (size_t i = 0; i < instructions.size(); ++i) {
      const uint32_t layer = tuning::layerOf(program, i);
      layers[layer == package::noLayer ? package.layers.size() : layer] += counter.of(instructions[i]);
    }
  }
  return layers;
}

} // namespace daedalus::report
