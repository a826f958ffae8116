// daedalus export: a model as firmware.
#include "Export/Export.h"
#include "Commands.h"
#include "Models/Programs.h"
#include "Report/Certificate.h"
#include "Report/Json.h"
#include "Report/Table.h"
#include "cli/Choices.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Progress.h"
#include "daedalus/Import/ONNX/Describe.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/package/prove.h"
#include "daedalus/support/inputs.h"

#include <filesystem>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::string model, folder, processor, name, machine, target = "auto";
  GivenInputs inputs;
  uint64_t arenaLimit = 0, flashLimit = 0; ///< 0: none
  bool json = false;
  const CLI::Option *targetOption = nullptr, *machineOption = nullptr;
};

TargetSettings settingsFor(const Options &options) {
  TargetTexts texts;
  if (!options.machine.empty())
    texts["machine"] = options.machine;
  TargetSettings settings = settingsOf(texts);
  settings.of<cpu::Settings>().levels = options.processor;
  settings.of<cpu::Settings>().firmwarePrefix = options.name;
  return settings;
}

package::Package compiled(const Options &options) {
  CompileOptions compile;
  compile.target = options.target;
  compile.inputs = options.inputs;
  compile.settings = settingsFor(options);
  const isa::Machine machine = machineOf(compile.settings);
  package::Package package = orFail(showingPhases(compile, [&](const CompileOptions &shown) {
                               return compileModel(options.model, shown);
                             })).package;
  orFail(certify(package, machine));
  return package;
}

/// A package that somebody compiled: of the accelerator alone, and proved.
package::Package readCompiled(const Options &options, Span<const uint8_t> bytes) {
  for (const CLI::Option *option : {options.targetOption, options.machineOption})
    if (option->count())
      throw Usage{option->get_name() + " is for models: '" + options.model +
                  "' is a package and was compiled for its " +
                  (option == options.targetOption ? "target" : "machine")};
  refuseInputOptions(options.inputs, options.model);
  package::Package package = readPackage(options.model, bytes);
  if (hasNativeCode(package))
    throw Failed{"'" + options.model + "' carries native code (" + describeNativeCode(package) +
                 "), which firmware cannot use; export the model that it was compiled from"};
  if (package.programs.empty())
    return package;
  const isa::Machine machine = machineNamed(package.machineName);
  if (machine.hash() != package.machineHash)
    throw Failed{"'" + options.model + "' was compiled for another machine '" + package.machineName +
                 "' than the built-in one; export the model with --machine"};
  if (Result<void> proved = package::prove(package, &machine); !proved)
    throw Failed{"'" + options.model + "': " + proved.error()};
  return package;
}

/// What an ONNX file says of its inputs and outputs.
void addScales(const std::string &model, firmware::Options &firmware) {
  const Result<OnnxDescription> description = describeOnnx(model);
  if (!description)
    return; // a tensor program
  for (const OnnxValueInfo &input : description->inputs)
    if (input.scale)
      firmware.inputScales[input.name] = *input.scale;
  for (const OnnxValueInfo &output : description->outputs)
    if (output.scale)
      firmware.outputScales[output.name] = *output.scale;
}

Json jsonOf(const Options &options, const firmware::Summary &summary) {
  return {{"folder", options.folder},
          {"name", options.name},
          {"cpu", options.processor},
          {"arena_bytes", summary.arenaBytes},
          {"least_arena_bytes", summary.leastArenaBytes},
          {"blob_bytes", summary.blobBytes},
          {"kernel_bytes", summary.kernelBytes},
          {"stack_bytes", summary.stackBytes},
          {"builtins", summary.builtins}};
}

std::string textOf(const Options &options, const firmware::Summary &summary) {
  return options.folder + ": firmware " + options.name + " for " + options.processor + "; bytes: arena " +
         grouped(summary.arenaBytes) + ", blob " + grouped(summary.blobBytes) + ", kernels " +
         grouped(summary.kernelBytes) + ", stack " + grouped(summary.stackBytes) + "\n";
}

void run(Options &options) {
  if (options.name.empty())
    options.name = firmware::identifierOf(std::filesystem::path(options.model).stem().string());
  orFail(firmware::checkName(options.name));
  checkNewFolder(options.folder);
  const std::vector<uint8_t> bytes = read(options.model, input::Package);
  const bool isCompiled = isPackage(bytes);
  const package::Package package = isCompiled ? readCompiled(options, bytes) : compiled(options);
  orFail(firmware::checkExportable(package));
  firmware::Options firmware;
  firmware.name = options.name;
  firmware.processor = options.processor;
  firmware.source = std::filesystem::path(options.model).filename().string();
  if (options.arenaLimit)
    firmware.arenaLimit = options.arenaLimit;
  if (options.flashLimit)
    firmware.flashLimit = options.flashLimit;
  if (!isCompiled)
    addScales(options.model, firmware);
  const firmware::Folder folder = orFail(firmware::exportPackage(package, firmware));
  checkNewFolder(options.folder);
  orFail(writeFolder(options.folder, folder.files));
  std::cout << (options.json ? dump(jsonOf(options, folder.summary)) : textOf(options, folder.summary));
}

CLI::Option *addLimit(CLI::App &command, const std::string &name, uint64_t &limit, const std::string &what) {
  return addNumberOption(command, name, limit, 1, uint64_t(1) << 32, what)
      ->default_str("")
      ->type_name("BYTES");
}

} // namespace

void addExport(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("export", "Write a model as firmware: C, kernels, a blob, the driver");
  command->add_option("model", options->model, "The model, or a package of the accelerator alone")
      ->required()
      ->type_name("M.onnx|M.mlir|M.dae");
  command->add_option("-o,--output", options->folder, "Write the files to this folder, which is new or empty")
      ->required()
      ->type_name("DIR");
  command->add_option("--cpu", options->processor, "The processor that runs the firmware")
      ->required()
      ->check(oneOf(firmware::processorNames()))
      ->type_name("CPU");
  command
      ->add_option("--name", options->name,
                   "Begin every name of the C code with NAME (default: the model's file name)")
      ->type_name("NAME");
  addLimit(*command, "--arena-limit", options->arenaLimit, "Refuse a model whose arena takes more bytes");
  addLimit(*command, "--flash-limit", options->flashLimit,
           "Refuse a model whose blob and kernels take more bytes");
  addMachineOption(*command, options->machine);
  options->machineOption = command->get_option("--machine");
  options->targetOption = addTargetOption(*command, options->target);
  addInputOptions(*command, options->inputs);
  addJsonOption(*command, options->json);
  command->footer(
      "The folder builds with a C11 cross compiler alone (docs/export.md).\n"
      "\nExamples:\n"
      "  daedalus export model.onnx -o firmware --cpu rv32imc\n"
      "  daedalus export model.onnx -o firmware --cpu cortex-m4 --target cpu --arena-limit 65536\n"
      "  daedalus export model.onnx -o firmware --cpu rv64gc --machine tiny --name keywords\n"
      "  daedalus export model.dae -o firmware --cpu rv32imac");
  command->callback([options] { run(*options); });
}

} // namespace daedalus::cli
