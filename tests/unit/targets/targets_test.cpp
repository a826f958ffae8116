// A third target: registered here, chosen by its cost or by name, copied to and run between the accelerator
// and the CPU, with the CPU's bytes.

#include "../../support/vector_machine.h"
#include "vector_target.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/runtime/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace daedalus::test {
namespace {

using package::Step;
using ::testing::HasSubstr;

/// Registered once, before anything is compiled.
const bool registered = [] { return static_cast<bool>(registerTarget(createVectorTarget())); }();

/// A sum and a maximum, which the vector machine takes; a product, which it does not; a division, the CPU's.
const char *program = R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#turn = affine_map<(d0, d1) -> (d1, d0)>
func.func @main(%x: tensor<16x16xi8>, %y: tensor<16x16xi8>) -> (tensor<16x16xi8>, tensor<16x16xi8>) {
  %e = tensor.empty() : tensor<16x16xi8>
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %three = arith.constant 3 : i8
  %sum = linalg.generic {indexing_maps = [#id, #turn, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<16x16xi8>, tensor<16x16xi8>) outs(%e : tensor<16x16xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %s = arith.addi %p, %q : i32
    %t = arith.maxsi %s, %lo : i32
    %u = arith.minsi %t, %hi : i32
    %v = arith.trunci %u : i32 to i8
    linalg.yield %v : i8
  } -> tensor<16x16xi8>
  %max = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %y : tensor<16x16xi8>, tensor<16x16xi8>) outs(%e : tensor<16x16xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %v = arith.maxsi %a, %b : i8
    linalg.yield %v : i8
  } -> tensor<16x16xi8>
  %quotient = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%max : tensor<16x16xi8>) outs(%e : tensor<16x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %v = arith.divsi %a, %three : i8
    linalg.yield %v : i8
  } -> tensor<16x16xi8>
  %least = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%quotient, %sum : tensor<16x16xi8>, tensor<16x16xi8>) outs(%e : tensor<16x16xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %v = arith.minsi %a, %b : i8
    linalg.yield %v : i8
  } -> tensor<16x16xi8>
  return %quotient, %least : tensor<16x16xi8>, tensor<16x16xi8>
})";

/// What `make` makes of the path of a file of this text, and of options.
template <class Make>
auto fromText(const std::string &text, const std::string &target, double cost, const Make &make) {
  const std::string path = ::testing::TempDir() + "targets_" + std::to_string(getpid()) + ".mlir";
  std::ofstream(path) << text;
  CompileOptions options;
  options.target = target;
  options.settings.of<VectorSettings>().microseconds = cost;
  options.settings.of<accelerator::Settings>().clockMhz = 1000;
  auto result = make(path, options);
  std::remove(path.c_str());
  return result;
}

Result<Compiled> compiled(const std::string &target, double cost, const std::string &text = program) {
  return fromText(text, target, cost, compileModel);
}

/// The program at a level, as --emit prints it.
std::string atLevel(const std::string &level) {
  auto text = fromText(program, "auto", 1e-6, [&](const std::string &path, const CompileOptions &options) {
    return emitLevel(path, options, level);
  });
  EXPECT_TRUE(text) << text.error();
  return text ? *text : "";
}

std::vector<runtime::Tensor> run(const package::Package &package, VectorMachineLog *log = nullptr) {
  runtime::SessionOptions options;
  options.drivers[vectorMachineName] = vectorMachineDriver(log);
  auto session = runtime::Session::create(writePackage(package), options);
  EXPECT_TRUE(session) << session.error();
  if (!session)
    return {};
  std::vector<runtime::Tensor> inputs;
  for (const package::Value &value : package.functions[0].inputs) {
    inputs.push_back({value.name, value.type, std::vector<uint8_t>(byteSize(value.type))});
    for (size_t i = 0; i < inputs.back().data.size(); ++i)
      inputs.back().data[i] = static_cast<uint8_t>(37 * i + 91 * inputs.size());
  }
  auto result = (*session)->run(0, inputs);
  EXPECT_TRUE(result) << result.error();
  return result ? result->outputs : std::vector<runtime::Tensor>();
}

