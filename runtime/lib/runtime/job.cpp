// The header and its steps are encoded in the order of the struct; the rest lies at multiples of 4096.
#include "job.h"

#include "daedalus/isa/instructions.h"
#include "daedalus/support/byte_stream.h"

#include "daedalus_soc.h"
#include "soc_job.h"

#include <algorithm>

namespace daedalus::runtime {
namespace {

using package::Step;

constexpr uint64_t alignment = 4096;
constexpr size_t checksumAt = 8; ///< of daedalus_job

/// Steps of the firmware: a Wait belongs to its Start.
bool isStep(const Step &step) {
  return step.kind != Step::Kind::Wait;
}

std::string nodeOf(const package::Package &package, const Step &step) {
  return step.layer == package::noLayer ? "" : package.layers[step.layer].node;
}

/// What the system cannot do: it has the accelerator, and a processor that copies.
Result<void> checkStep(const package::Package &package, const Step &step) {
  const auto isShared = [](const package::Ref &ref) { return package::isShared(ref.space); };
  const bool isRunnable =
      step.kind == Step::Kind::Start || step.kind == Step::Kind::Wait ||
      (step.kind == Step::Kind::Copy && isShared(step.inputs[0]) && isShared(step.outputs[0]));
  if (isRunnable)
    return {};
  const bool isCopy = step.kind == Step::Kind::Copy;
  const std::string target = step.layer == package::noLayer ? "" : package.layers[step.layer].target;
  return error("the firmware of a simulated system runs programs of the accelerator and copies, and node '" +
               nodeOf(package, step) + "' " +
               (isCopy ? "copies to or from a device" : "runs on the target '" + target + "'") +
               "; run the model on the engine systemc or rtl, or leave the node out of it");
}

/// The nodes of a program, at most a few: "conv1 to fc (17 layers)".
std::string describe(const package::Package &package, const package::AcceleratorProgram &program) {
  std::vector<uint32_t> layers;
  for (uint32_t layer : program.layerOfInstruction)
    if (layer != package::noLayer && std::find(layers.begin(), layers.end(), layer) == layers.end())
      layers.push_back(layer);
  if (layers.empty())
    return "program";
  const std::string first = package.layers[layers.front()].node, last = package.layers[layers.back()].node;
  return layers.size() == 1 ? first
                            : first + " to " + last + " (" + std::to_string(layers.size()) + " layers)";
}

uint64_t allocate(uint64_t &end, uint64_t bytes) {
  const uint64_t offset = end;
  end = (end + bytes + alignment - 1) / alignment * alignment;
  return offset;
}

uint32_t addressOf(uint64_t offset) {
  return static_cast<uint32_t>(DAEDALUS_SOC_DRAM + offset);
}

uint32_t addressOf(const Job &job, const package::Ref &ref) {
  return static_cast<uint32_t>((ref.space == package::Space::Arena ? job.arena : job.constants) + ref.offset);
}

void encodeStep(ByteWriter &out, const Job &job, const package::Package &package, const Step &step) {
  const bool isCopy = step.kind == Step::Kind::Copy;
  out.u32(isCopy ? DAEDALUS_STEP_COPY : DAEDALUS_STEP_RUN);
  out.u32(isCopy ? addressOf(job, step.inputs[0]) : 0);
  out.u32(isCopy ? addressOf(job, step.outputs[0]) : 0);
  out.u32(isCopy ? static_cast<uint32_t>(step.inputs[0].bytes) : 0);
  const package::AcceleratorProgram *program = isCopy ? nullptr : &package.programs[step.index];
  out.u32(program ? job.programs[step.index] : 0);
  out.u32(program ? static_cast<uint32_t>(program->words.size() / isa::InstructionBytes) : 0);
  out.u32(program ? program->bases[0].limit : 0);
  out.u32(program ? program->bases[1].limit : 0);
}

std::vector<uint8_t> encodeHeader(const Job &job, const package::Package &package,
                                  const package::Function &function) {
  ByteWriter out;
  out.u32(DAEDALUS_JOB_MAGIC);
  out.u32(static_cast<uint32_t>(job.checkedBytes));
  out.u32(0); // the checksum
  out.u32(static_cast<uint32_t>(job.stepNames.size()));
  out.u64(job.machineHash);
  out.u32(job.watchdogCycles);
  out.u32(job.constants);
  out.u32(job.arena);
  out.u32(job.result);
  out.u32(job.inferences);
  out.u32(0);
  for (const Step &step : function.steps)
    if (isStep(step))
      encodeStep(out, job, package, step);
  return out.bytes;
}

uint32_t wordAt(Span<const uint8_t> bytes, size_t offset) {
  return uint32_t(bytes[offset]) | uint32_t(bytes[offset + 1]) << 8 | uint32_t(bytes[offset + 2]) << 16 |
         uint32_t(bytes[offset + 3]) << 24;
}

void writeChecksum(Span<uint8_t> dram, uint64_t bytes) {
  uint32_t first = 0, second = 0;
  const Span<const uint8_t> words(dram.data(), dram.size());
  for (uint64_t offset = 0; offset < bytes; offset += 4)
    daedalus_job_add(&first, &second, wordAt(words, offset));
  for (unsigned byte = 0; byte < 4; ++byte)
    dram[checksumAt + byte] = static_cast<uint8_t>((first ^ second) >> 8 * byte);
}

} // namespace

Result<Job> layOut(const package::Package &package, const package::Function &function) {
  Job job;
  job.machineHash = package.machineHash;
  for (const Step &step : function.steps) {
    if (auto ok = checkStep(package, step); !ok)
      return error(ok.error());
    if (!isStep(step))
      continue;
    const bool isProgram = step.kind == Step::Kind::Start;
    job.isProgram.push_back(isProgram);
    job.stepNames.push_back(isProgram ? describe(package, package.programs[step.index])
                                      : "copy " + nodeOf(package, step));
  }
  if (job.stepNames.size() > DAEDALUS_JOB_STEPS)
    return error("the function '" + function.name + "' has " + std::to_string(job.stepNames.size()) +
                 " steps; the firmware of a simulated system runs at most " +
                 std::to_string(DAEDALUS_JOB_STEPS));
  uint64_t end = 0;
  allocate(end, sizeof(daedalus_job) + job.stepNames.size() * sizeof(daedalus_job_step));
  job.constants = addressOf(allocate(end, package.constants.size()));
  for (const package::AcceleratorProgram &program : package.programs)
    job.programs.push_back(addressOf(allocate(end, program.words.size())));
  job.checkedBytes = end;
  job.arena = addressOf(allocate(end, package.arenaBytes));
  job.result = addressOf(allocate(end, sizeof(daedalus_job_result)));
  job.bytes = end;
  if (end > DAEDALUS_SOC_DRAM_BYTES)
    return error("the package needs " + std::to_string(end) +
                 " bytes of DRAM; a simulated system has at most " +
                 std::to_string(uint64_t(DAEDALUS_SOC_DRAM_BYTES)));
  return job;
}

void writeJob(const Job &job, const package::Package &package, const package::Function &function,
              Span<uint8_t> dram) {
  const auto put = [&](const std::vector<uint8_t> &bytes, uint64_t address) {
    std::copy(bytes.begin(), bytes.end(), dram.begin() + (address - DAEDALUS_SOC_DRAM));
  };
  put(encodeHeader(job, package, function), DAEDALUS_SOC_DRAM);
  put(package.constants, job.constants);
  for (size_t i = 0; i < package.programs.size(); ++i)
    put(package.programs[i].words, job.programs[i]);
  writeChecksum(dram, job.checkedBytes);
}

std::vector<JobMark> readMarks(const Job &job, Span<const uint8_t> dram) {
  const size_t at = job.result - DAEDALUS_SOC_DRAM;
  std::vector<JobMark> marks(std::min(wordAt(dram, at), DAEDALUS_JOB_MARKS));
  for (size_t i = 0; i < marks.size(); ++i)
    marks[i] = {wordAt(dram, at + 4 + 4 * i), wordAt(dram, at + 4 + 4 * (DAEDALUS_JOB_MARKS + i))};
  return marks;
}

} // namespace daedalus::runtime
