// How fast the engines are, on a convolution of 56 x 56 pixels, 64 to 64 channels, 3 x 3 (conv_program.h),
// and on an image of examples/digits: simulated cycles and multiply-accumulates a second of host time.
// Figures: docs/performance.md.
//
//   build/release/bin/simulator_benchmark --benchmark_repetitions=5
#include "benchmarks/conv_program.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/runtime/session.h"
#include "daedalus/simulator/device.h"
#include "device_run.h"

#include <benchmark/benchmark.h>

#include <algorithm>

namespace daedalus::testing {
namespace {

constexpr uint32_t Code = 0, Constants = 0x10000, Arena = 0x100000;

void writeInputs(Span<uint8_t> dram, const ConvProgram &conv) {
  uint32_t state = 1;
  for (uint32_t i = 0; i < conv.constantBytes; ++i)
    dram[Constants + i] = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  for (uint32_t i = 0; i < conv.outputOffset; ++i)
    dram[Arena + i] = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
}

void setRegisters(sim::Device &device, const ConvProgram &conv) {
  namespace reg = isa::reg;
  const uint32_t base[] = {Constants, Arena}, limit[] = {conv.constantBytes, conv.arenaBytes};
  for (unsigned i = 0; i < 2; ++i) {
    device.writeRegister(reg::BaseLo + i * reg::BaseLoStep, base[i]);
    device.writeRegister(reg::Limit + i * reg::LimitStep, limit[i]);
  }
  device.writeRegister(reg::ProgramLo, Code);
  device.writeRegister(reg::ProgramLength, static_cast<uint32_t>(conv.instructions.size()));
  device.writeRegister(reg::ProgramLimit,
                       static_cast<uint32_t>(conv.instructions.size() * isa::InstructionBytes));
}

void convolution(benchmark::State &state, const char *engine, bool timingOnly) {
  const auto machine = isa::loadMachine("default");
  const ConvProgram conv = convProgram(*machine);
  sim::DeviceOptions options;
  options.timingOnly = timingOnly;
  auto device = sim::createDevice(engine, *machine, options);
  writeInputs((*device)->dram(), conv);
  const std::vector<uint8_t> words = isa::encodeWords(conv.instructions);
  std::copy(words.begin(), words.end(), (*device)->dram().begin() + Code);
  setRegisters(**device, conv);
  test::runDevice(state, **device);
  if (!timingOnly)
    state.counters["MACs_per_second"] =
        benchmark::Counter(double(conv.macs()), benchmark::Counter::kIsIterationInvariantRate);
}

void digits(benchmark::State &state, const char *engine) {
  CompileOptions options;
  options.target = "accelerator";
  Result<Compiled> compiled = compileModel(DAEDALUS_SOURCE_DIR "/examples/digits/digits.onnx", options);
  runtime::SessionOptions sessionOptions;
  sessionOptions.engine = engine;
  auto session = runtime::Session::create(std::move(compiled->package), sessionOptions);
  const auto &input = (*(*session)->function(0))->inputs[0];
  const std::vector<runtime::Tensor> image = {
      {"", input.type, std::vector<uint8_t>(package::byteSize(input.type), 3)}};
  double cycles = 0;
  for (auto _ : state) {
    const auto result = (*session)->run(0, image);
    if (!result)
      state.SkipWithError(result.error().c_str());
    else
      cycles = double(result->cycles);
  }
  state.counters["simulated_cycles"] = cycles;
  state.counters["cycles_per_second"] =
      benchmark::Counter(cycles, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(convolution, functional, "functional", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(convolution, systemc, "systemc", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(convolution, rtl, "rtl", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(digits, systemc, "systemc")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(digits, rtl, "rtl")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(convolution, systemc_timing_only, "systemc", true)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace daedalus::testing

BENCHMARK_MAIN();
