// Levels as inputs: what `--emit graph`, `--emit linalg` and `--emit dae` print comes back unchanged, and
// compiles to the package of the direct path, byte for byte, for the example, the tensor programs, the
// convolutions and the networks, without a stream and with several, and so does the model with what `--emit
// schedule` prints; linalg text in generic form or rewritten by upstream passes gives the same words. And
// files at level dae that say what is not so.
#include "models.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Pipelines/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace daedalus::testing {
namespace {

/// A file of this text that goes with the object.
class TextFile {
public:
  explicit TextFile(const std::string &text)
      : path((fs::temp_directory_path() / ("levels." + std::to_string(getpid()) + ".mlir")).string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~TextFile() { fs::remove(path); }
  const std::string path;
};

Result<package::Package> packageOf(const std::string &path, const CompileOptions &options) {
  Result<Compiled> compiled = compileModel(path, options);
  if (!compiled)
    return error(compiled.error());
  return compiled->package;
}

Result<package::Package> packageOfText(const std::string &text, const CompileOptions &options) {
  return packageOf(TextFile(text).path, options);
}

/// The text, read and printed as levels are.
std::string printedAgain(const std::string &text, bool hasLocalScope) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return "";
  return printedLevel(*module, hasLocalScope);
}

/// Emits the model at a level and compiles that: a package like `direct`. Level dae says its targets itself.
void expectAgain(const std::string &model, const CompileOptions &options, const package::Package &direct) {
  for (const char *level : {"graph", "linalg", "dae"}) {
    if (isTensorProgram(model) && std::string(level) == "graph")
      continue; // it begins behind it
    auto text = emitLevel(model, options, level);
    ASSERT_TRUE(text) << text.error();
    EXPECT_TRUE(printedAgain(*text, std::string(level) != "dae") == *text) << level;
    CompileOptions again = options;
    if (std::string(level) == "dae")
      again.target = "auto";
    auto package = packageOfText(*text, again);
    ASSERT_TRUE(package) << level << ": " << package.error();
    EXPECT_TRUE(package::writePackage(direct) == package::writePackage(*package)) << level;
  }
}

/// Prints the model's schedule and obeys it: a package like `direct`. What has neither stream nor kernel has
/// none.
void expectReplayed(const std::string &model, const CompileOptions &options, const package::Package &direct) {
  auto schedule = emitLevel(model, options, "schedule");
  ASSERT_EQ(bool(schedule), !direct.programs.empty() || !direct.kernels.empty());
  if (!schedule)
    return;
  const TextFile file(*schedule);
  CompileOptions replayed = options;
  replayed.schedule = file.path;
  auto package = packageOf(model, replayed);
  ASSERT_TRUE(package) << package.error();
  EXPECT_TRUE(package::writePackage(direct) == package::writePackage(*package)) << "schedule";
}

/// The text after passes of MLIR's own, printed in its generic form too.
std::string rewritten(const std::string &text, const std::string &pipeline, bool isGeneric) {
  registerPasses();
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(bool(module));
  mlir::PassManager passes(&context);
  EXPECT_TRUE(succeeded(mlir::parsePassPipeline(pipeline, passes)));
  EXPECT_TRUE(succeeded(passes.run(*module)));
  std::string result;
  llvm::raw_string_ostream stream(result);
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(true, false).printGenericOpForm(isGeneric);
  module->print(stream, flags);
  return result;
}

/// Level linalg of the model, printed and rewritten in each of several ways: the words of `direct`.
void expectSameWordsRewritten(const std::string &model, const package::Package &direct) {
  auto text = emitLevel(model, optionsFor(), "linalg");
  ASSERT_TRUE(text) << text.error();
  for (const std::string &pipeline : {std::string(), std::string("canonicalize,cse"),
                                      std::string("func.func(linalg-generalize-named-ops)")}) {
    SCOPED_TRACE(pipeline.empty() ? "generic form" : pipeline);
    auto again = packageOfText(rewritten(*text, pipeline, pipeline.empty()), optionsFor());
    ASSERT_TRUE(again) << again.error();
    ASSERT_EQ(again->programs.size(), direct.programs.size());
    for (size_t i = 0; i < direct.programs.size(); ++i)
      EXPECT_TRUE(again->programs[i].words == direct.programs[i].words);
    EXPECT_TRUE(again->constants == direct.constants);
  }
}

class RoundTrip : public ::testing::TestWithParam<std::string> {};

TEST_P(RoundTrip, GivesThePackageOfTheDirectPath) {
  for (const char *machine : {"default", "vta"}) {
    auto direct = packageOf(GetParam(), optionsFor(machine));
    ASSERT_TRUE(direct) << direct.error();
    expectAgain(GetParam(), optionsFor(machine), *direct);
    expectReplayed(GetParam(), optionsFor(machine), *direct);
  }
}

TEST_P(RoundTrip, OfRewrittenLinalgGivesTheSameWords) {
  auto direct = packageOf(GetParam(), optionsFor());
  ASSERT_TRUE(direct) << direct.error();
  expectSameWordsRewritten(GetParam(), *direct);
}

INSTANTIATE_TEST_SUITE_P(Models, RoundTrip, ::testing::ValuesIn(inputs()),
                         [](const auto &info) { return nameOf(info.param); });

/// The example with about so many instructions a stream that it has `streams` of them.
CompileOptions optionsForStreams(const std::string &model, size_t streams) {
  CompileOptions options = optionsFor();
  options.target = streams ? "auto" : "cpu";
  for (options.stepSize = 200; options.stepSize > 1; --options.stepSize) {
    auto package = packageOf(model, options);
    if (!package || package->programs.size() >= streams)
      break;
  }
  return options;
}

TEST(Streams, OfAnyNumberComeBack) {
  const std::string digits = (examples / "digits" / "digits.onnx").string();
  for (size_t streams : {0, 1, 3}) {
    const CompileOptions options = optionsForStreams(digits, streams);
    auto direct = packageOf(digits, options);
    ASSERT_TRUE(direct) << direct.error();
    EXPECT_EQ(direct->programs.size(), streams) << options.stepSize;
    expectAgain(digits, options, *direct);
    expectReplayed(digits, options, *direct);
  }
}

/// A sum of int8, and something that only the CPU does.
const std::string sumAndDivide = R"mlir(
#same = affine_map<(i, j) -> (i, j)>
func.func private @sum(%x: tensor<4x64xi8>, %y: tensor<4x64xi8>) -> tensor<4x64xi8> {
  %e = tensor.empty() : tensor<4x64xi8>
  %r = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x64xi8>, tensor<4x64xi8>) outs(%e : tensor<4x64xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %wa = arith.extsi %a : i8 to i32
    %wb = arith.extsi %b : i8 to i32
    %s = arith.addi %wa, %wb : i32
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %l = arith.maxsi %s, %lo : i32
    %h = arith.minsi %l, %hi : i32
    %t = arith.trunci %h : i32 to i8
    linalg.yield %t : i8
  } -> tensor<4x64xi8>
  return %r : tensor<4x64xi8>
}
func.func private @divide(%x: tensor<4x64xi8>, %y: tensor<4x64xi8>) -> tensor<4x64xi8> {
  %e = tensor.empty() : tensor<4x64xi8>
  %r = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x64xi8>, tensor<4x64xi8>) outs(%e : tensor<4x64xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %c1 = arith.constant 1 : i8
    %d = arith.ori %b, %c1 : i8
    %q = arith.divui %a, %d : i8
    linalg.yield %q : i8
  } -> tensor<4x64xi8>
  return %r : tensor<4x64xi8>
}
)mlir";

