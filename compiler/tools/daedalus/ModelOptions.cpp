#include "ModelOptions.h"
#include "Files.h"
#include "InputFiles.h"
#include "Programs.h"
#include "Progress.h"
#include "daedalus/Pipelines/Compile.h"

namespace daedalus::cli {
namespace {

void refuseModelOptions(const ModelOptions &options) {
  if (!options.intrinsics.empty())
    throw Usage{"--intrinsics is for models: '" + options.model + "' is a package"};
  refuseInputOptions(options.given, options.model);
  if (options.targetOption->count())
    throw Usage{"--target is for models: '" + options.model +
                "' is a package and was compiled for its target"};
  if (!options.code.libraries.empty())
    throw Usage{"--cpu-library is for models: '" + options.model +
                "' is a package, in which it stands already what a library computes"};
  if (options.levelsOption->count())
    throw Usage{"--cpu is for models: '" + options.model + "' is a package, which has its code already"};
}

} // namespace

void addModelArgument(CLI::App &command, ModelOptions &options) {
  command.add_option("model", options.model, "A package, or a model, which is compiled first")
      ->required()
      ->type_name("M.dae|M.onnx|M.mlir");
}

void addModelOptions(CLI::App &command, ModelOptions &options) {
  options.targetOption = addTargetOption(command, options.target);
  addMachineOption(command, options.machine);
  options.levelsOption = addCodeOptions(command, options.code);
  addIntrinsicsOption(command, options.intrinsics);
  addInputOptions(command, options.given);
}

package::Package loadPackage(const ModelOptions &options, InputFiles *data) {
  std::vector<uint8_t> bytes = read(options.model, input::Package);
  if (isPackage(bytes)) {
    refuseModelOptions(options);
    return readPackage(options.model, bytes);
  }
  if (options.model == "-")
    throw Failed{"stdin holds no package; give a model by its file's name"};
  CompileOptions compileOptions;
  compileOptions.target = options.target;
  compileOptions.code = options.code;
  compileOptions.intrinsics = options.intrinsics;
  compileOptions.inputs = options.given;
  if (data)
    data->giveSizes(options.model, compileOptions.inputs);
  compileOptions.machine = orFail(isa::loadMachine(options.machine.empty() ? "default" : options.machine));
  return orFail(
             showingPhases(compileOptions,
                           [&](const CompileOptions &shown) { return compileModel(options.model, shown); }))
      .package;
}

} // namespace daedalus::cli
