// How little memory the steps need, and what takes the most memory where a limit is exceeded.

#include "Plan.h"

#include "daedalus/isa/encoding.h"
#include "daedalus/support/decimal.h"

#include <algorithm>

namespace daedalus::firmware {
namespace {

using package::Ref;
using package::Step;

/// A tensor in the arena: its bytes, and the steps from that which writes it to the last that reads it.
struct Life {
  uint64_t begin, end;
  size_t first, last;
  bool isOfStream; ///< an accelerator's program writes it
};

class Lives {
public:
  void write(uint64_t begin, uint64_t bytes, size_t step, bool isOfStream) {
    lives.push_back({begin, begin + bytes, step, step, isOfStream});
  }

  /// What was written to any of the bytes last is read.
  void read(uint64_t begin, uint64_t bytes, size_t step) {
    for (auto life = lives.rbegin(); life != lives.rend(); ++life)
      if (life->begin < begin + bytes && begin < life->end) {
        life->last = step;
        if (life->begin <= begin && begin + bytes <= life->end)
          return;
      }
  }

  std::vector<Life> lives;
};

/// Bytes of the union of ranges.
uint64_t unionBytes(std::vector<std::pair<uint64_t, uint64_t>> ranges) {
  std::sort(ranges.begin(), ranges.end());
  uint64_t bytes = 0, covered = 0;
  for (const auto &[begin, end] : ranges) {
    bytes += end > covered ? end - std::max(begin, covered) : 0;
    covered = std::max(covered, end);
  }
  return bytes;
}

struct Tensor {
  uint64_t bytes;
  std::string name;
};

/// The largest ones first, each name once.
std::string largest(std::vector<Tensor> tensors) {
  constexpr size_t listed = 3;
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const Tensor &a, const Tensor &b) { return a.bytes > b.bytes; });
  std::vector<std::string> names;
  std::string text;
  for (const Tensor &tensor : tensors) {
    if (names.size() == listed || std::find(names.begin(), names.end(), tensor.name) != names.end())
      continue;
    names.push_back(tensor.name);
    text += (text.empty() ? "" : ", ") + tensor.name + " (" + grouped(tensor.bytes) + ")";
  }
  return text;
}

/// What an instruction stores in all of its iterations.
uint64_t storedBytes(const isa::Instruction &instruction) {
  const auto *store = std::get_if<isa::Store>(&instruction);
  if (!store)
    return 0;
  uint64_t bytes = store->runBytes;
  for (const auto &loop : store->loops)
    bytes *= loop.count;
  return bytes;
}

/// What the layers of the accelerator's programs write, by layer.
std::vector<Tensor> storedTensors(const package::Package &package) {
  std::vector<Tensor> tensors(package.layers.size(), {0, ""});
  for (const package::AcceleratorProgram &program : package.programs) {
    const auto instructions = isa::decodeWords(program.words);
    for (size_t i = 0; instructions && i < instructions->size(); ++i)
      if (const uint32_t layer = program.layerOfInstruction[i]; layer != package::noLayer)
        tensors[layer].bytes += storedBytes((*instructions)[i]);
  }
  for (size_t layer = 0; layer < tensors.size(); ++layer)
    tensors[layer].name = "the output of '" + package.layers[layer].node + "'";
  return tensors;
}

/// What each program writes.
std::vector<uint64_t> storedByPrograms(const package::Package &package) {
  std::vector<uint64_t> bytes;
  for (const package::AcceleratorProgram &program : package.programs) {
    bytes.push_back(0);
    if (const auto instructions = isa::decodeWords(program.words))
      for (const isa::Instruction &instruction : *instructions)
        bytes.back() += storedBytes(instruction);
  }
  return bytes;
}

/// Inputs are written in front of the first step, outputs are read behind the last.
std::vector<Life> livesOf(const package::Function &function) {
  Lives lives;
  for (const package::Value &value : function.inputs)
    lives.write(value.offset, byteSize(value.type), 0, false);
  for (size_t i = 0; i < function.steps.size(); ++i) {
    const Step &step = function.steps[i];
    for (const Ref &ref : step.inputs)
      if (ref.space == package::Space::Arena)
        lives.read(ref.offset, ref.bytes, i);
    for (const Ref &ref : step.outputs)
      lives.write(ref.offset, ref.bytes, i, step.kind == Step::Kind::Start);
  }
  for (const package::Value &value : function.outputs)
    lives.read(value.offset, byteSize(value.type), function.steps.size());
  return std::move(lives.lives);
}

std::vector<Tensor> arenaTensors(const Plan &plan) {
  std::vector<Tensor> tensors = storedTensors(plan.package);
  for (const package::Value &value : plan.function().inputs)
    tensors.push_back({byteSize(value.type), "the input '" + value.name + "'"});
  for (const Step &step : plan.function().steps)
    if (step.kind == Step::Kind::CallKernel)
      for (const Ref &ref : step.outputs)
        tensors.push_back({ref.bytes, "the output of '" + nodeOf(plan, step) + "'"});
  return tensors;
}

std::vector<Tensor> constantTensors(const Plan &plan) {
  std::vector<Tensor> tensors;
  for (const Step &step : plan.function().steps)
    for (const Ref &ref : step.inputs)
      if (ref.space == package::Space::Constants)
        tensors.push_back({ref.bytes, "a constant of '" + nodeOf(plan, step) + "'"});
  uint64_t streams = 0;
  for (const package::AcceleratorProgram &program : plan.package.programs) {
    streams = std::max<uint64_t>(streams, program.bases[0].limit);
    tensors.push_back({program.words.size(), "a program of the accelerator"});
  }
  if (streams)
    tensors.push_back({streams, "the accelerator's constants"});
  return tensors;
}

} // namespace

uint64_t leastArena(const package::Package &package) {
  const package::Function &function = package.functions.front();
  const std::vector<uint64_t> stored = storedByPrograms(package);
  const std::vector<Life> lives = livesOf(function);
  uint64_t least = 0;
  for (size_t i = 0; i < function.steps.size(); ++i) {
    const bool isStream = function.steps[i].kind == Step::Kind::Start;
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    for (const Life &life : lives)
      if (life.first <= i && i <= life.last && !(isStream && life.isOfStream && life.first == i))
        ranges.push_back({life.begin, life.end});
    least = std::max(least, unionBytes(std::move(ranges)) + (isStream ? stored[function.steps[i].index] : 0));
  }
  return least;
}

Result<void> checkLimits(const Plan &plan) {
  const uint64_t flash = plan.blob.size() + plan.kernels.textBytes + plan.kernels.constantBytes;
  if (plan.options.arenaLimit && plan.package.arenaBytes > *plan.options.arenaLimit)
    return error(
        "the arena takes " + grouped(plan.package.arenaBytes) + " bytes, more than --arena-limit " +
        grouped(*plan.options.arenaLimit) + "; the largest tensors are " + largest(arenaTensors(plan)) +
        "; a smaller input, fewer channels in these layers, or int8 in the place of float32 lower it");
  if (plan.options.flashLimit && flash > *plan.options.flashLimit)
    return error("blob and kernels take " + grouped(flash) + " bytes, more than --flash-limit " +
                 grouped(*plan.options.flashLimit) + "; the largest parts are " +
                 largest(constantTensors(plan)) +
                 "; fewer channels or int8 in the place of float32 lower it");
  return {};
}

} // namespace daedalus::firmware