std::vector<std::string> targetsOf(const package::Package &package) {
  std::vector<std::string> names;
  for (const package::Layer &layer : package.layers)
    names.push_back(layer.target);
  return names;
}

void expectSameBytes(const std::vector<runtime::Tensor> &a, const std::vector<runtime::Tensor> &b) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_FALSE(a.empty());
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_EQ(a[i].data, b[i].data) << i;
}

TEST(ThirdTarget, IsChosenWhereItIsTheCheapestAndRunsBesideTheOthers) {
  auto all = compiled("auto", 1e-6), onCpu = compiled("cpu", 0);
  ASSERT_TRUE(all) << all.error();
  ASSERT_TRUE(onCpu) << onCpu.error();
  EXPECT_EQ(targetsOf(all->package),
            (std::vector<std::string>{vectorMachineName, vectorMachineName, "cpu", vectorMachineName}));
  VectorMachineLog log;
  expectSameBytes(run(all->package, &log), run(onCpu->package));
  // %x, %y and %quotient go there; %max and %least come back; %sum stays where it is.
  EXPECT_EQ(log.writes, 3u);
  EXPECT_EQ(log.reads, 2u);
  EXPECT_EQ(log.runs, 3u);
  EXPECT_EQ(all->package.devices.size(), 1u);
  // Never more than three of the five tensors live there at once.
  EXPECT_EQ(all->package.devices[0].memoryBytes, 3 * 256u);
}

TEST(ThirdTarget, HasTheSamePackageByWayOfTheTextOfEveryLevel) {
  auto directly = compiled("auto", 1e-6);
  ASSERT_TRUE(directly) << directly.error();
  for (const char *level : {"linalg", "dae"}) {
    auto again = compiled("auto", 1e-6, atLevel(level));
    ASSERT_TRUE(again) << level << ": " << again.error();
    EXPECT_EQ(writePackage(again->package), writePackage(directly->package)) << level;
  }
}

TEST(ThirdTarget, HasItsKernelsOfLevelDaeChecked) {
  const std::string text = atLevel("dae");
  const auto with = [&](const std::string &from, const std::string &to) {
    std::string changed = text;
    const size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? changed : changed.replace(at, from.size(), to);
  };
  const auto own = "target = \"" + std::string(vectorMachineName) + "\"} : (";
  auto other = compiled("auto", 1e-6, with(own, "target = \"cpu\"} : ("));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error(), HasSubstr("is in a kernel for the CPU; expected loops on buffers"));
}

TEST(ThirdTarget, IsNotChosenWhereItIsMoreExpensive) {
  auto all = compiled("auto", 1e6), onCpu = compiled("cpu", 0);
  ASSERT_TRUE(all) << all.error();
  for (const package::Layer &layer : all->package.layers)
    EXPECT_TRUE(layer.target != vectorMachineName || layer.reason == "is one elementwise block");
  EXPECT_EQ(all->package.layers[1].target, "accelerator");
  EXPECT_THAT(all->package.layers[2].reason, HasSubstr("accelerator: "));
  EXPECT_THAT(all->package.layers[2].reason, HasSubstr("; vector-machine: it computes "));
  expectSameBytes(run(all->package), run(onCpu->package));
}

TEST(ThirdTarget, IsAskedForByName) {
  auto result = compiled(vectorMachineName, 1e6);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), HasSubstr("cannot run on the vector machine: it computes "));
  EXPECT_THAT(result.error(), HasSubstr("; use target auto to run it on the CPU"));
}

TEST(ThirdTarget, IsAmongTheChoices) {
  EXPECT_THAT(targetChoices(),
              ::testing::ElementsAre("auto", "accelerator", "cpu", "cuda", vectorMachineName));
  const auto unknown = checkTargetChoice("npu");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error(), "target 'npu' is unknown (did you mean 'cpu'?); expected auto, accelerator, "
                             "cpu, cuda or vector-machine");
}

} // namespace
} // namespace daedalus::test
