// compile_and_run PLUGIN.so MODEL.mlir: compiles a model for the lanes machine and runs it, both in one
// program, and compares with the CPU's bytes. Prints the targets of the layers.
#include <daedalus/Pipelines/Compile.h>
#include <daedalus/Target/Plugin.h>
#include <daedalus/runtime/drivers.h>
#include <daedalus/runtime/session.h>

#include <iostream>

using namespace daedalus;

static Result<std::vector<uint8_t>> outputOf(const std::string &model, const std::string &target) {
  CompileOptions options;
  options.target = target;
  for (const auto &[name, value] : {std::pair{"lanes-clock-mhz", "4000"}, std::pair{"clock-mhz", "1000"}})
    if (const Result<void> given = options.settings.give(name, value); !given)
      return error(given.error());
  const Result<Compiled> compiled = compileModel(model, options);
  if (!compiled)
    return error(compiled.error());
  const auto session = runtime::Session::create(compiled->package, {});
  if (!session)
    return error(session.error());
  std::vector<runtime::Tensor> inputs;
  for (const package::Value &value : compiled->package.functions[0].inputs) {
    inputs.push_back({value.name, value.type, std::vector<uint8_t>(package::byteSize(value.type))});
    for (size_t i = 0; i < inputs.back().data.size(); ++i)
      inputs.back().data[i] = static_cast<uint8_t>(41 * i + 87 * inputs.size());
  }
  const auto result = (*session)->run(size_t(0), inputs);
  if (!result)
    return error(result.error());
  for (const runtime::LayerCycles &layer : result->layers)
    std::cout << layer.target << " ";
  std::cout << "\n";
  return result->outputs[0].data;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const Result<std::string> target = loadTarget(argv[1]);
  const Result<const char *> driver = runtime::loadDriver(argv[1]);
  const auto lanes =
      target && driver ? outputOf(argv[2], "auto") : error(target ? driver.error() : target.error());
  const auto cpu = outputOf(argv[2], "cpu");
  if (!lanes || !cpu) {
    std::cerr << "compile_and_run: error: " << (lanes ? cpu.error() : lanes.error()) << "\n";
    return 1;
  }
  std::cout << (*lanes == *cpu ? "the same bytes" : "other bytes") << "\n";
  return *lanes == *cpu ? 0 : 1;
}
