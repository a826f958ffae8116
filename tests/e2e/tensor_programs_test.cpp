// Every tensor program of examples/tensor_programs on functional, systemc and the CPU, against a plain
// interpreter; where each of them runs; models printed at level linalg and read again; what a user may write
// that is no program.
#include "program_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace daedalus::testing {
namespace {

namespace fs = std::filesystem;
const fs::path examples = fs::path(DAEDALUS_SOURCE_DIR) / "examples";

/// Those that the accelerator computes from end to end.
const std::set<std::string> onAccelerator = {"absolute_difference",
                                             "attention_scores",
                                             "batched_matmul",
                                             "conv_1d",
                                             "conv_depthwise",
                                             "conv_dilated",
                                             "five_steps",
                                             "hard_swish",
                                             "matmul",
                                             "matmul_transposed_a",
                                             "matmul_transposed_b",
                                             "matmul_transposed_both",
                                             "maximum_of_columns",
                                             "maximum_of_rows",
                                             "outer_product",
                                             "quantized_conv",
                                             "quantized_matmul",
                                             "saturating_sum",
                                             "sum_of_three",
                                             "window_sum"};

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(examples / "tensor_programs"))
    if (entry.path().extension() == ".mlir")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class TensorPrograms : public ::testing::TestWithParam<std::string> {
protected:
  const std::string path = (examples / "tensor_programs" / (GetParam() + ".mlir")).string();
};

TEST_P(TensorPrograms, SameBytesEverywhere) {
  std::ifstream file(path);
  InterpretedProgram program({std::istreambuf_iterator<char>(file), {}});
  ASSERT_TRUE(program.parses());
  auto accelerated = compileProgram(path), onCpu = compileProgram(path, "default", "cpu");
  ASSERT_TRUE(accelerated) << accelerated.error();
  ASSERT_TRUE(onCpu) << onCpu.error();
  EXPECT_EQ(program.difference(accelerated->package, "functional"), "");
  EXPECT_EQ(program.difference(accelerated->package, "systemc"), "");
  EXPECT_EQ(program.difference(onCpu->package, "functional"), "");
}

TEST_P(TensorPrograms, RunsWhereItCan) {
  auto accelerated = compileProgram(path);
  ASSERT_TRUE(accelerated) << accelerated.error();
  bool isAll = true;
  std::string reasons;
  for (const package::Layer &layer : accelerated->package.layers) {
    isAll &= layer.target == "accelerator";
    reasons += layer.reason + "\n";
    EXPECT_THAT(layer.node, ::testing::HasSubstr(GetParam() + ".mlir:"));
    EXPECT_NE(layer.reason, "");
  }
  EXPECT_EQ(isAll, onAccelerator.count(GetParam()) == 1) << reasons;
}

INSTANTIATE_TEST_SUITE_P(Examples, TensorPrograms, ::testing::ValuesIn(programs()),
                         [](const auto &info) { return info.param; });

TEST(Levels, LinalgIsReadAgain) {
  std::vector<std::string> models = {(examples / "digits" / "digits.onnx").string()};
  for (const std::string &name : programs())
    models.push_back((examples / "tensor_programs" / (name + ".mlir")).string());
  for (const std::string &model : models) {
    CompileOptions options;
    auto text = emitLevel(model, options, "linalg");
    ASSERT_TRUE(text) << text.error();
    const TemporaryProgram printed(*text);
    auto direct = compileProgram(model), again = compileProgram(printed.path);
    ASSERT_TRUE(direct && again) << (again ? "" : again.error());
    EXPECT_EQ(package::writePackage(direct->package), package::writePackage(again->package)) << model;
  }
}

TEST(Programs, ReadConstantsThatStandAtTheirEnd) {
  const auto packageOf = [](const std::string &constant, const std::string &end) {
    const TemporaryProgram program(
        "func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {\n  %c = arith.constant " + constant +
        " : tensor<4xi8>\n  %y = arith.addi %x, %c : tensor<4xi8>\n  return %y : tensor<4xi8>\n}\n" + end);
    auto result = compileProgram(program.path);
    EXPECT_TRUE(result) << result.error();
    return result ? package::writePackage(result->package) : std::vector<uint8_t>();
  };
  EXPECT_EQ(
      packageOf("dense_resource<w>", "{-# dialect_resources: { builtin: { w: \"0x0100000001020304\" } } #-}"),
      packageOf("dense<[1, 2, 3, 4]>", ""));
}

struct Refused {
  std::string text, sentence;
};

/// A program of two arguments and two results with these attributes of the first ones.
std::string interfaced(const std::string &argument, const std::string &result) {
  return "func.func @main(%x: tensor<4xi8> {" + argument + "}, %y: tensor<4xi8>) -> (tensor<4xi8> {" +
         result +
         "}, tensor<4xi8>) {\n  %s = arith.addi %x, %y : tensor<4xi8>\n"
         "  %t = arith.subi %x, %y : tensor<4xi8>\n  return %s, %t : tensor<4xi8>, tensor<4xi8>\n}";
}

