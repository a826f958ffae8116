// Simulated cycles a second of `systemc` on the twelve convolutions of ResNet-18 in VTA's table
// (apache/tvm-vta), each compiled for `default`: with results, without, and with a profile. The conversions
// between NCHW and NHWC on the host's CPU are part of the time. Figures: docs/performance.md.
//
//   build/release/bin/convolutions_benchmark --benchmark_repetitions=5
//   --benchmark_report_aggregates_only=true
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/simulator/device.h"
#include "daedalus/simulator/profile.h"
#include "device_run.h"
#include "onnx_builder.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace daedalus::test {
namespace {

struct Convolution {
  int64_t size, in, out, kernel, stride;
};

constexpr Convolution convolutions[] = {{224, 3, 64, 7, 2},   {56, 64, 64, 3, 1},   {56, 64, 64, 1, 1},
                                        {56, 64, 128, 3, 2},  {56, 64, 128, 1, 2},  {28, 128, 128, 3, 1},
                                        {28, 128, 256, 3, 2}, {28, 128, 256, 1, 2}, {14, 256, 256, 3, 1},
                                        {14, 256, 512, 3, 2}, {14, 256, 512, 1, 2}, {7, 512, 512, 3, 1}};

std::string modelOf(const Convolution &c) {
  OnnxBuilder model;
  const int64_t pad = c.kernel / 2, size = (c.size + 2 * pad - c.kernel) / c.stride + 1;
  std::vector<int8_t> weights;
  uint32_t random = 1;
  for (int64_t i = 0; i < c.out * c.in * c.kernel * c.kernel; ++i)
    weights.push_back(static_cast<int8_t>((random = random * 1664525 + 1013904223) >> 24));
  const std::string x =
      model.dequantize(model.input("x", onnx::TensorProto::INT8, {1, c.in, c.size, c.size}), 0.05f, 3);
  const std::string w = model.weights({c.out, c.in, c.kernel, c.kernel}, weights, {0.01f}, 0);
  const std::string y = model.node("Conv", {x, w},
                                   {{"strides", std::vector<int64_t>{c.stride, c.stride}},
                                    {"pads", std::vector<int64_t>{pad, pad, pad, pad}}},
                                   "conv");
  model.output(model.quantize(y, 2.0f, 1), onnx::TensorProto::INT8, {1, c.out, size, size});
  return model.bytes();
}

/// The package of a convolution; an error ends the benchmark.
Result<package::Package> compile(const Convolution &convolution) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("convolutions_benchmark." + std::to_string(getpid()) + ".onnx"))
                               .string();
  std::ofstream(path, std::ios::binary) << modelOf(convolution);
  CompileOptions options;
  Result<Compiled> compiled = compileModel(path, options);
  std::filesystem::remove(path);
  if (!compiled)
    return error(compiled.error());
  return std::move(compiled->package);
}

constexpr uint32_t alignedUp(uint64_t bytes) {
  return static_cast<uint32_t>((bytes + 4095) / 4096 * 4096);
}

/// Constants, arena and program in DRAM, one behind the other, and the registers set for them.
void place(sim::Device &device, const package::Package &package) {
  namespace reg = isa::reg;
  const package::AcceleratorProgram &program = package.programs.at(0);
  const uint32_t arena = alignedUp(package.constants.size()), code = arena + alignedUp(package.arenaBytes);
  const Span<uint8_t> dram = device.dram();
  std::copy(package.constants.begin(), package.constants.end(), dram.begin());
  for (uint32_t i = arena; i < code; ++i)
    dram[i] = static_cast<uint8_t>(i * 37 >> 3);
  std::copy(program.words.begin(), program.words.end(), dram.begin() + code);
  const uint32_t bases[] = {0, arena};
  for (unsigned i = 0; i < 2; ++i) {
    device.writeRegister(reg::BaseLo + i * reg::BaseLoStep, bases[i]);
    device.writeRegister(reg::Limit + i * reg::LimitStep, program.bases[i].limit);
  }
  device.writeRegister(reg::ProgramLo, code);
  device.writeRegister(reg::ProgramLength,
                       static_cast<uint32_t>(program.words.size() / isa::InstructionBytes));
  device.writeRegister(reg::ProgramLimit, static_cast<uint32_t>(program.words.size()));
}

/// As `daedalus profile` runs it: timing only, with the profile of each run.
void profile(benchmark::State &state) {
  const auto package = compile(convolutions[state.range(0) - 1]);
  if (!package)
    return state.SkipWithError(package.error().c_str());
  const std::vector<uint8_t> &words = package->programs.at(0).words;
  const auto instructions = isa::decodeWords({words.data(), words.size()});
  sim::DeviceOptions options;
  options.timingOnly = true;
  const auto device = sim::createDevice("systemc", *isa::loadMachine("default"), options);
  place(**device, *package);
  sim::Profiler profiler;
  (*device)->trace(&profiler);
  runDevice(state, **device, [&](uint64_t cycles) {
    benchmark::DoNotOptimize(profiler.finish(*instructions, (*device)->events(), cycles));
  });
}

void run(benchmark::State &state, bool timingOnly) {
  const auto package = compile(convolutions[state.range(0) - 1]);
  if (!package)
    return state.SkipWithError(package.error().c_str());
  sim::DeviceOptions options;
  options.timingOnly = timingOnly;
  const auto device = sim::createDevice("systemc", *isa::loadMachine("default"), options);
  place(**device, *package);
  runDevice(state, **device);
}

BENCHMARK_CAPTURE(run, results, false)->DenseRange(1, 12)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, timing_only, true)->DenseRange(1, 12)->Unit(benchmark::kMillisecond);
BENCHMARK(profile)->DenseRange(1, 12)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace daedalus::test

BENCHMARK_MAIN();
