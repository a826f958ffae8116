// Differential test of everything: seeded random quantized graphs, compiled for each of the four machines
// in turn and run on functional and systemc (on tiny on rtl too), and compiled for the CPU, must give the
// bytes of the plain reference. A failure prints its seed and graph; randomGraph(seed) makes it again. The
// environment variable DAEDALUS_RANDOM_GRAPHS=FIRST:COUNT runs other seeds than the suite's 0:100.
#include "cpu_setting.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/Target/CUDA/Settings.h"
#include "daedalus/runtime/drivers.h"
#include "daedalus/runtime/session.h"
#include "float_definition.h"
#include "graph_to_onnx.h"
#include "random_graph.h"
#include "reference.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace daedalus::testing {
namespace {

// The seeds to run, [first, second).
std::pair<uint64_t, uint64_t> seeds() {
  unsigned long long first = 0, count = 100;
  if (const char *wanted = std::getenv("DAEDALUS_RANDOM_GRAPHS"))
    std::sscanf(wanted, "%llu:%llu", &first, &count);
  return {first, first + count};
}

constexpr const char *machines[] = {"default", "vta", "tiny", "large"};

// A file that vanishes with the object.
class TemporaryModel {
public:
  explicit TemporaryModel(const std::string &bytes)
      : path((std::filesystem::temp_directory_path() / ("random_graph." + std::to_string(getpid()) + ".onnx"))
                 .string()) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~TemporaryModel() { std::filesystem::remove(path); }
  const std::string path;
};

/// As the model has them: uint8 is 128 more.
std::vector<uint8_t> asBytes(const std::vector<int8_t> &values, bool isUnsigned) {
  std::vector<uint8_t> bytes(values.begin(), values.end());
  for (uint8_t &byte : bytes)
    byte ^= isUnsigned ? 0x80 : 0;
  return bytes;
}

// The first place where the bytes differ, as a message; empty where there is none.
std::string difference(runtime::Tensor found, const std::vector<int8_t> &expected) {
  if (found.type.dtype == package::DType::U8)
    for (uint8_t &byte : found.data)
      byte ^= 0x80;
  if (found.data.size() != expected.size())
    return found.name + " has " + std::to_string(found.data.size()) + " bytes, expected " +
           std::to_string(expected.size());
  size_t count = 0, first = 0;
  for (size_t i = expected.size(); i-- > 0;)
    if (static_cast<int8_t>(found.data[i]) != expected[i])
      ++count, first = i;
  if (count == 0)
    return "";
  return found.name + " differs in " + std::to_string(count) + " of " + std::to_string(expected.size()) +
         " elements, first at " + std::to_string(first) + ": " +
         std::to_string(static_cast<int8_t>(found.data[first])) + ", expected " +
         std::to_string(expected[first]);
}

class RandomGraphs : public ::testing::TestWithParam<uint64_t> {
protected:
  static void SetUpTestSuite() {
    const auto loaded = runtime::loadDriver(DAEDALUS_CUDA_EMULATION);
    ASSERT_TRUE(loaded) << loaded.error();
  }

  RandomGraphs()
      : graph(randomGraph(GetParam())), input(randomInput(graph)), expected(evaluate(graph, input)) {}

  void run(const package::Package &package, const std::string &engine, const std::string &what) {
    SCOPED_TRACE(what);
    runtime::SessionOptions options;
    options.engine = engine;
    options.threads = test::cpuThreads();
    auto session = runtime::Session::create(package, options);
    ASSERT_TRUE(session) << session.error();
    const auto dtype = graph.unsignedActivations ? package::DType::U8 : package::DType::I8;
    runtime::Tensor tensor{
        graph.values[0].name, {dtype, graph.values[0].shape}, asBytes(input, graph.unsignedActivations)};
    auto result = (*session)->run(0, {tensor});
    ASSERT_TRUE(result) << result.error();
    ASSERT_EQ(result->outputs.size(), graph.outputs.size());
    for (size_t i = 0; i < graph.outputs.size(); ++i)
      EXPECT_EQ(difference(result->outputs[i], expected[graph.outputs[i]]), "");
  }

  package::Package compile(const std::string &path, const std::string &target, const std::string &machine) {
    CompileOptions options;
    options.target = target;
    options.settings.of<cpu::Settings>().levels = test::cpuLevels();
    if (const char *libraries = std::getenv("DAEDALUS_CPU_LIBRARIES")) // docs/verification.md
      options.settings.of<cpu::Settings>().libraries = libraries;
    options.settings.of<accelerator::Settings>().machine = *isa::loadMachine(machine);
    options.settings.of<cuda::Settings>().architectures = GetParam() % 2 ? "emulated-sm_90a" : "emulated";
    auto compiled = compileModel(path, options);
    EXPECT_TRUE(compiled) << target << ", " << machine << ": " << compiled.error();
    return compiled ? std::move(compiled->package) : package::Package();
  }

  const Graph graph;
  const std::vector<int8_t> input;
  const std::vector<std::vector<int8_t>> expected;
};

TEST_P(RandomGraphs, SameBytesEverywhere) {
  SCOPED_TRACE(describe(graph));
  TemporaryModel model(toOnnx(graph));
  const std::string machine = machines[GetParam() % 4];

  package::Package accelerated = compile(model.path, "auto", machine);
  if (HasFailure())
    return;
  run(accelerated, "functional", "functional, machine " + machine);
  run(accelerated, "systemc", "systemc, machine " + machine);
  if (machine == "tiny")
    run(accelerated, "rtl", "rtl, machine " + machine);
  package::Package onCpu = compile(model.path, "cpu", machine);
  if (!HasFailure())
    run(onCpu, "functional", "target cpu");
  package::Package onGpu = compile(model.path, "cuda", machine);
  if (!HasFailure())
    run(onGpu, "functional", "target cuda, emulated");
}

/// Differences in steps of the quantization.
struct Differences {
  int64_t most = 0, sum = 0, count = 0;

  void add(const std::vector<int8_t> &a, const std::vector<int8_t> &b) {
    for (size_t i = 0; i < a.size(); ++i) {
      const int64_t steps = std::abs(int64_t{a[i]} - b[i]);
      most = std::max(most, steps);
      sum += steps;
      ++count;
    }
  }
  ~Differences() {
    if (count)
      std::printf(
          "whole models against ONNX's float definition: at most %lld steps, %.4f on average, %lld values\n",
          static_cast<long long>(most), static_cast<double>(sum) / static_cast<double>(count),
          static_cast<long long>(count));
  }
};
Differences ofWholeModels;

TEST_P(RandomGraphs, EachNodeIsWithinOneStepOfItsDefinition) {
  SCOPED_TRACE(describe(graph));
  for (const GraphNode &node : graph.nodes) {
    Differences ofNode;
    ofNode.add(expected[node.output], defined(graph, node, expected));
    EXPECT_LE(ofNode.most, 1) << node.name;
    ofNode.count = 0; // not worth a line
  }
  const auto all = definedAll(graph, input);
  for (int output : graph.outputs)
    ofWholeModels.add(expected[output], all[output]);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, ::testing::Range(seeds().first, seeds().second));

} // namespace
} // namespace daedalus::testing
