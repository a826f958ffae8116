#include "ModelOptions.h"
#include "InputFiles.h"
#include "Programs.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Plugins.h"
#include "cli/Progress.h"
#include "daedalus/Pipelines/Compile.h"

namespace daedalus::cli {
namespace {

void refuseModelOptions(const ModelOptions &options) {
  refuseTargetOptions(options.texts, options.model);
  refuseInputOptions(options.given, options.model);
  for (const CLI::Option *option : {options.targetOption, options.policyOption})
    if (option->count())
      throw Usage{option->get_name() + " is for models: '" + options.model +
                  "' is a package and was compiled for its target"};
}

CompileOptions compileOptionsOf(const ModelOptions &options) {
  CompileOptions compileOptions;
  compileOptions.target = options.target;
  compileOptions.policy = options.policy;
  compileOptions.settings = settingsOf(options.texts);
  compileOptions.inputs = options.given;
  return compileOptions;
}

} // namespace

void addModelArgument(CLI::App &command, ModelOptions &options) {
  command.add_option("model", options.model, "A package, or a model, which is compiled first")
      ->required()
      ->type_name("M.dae|M.onnx|M.mlir");
}

void addModelOptions(CLI::App &command, ModelOptions &options) {
  options.targetOption = addTargetOption(command, options.target);
  options.policyOption = addPolicyOption(command, options.policy);
  addTargetOptions(command, options.texts);
  addDriverOption(command);
  addInputOptions(command, options.given);
}

package::Package loadPackage(const ModelOptions &options, InputFiles *data) {
  std::vector<uint8_t> bytes = read(options.model, input::Package);
  if (isPackage(bytes)) {
    refuseModelOptions(options);
    return readPackage(options.model, bytes);
  }
  if (options.model == "-")
    throw Failed{"stdin does not hold a package; to give a model, name its file"};
  CompileOptions compileOptions = compileOptionsOf(options);
  if (data)
    data->giveSizes(options.model, compileOptions.inputs);
  return orFail(
             showingPhases(compileOptions,
                           [&](const CompileOptions &shown) { return compileModel(options.model, shown); }))
      .package;
}

std::function<Result<package::Package>(const isa::Machine &)> compilerFor(const ModelOptions &options,
                                                                          InputFiles &data) {
  if (isPackage(read(options.model, input::Package)))
    return nullptr;
  return [&options, &data](const isa::Machine &machine) -> Result<package::Package> {
    CompileOptions compileOptions = compileOptionsOf(options);
    data.giveSizes(options.model, compileOptions.inputs);
    setMachine(compileOptions.settings, machine);
    Result<Compiled> compiled = compileModel(options.model, compileOptions);
    return compiled ? Result<package::Package>(std::move(compiled->package)) : error(compiled.error());
  };
}

std::optional<isa::Machine> machineOf(const ModelOptions &options) {
  return machineAsked(settingsOf(options.texts));
}

} // namespace daedalus::cli