/// What the accelerator does so often, each time with something between that it does not.
std::string withCpuBetween(size_t sums) {
  const std::string type = "tensor<4x64xi8>";
  std::string text = sumAndDivide + R"mlir(
func.func @main(%x: tensor<4x64xi8> {daedalus.name = "x", daedalus.dtype = "uint8"}, %y: tensor<256xi8>)
    -> tensor<4x64xi8> {
  %z = tensor.expand_shape %y [[0, 1]] output_shape [4, 64] : tensor<256xi8> into tensor<4x64xi8>
)mlir";
  std::string last = "%x";
  const auto call = [&](const std::string &function, size_t number) {
    const std::string name = "%" + function + std::to_string(number);
    text += "  " + name + " = call @" + function + "(" + last + ", %z) : (" + type + ", " + type + ") -> " +
            type + "\n";
    last = name;
  };
  call("divide", 0);
  for (size_t k = 1; k <= sums; ++k)
    call("sum", k), call("divide", k);
  return text + "  return " + last + " : " + type + "\n}\n";
}

TEST(Streams, WithTheCpuBetweenComeBack) {
  for (size_t streams : {0, 1, 2, 3}) {
    const TextFile program(withCpuBetween(streams));
    const fs::path kept = program.path + ".kept.mlir"; // TextFile has one name
    fs::copy_file(program.path, kept, fs::copy_options::overwrite_existing);
    auto direct = packageOf(kept, optionsFor());
    ASSERT_TRUE(direct) << direct.error();
    EXPECT_EQ(direct->programs.size(), streams);
    EXPECT_EQ(direct->kernels.size(), 1u) << "a kernel that is called twice is compiled once";
    EXPECT_EQ(direct->functions[0].inputs[0].type.dtype, package::DType::U8);
    expectAgain(kept, optionsFor(), *direct);
    expectReplayed(kept, optionsFor(), *direct);
    expectSameWordsRewritten(kept, *direct);
    fs::remove(kept);
  }
}

