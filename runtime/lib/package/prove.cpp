// One pass over the steps of each function with the sets of bytes written so far in the call, one for the
// arena and for each device's memory, and the effects of the program that is running.

#include "daedalus/package/prove.h"

namespace daedalus::package {
namespace {

/// Ranges of programs followed, over all functions: so many, and so many more for each step.
constexpr uint64_t rangesOfPackage = uint64_t(1) << 20, rangesOfStep = 1024;

std::string bytesOf(isa::Range range) {
  return range.end - range.begin == 1
             ? "byte " + std::to_string(range.begin)
             : "bytes " + std::to_string(range.begin) + " to " + std::to_string(range.end - 1);
}

isa::Range rangeOf(uint64_t offset, uint64_t bytes) {
  return {static_cast<int64_t>(offset), static_cast<int64_t>(offset + bytes)};
}

class FunctionProof {
public:
  FunctionProof(const Package &package, const Function &function, Span<const isa::MemoryEffects> effects,
                uint64_t &ranges, std::vector<StepFinding> &findings)
      : package(package), function(function), effects(effects), ranges(ranges), findings(findings),
        written(static_cast<size_t>(memoryOf(package.devices.size()))), ended(effects.size()) {}

  void run() {
    for (const Value &input : function.inputs)
      writtenIn(Space::Arena).add(rangeOf(input.offset, byteSize(input.type)));
    for (at = 0; at < function.steps.size(); ++at)
      visit(function.steps[at]);
    at = StepFinding::End;
    for (const Value &output : function.outputs)
      if (const auto part = writtenIn(Space::Arena).missing(rangeOf(output.offset, byteSize(output.type))))
        add("unwritten_output", "nothing writes " + bytesOf(*part) + " of the arena, which its output '" +
                                    output.name + "' returns");
  }

private:
  void visit(const Step &step) {
    if (step.kind == Step::Kind::Start) {
      running = &step;
      if (!ended[step.index])
        start(step);
    } else if (step.kind == Step::Kind::Wait) {
      if (!ended[step.index])
        writtenIn(Space::Arena).add(effects[step.index].writes);
      ended[step.index] = true;
      running = nullptr;
    } else {
      visitHost(step);
    }
  }

  /// The first start in a call: what the program reads must have been written, and stays so.
  void start(const Step &step) {
    const isa::MemoryEffects &program = effects[step.index];
    const uint64_t more = program.reads.size() + program.writes.size();
    if (more > ranges) {
      if (ranges)
        add("too_costly",
            "starts accelerator program " + std::to_string(step.index) +
                ", and the programs of the package then touch more separate ranges of the arena "
                "than can be followed: let them read and write larger pieces");
      ranges = 0;
      return;
    }
    ranges -= more;
    for (const auto &[begin, end] : program.reads)
      checkWritten(Space::Arena, {begin, end});
  }

  /// A kernel on the CPU or a device, an external function or a copy.
  void visitHost(const Step &step) {
    for (const Ref &input : step.inputs)
      if (input.space != Space::Constants && checkRace(input, false))
        checkWritten(input.space, rangeOf(input.offset, input.bytes));
    for (const Ref &output : step.outputs) {
      checkRace(output, true);
      writtenIn(output.space).add(rangeOf(output.offset, output.bytes));
    }
  }

  isa::RangeSet &writtenIn(Space space) { return written[static_cast<size_t>(space)]; }

  void checkWritten(Space space, isa::Range range) {
    const auto part = writtenIn(space).missing(range);
    if (!part)
      return;
    add("unwritten_bytes", "reads " + bytesOf(*part) + " of " + describe(package, space) +
                               ", which nothing wrote before in this call: it would see what an earlier call "
                               "left there");
    writtenIn(space).add(range); // said once
  }

  /// False where there is a race, and then it was said.
  bool checkRace(const Ref &operand, bool isWrite) {
    if (!running || operand.space != Space::Arena)
      return true;
    const isa::Range range = rangeOf(operand.offset, operand.bytes);
    const isa::MemoryEffects &program = effects[running->index];
    const auto both = program.writes.common(range);
    const auto read = isWrite && !both ? program.reads.common(range) : std::nullopt;
    if (!both && !read)
      return true;
    add("host_race", std::string(isWrite ? "writes " : "reads ") + bytesOf(both ? *both : *read) +
                         " of the arena while accelerator program " + std::to_string(running->index) +
                         layerOf(*running) + ", which " + (both ? "writes" : "reads") +
                         " them, is running: it must come after the wait for that program");
    return false;
  }

  std::string layerOf(const Step &step) const {
    return step.layer == noLayer ? "" : " (layer '" + package.layers[step.layer].node + "')";
  }

  void add(const char *cause, const std::string &what) {
    std::string where = "function '" + function.name + "'";
    where +=
        at == StepFinding::End ? ": " : ", step " + std::to_string(at) + layerOf(function.steps[at]) + " ";
    findings.push_back({function.name, at, cause, where + what});
  }

  const Package &package;
  const Function &function;
  Span<const isa::MemoryEffects> effects;
  uint64_t &ranges; // that may still be followed
  std::vector<StepFinding> &findings;
  std::vector<isa::RangeSet> written; // bytes of each space, in this call
  std::vector<bool> ended;            // programs whose effects are in `written`
  const Step *running = nullptr;      // the Start whose Wait is still to come
  size_t at = 0;
};

} // namespace

std::vector<StepFinding> proveSteps(const Package &package, Span<const isa::MemoryEffects> effects,
                                    size_t most) {
  std::vector<StepFinding> findings;
  uint64_t ranges = rangesOfPackage;
  for (const Function &function : package.functions)
    ranges += function.steps.size() * rangesOfStep;
  for (const Function &function : package.functions)
    if (findings.size() < most && ranges)
      FunctionProof(package, function, effects, ranges, findings).run();
  findings.resize(std::min(findings.size(), most));
  return findings;
}

Result<void> prove(const Package &package, const isa::Machine *machine) {
  std::vector<isa::MemoryEffects> effects;
  for (size_t i = 0; i < package.programs.size(); ++i) {
    const AcceleratorProgram &source = package.programs[i];
    const std::string name = "accelerator program " + std::to_string(i) + " of the package";
    auto instructions = isa::decodeWords(source.words);
    if (!instructions)
      return error(name + " cannot be decoded: " + instructions.error());
    const isa::Program program{package.machineName, package.machineHash, source.bases,
                               std::move(*instructions)};
    isa::Proof proof = isa::prove(program, *machine, 1);
    if (!proof.findings.empty())
      return error(name + " is not legal: " + proof.findings[0].message);
    effects.push_back(std::move(proof.effects[arenaBase]));
  }
  const std::vector<StepFinding> findings = proveSteps(package, effects, 1);
  if (!findings.empty())
    return error("the package is not legal: " + findings[0].message);
  return {};
}

} // namespace daedalus::package
