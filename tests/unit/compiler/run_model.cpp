// See run_model.h.

#include "run_model.h"

#include "cpu_setting.h"

#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/runtime/session.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include <unistd.h>

namespace daedalus::test {

int64_t count(const OnnxBuilder::Shape &shape) {
  int64_t result = 1;
  for (int64_t dim : shape)
    result *= dim;
  return result;
}

Bytes randomBytes(std::mt19937 &random, int64_t size) {
  Bytes bytes(size);
  for (int8_t &byte : bytes)
    byte = static_cast<int8_t>(random());
  return bytes;
}

/// DAEDALUS_CPU_LIBRARIES (docs/verification.md), or none.
static std::string librariesOfTest() {
  const char *asked = std::getenv("DAEDALUS_CPU_LIBRARIES");
  return asked ? asked : "";
}

Result<Compiled> compileBytes(const std::string &bytes, const std::string &target, const GivenInputs &given,
                              const std::string &libraries) {
  std::string path = testing::TempDir() + "daedalus_cpu_kernels_" + std::to_string(getpid()) + ".onnx";
  std::ofstream(path, std::ios::binary) << bytes;
  CompileOptions options;
  options.target = target;
  options.inputs = given;
  options.settings.of<cpu::Settings>().levels = cpuLevels();
  options.settings.of<cpu::Settings>().libraries = libraries.empty() ? librariesOfTest() : libraries;
  auto result = compileModel(path, options);
  std::remove(path.c_str());
  return result;
}

Result<Outputs> tryModel(const OnnxBuilder &model, const std::vector<Bytes> &inputs,
                         const std::string &target, const GivenInputs &given) {
  Result<Compiled> compiled = compileBytes(model.bytes(), target, given);
  if (!compiled)
    return error(compiled.error());
  package::Package package = compiled->package;
  runtime::SessionOptions options;
  options.threads = cpuThreads();
  auto session = runtime::Session::create(package, options);
  if (!session)
    return error(session.error());
  std::vector<runtime::Tensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const package::Value &value = package.functions[0].inputs[i];
    tensors.push_back({value.name, value.type, {inputs[i].begin(), inputs[i].end()}});
  }
  auto result = (*session)->run("main", tensors);
  if (!result)
    return error(result.error());
  Outputs outputs;
  for (const auto &output : result->outputs)
    outputs.push_back(output.data);
  return outputs;
}

Outputs runModel(const OnnxBuilder &model, const std::vector<Bytes> &inputs, const std::string &target,
                 const GivenInputs &given) {
  const Result<Outputs> outputs = tryModel(model, inputs, target, given);
  if (!outputs)
    ADD_FAILURE() << outputs.error();
  return outputs ? *outputs : Outputs{{}};
}

} // namespace daedalus::test