/// Level dae of the example with one part of the text replaced, as an input.
class Lowered : public ::testing::Test {
protected:
  static std::string text() {
    static const std::string printed =
        *emitLevel((examples / "digits" / "digits.onnx").string(), optionsFor(), "dae");
    return printed;
  }

  static std::string with(const std::string &what, const std::string &instead) {
    std::string changed = text();
    const size_t at = changed.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? changed : changed.replace(at, what.size(), instead);
  }

  static void expectRefused(const std::string &program, const std::string &sentence,
                            const CompileOptions &options = optionsFor()) {
    auto package = packageOfText(program, options);
    ASSERT_FALSE(package) << sentence;
    EXPECT_THAT(package.error(), ::testing::HasSubstr(sentence));
    EXPECT_EQ(package.error().find('\n'), std::string::npos);
    EXPECT_THAT(package.error(), ::testing::Not(::testing::HasSubstr("mistake of the compiler")));
  }
};

TEST_F(Lowered, IsForItsMachineAndTargets) {
  expectRefused(text(), "is for machine 'default', which is not machine 'tiny'", optionsFor("tiny"));
  CompileOptions cpu = optionsFor();
  cpu.target = "cpu";
  expectRefused(text(), "is at level dae, where targets and schedules are chosen already", cpu);
}

TEST_F(Lowered, ThatIsElidedIsRefused) {
  CompileOptions elided = optionsFor();
  elided.elide = true;
  auto printed = emitLevel((examples / "digits" / "digits.onnx").string(), elided, "dae");
  ASSERT_TRUE(printed) << printed.error();
  expectRefused(*printed, "without their data; print the program in full");
}

TEST_F(Lowered, ThatSaysWhatIsNotSoIsRefused) {
  expectRefused(with("host.package @main", "host.package @stream0"), "its entry 0 arguments and 0 results");
  expectRefused(with("host.step @stream0", "host.step @nothing"), "which is not a function");
  expectRefused(with("target = \"accelerator\"} : (", "target = \"gpu\"} : ("), "has the target 'gpu'");
  expectRefused(with("layers = array<i64: 0,", "layers = array<i64: 90,"), "has layer 90 of");
  expectRefused(with("dtype = \"int8\"", "dtype = \"float32\""), "a tensor of float32, which is");
  expectRefused(with(" n = 16 : i64", " n = 12 : i64"), "the key 'core.n' is '12'");
  expectRefused(with(" n = 16 : i64", " n = -1 : i64"), "has no number 'n'");
  expectRefused(with("row = 0 : i64", "row = 1000000 : i64"), "is no instruction");
  expectRefused(with("arena = 3840", "arena = 64"), "not legal");
  expectRefused(with("wait = #dae.modules<load>", "wait = #dae.modules<none>"), "stream 0 is not legal");
  expectRefused(with("run = ", "run = 99"), "expects a run of 1 to 65535 bytes");
}

} // namespace
} // namespace daedalus::testing
