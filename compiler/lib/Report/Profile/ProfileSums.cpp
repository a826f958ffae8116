#include "Report/Profile/ProfileSums.h"
#include "Tuning/Costs.h"

#include <numeric>

namespace daedalus::report {
namespace {

using isa::CounterModule;

uint64_t sum(const sim::ClassCycles &cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), uint64_t(0));
}

void add(sim::ClassCycles &to, const sim::ClassCycles &cycles) {
  for (size_t c = 0; c < cycles.size(); ++c)
    to[c] += cycles[c];
}

class Sums {
public:
  explicit Sums(const package::Package &package) : package(package), all(package.layers.size() + 1) {}

  void addRun(const runtime::ProgramProfile &run) {
    const package::AcceleratorProgram &program = package.programs[run.program];
    const sim::Profile &profile = *run.profile;
    for (uint32_t i = 0; i < profile.instructions.size(); ++i) {
      const sim::InstructionCycles &cycles = profile.instructions[i];
      ProfileSums &sums = of(program, i);
      add(sums.modules[size_t(CounterModule::Fetch)], cycles.fetch);
      add(sums.modules[size_t(cycles.module)], cycles.own);
      ++sums.instructions;
    }
    for (size_t module = 0; module < profile.behind.size(); ++module)
      add(all.back().modules[module], profile.behind[module]);
    for (const sim::PathSegment &segment : profile.path)
      of(program, segment.instruction).path[size_t(segment.module)][size_t(segment.what)] +=
          segment.end - segment.first;
  }

  std::vector<ProfileSums> take() { return std::move(all); }

private:
  ProfileSums &of(const package::AcceleratorProgram &program, uint32_t instruction) {
    const uint32_t layer = tuning::layerOf(program, instruction);
    return layer == package::noLayer ? all.back() : all[layer];
  }

  const package::Package &package;
  std::vector<ProfileSums> all;
};

} // namespace

uint64_t ProfileSums::pathCycles() const {
  uint64_t cycles = 0;
  for (const sim::ClassCycles &module : path)
    cycles += sum(module);
  return cycles;
}

ProfileSums &ProfileSums::operator+=(const ProfileSums &other) {
  for (size_t m = 0; m < modules.size(); ++m) {
    add(modules[m], other.modules[m]);
    add(path[m], other.path[m]);
  }
  instructions += other.instructions;
  return *this;
}

std::vector<ProfileSums> profileSums(const runtime::RunResult &result, const package::Package &package) {
  Sums sums(package);
  for (const runtime::ProgramProfile &run : result.profiles)
    sums.addRun(run);
  return sums.take();
}

} // namespace daedalus::report