TEST(Programs, ThatAreNoneAreRefusedInASentence) {
  const std::string identity =
      "func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {\n  return %x : tensor<4xi8>\n}\n";
  const std::vector<Refused> cases = {
      {"", "has no function @main"},
      {"func.func @main(", ":1: expected"},
      {"func.func @main(%x: tensor<4xi8>) {\n  return\n}", "@main has no result"},
      {"func.func @main(%x: tensor<?xi8>) -> tensor<?xi8> {\n  return %x : tensor<?xi8>\n}",
       "'tensor<?xi8>'; expected tensors of a static shape"},
      {"func.func @main(%x: tensor<4xi9>) -> tensor<4xi9> {\n  return %x : tensor<4xi9>\n}",
       "'tensor<4xi9>'; expected tensors"},
      {"func.func @main(%x: memref<4xi8>) -> memref<4xi8> {\n  return %x : memref<4xi8>\n}",
       "'memref<4xi8>'; expected tensors"},
      {"func.func private @f(%x: tensor<4xi8>) -> tensor<4xi8>\nfunc.func @main(%x: tensor<4xi8>) -> "
       "tensor<4xi8> {\n"
       "  %y = call @f(%x) : (tensor<4xi8>) -> tensor<4xi8>\n  return %y : tensor<4xi8>\n}",
       "calls 'f', which is not a function with a body"},
      {"func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {\n  %y = call @main(%x) : (tensor<4xi8>) -> "
       "tensor<4xi8>\n  return %y : tensor<4xi8>\n}",
       "calls 'main'"},
      {"func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {\n  %c = arith.constant "
       "dense_resource<__elided__> : tensor<4xi8>\n"
       "  %y = arith.addi %x, %c : tensor<4xi8>\n  return %y : tensor<4xi8>\n}",
       "without its data; print the program in full"},
      {"func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {\n  %y = linalg.generic {indexing_maps = [], "
       "iterator_types = [1]} "
       "ins(%x : tensor<4xi8>) "
       "outs(%x : tensor<4xi8>) {\n  ^bb0(%a: i8, %b: i8):\n    linalg.yield %a : i8\n  } -> tensor<4xi8>\n  "
       "return %y : tensor<4xi8>\n}",
       "line 2 has iterator_types that are not strings in place"},
      {"func.func @main(%x: tensor<4xi64>, %s: tensor<4xi8>) -> tensor<4xi64> {\n  %y = tosa.apply_scale %x, "
       "%x, "
       "%s {double_round = false} : (tensor<4xi64>, tensor<4xi64>, tensor<4xi8>) -> tensor<4xi64>\n"
       "  return %y : tensor<4xi64>\n}",
       "expected (i32, i32, i8) -> i32"},
      {identity + std::string(2000, '('), "nests more than 1000 brackets"},
      {"module {\n  func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {\n    cf.br ^bb1\n  ^bb1:\n    return "
       "%x : tensor<4xi8>\n  }\n}",
       "has several blocks"},
      {"func.func @main(%x: tensor<2x4x5xi8>, %y: tensor<2x5x3xi8>, %z: tensor<4x3xi32>) -> tensor<4x3xi32> "
       "{\n"
       "  %r = linalg.batch_reduce_matmul ins(%x, %y : tensor<2x4x5xi8>, tensor<2x5x3xi8>) outs(%z : "
       "tensor<4x3xi32>) -> tensor<4x3xi32>\n  return %r : tensor<4x3xi32>\n}",
       ".mlir: 'arith.muli' op requires the same type"}, // whose body upstream makes, at no place
      {interfaced("daedalus.nme = \"x\"", ""),
       "argument number 0 has the attribute 'daedalus.nme'; expected 'daedalus.name'"},
      {interfaced("daedalus.name = 7 : i32", ""),
       "argument number 0 has daedalus.name = 7 : i32; expected a string"},
      {interfaced("daedalus.name = \"\"", ""),
       "argument number 0 has daedalus.name = \"\"; expected a string"},
      {interfaced("daedalus.name = \"arg1\"", ""), "arguments number 0 and 1 are both called \"arg1\""},
      {interfaced("daedalus.dtype = \"float16\"", ""), "calls 'arg0' a tensor of float16"},
      {interfaced("", "daedalus.dtype = 3 : i32"),
       "result number 0 has daedalus.dtype = 3 : i32; expected a string"},
      {interfaced("", "daedalus.name = \"result1\""), "results number 0 and 1 are both called \"result1\""},
  };
  for (const Refused &refused : cases) {
    const TemporaryProgram program(refused.text);
    auto result = compileProgram(program.path);
    ASSERT_FALSE(result) << refused.text;
    EXPECT_THAT(result.error(), ::testing::HasSubstr(refused.sentence));
    EXPECT_EQ(result.error().find('\n'), std::string::npos);
  }
}

} // namespace
} // namespace daedalus::testing
