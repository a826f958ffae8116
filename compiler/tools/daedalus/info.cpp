// daedalus info: versions, targets, engines and machines; or what is in a package.
#include "Commands.h"
#include "Models/InfoModel.h"
#include "Models/Programs.h"
#include "Report/Area/MachineArea.h"
#include "Report/Hexadecimal.h"
#include "Report/Json.h"
#include "Report/Table.h"
#include "cli/Files.h"
#include "cli/Machine.h"
#include "cli/Plugins.h"
#include "daedalus/Import/ONNX/Operators.h"
#include "daedalus/Target/Target.h"
#include "daedalus/isa/dram.h"
#include "daedalus/isa/machine.h"
#include "daedalus/runtime/drivers.h"
#include "daedalus/runtime/libraries.h"
#include "daedalus/simulator/device.h"
#include "daedalus/simulator/soc.h"

#include <filesystem>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

Json describe(const isa::Machine &machine) {
  Json all = {{"name", machine.name}, {"hash", hexadecimal(machine.hash())}};
  for (const auto &[key, number] : isa::numbersOf(machine))
    all[key] = number;
  all["model"] = isa::memoryModelName(machine);
  return all;
}

std::string kibibytes(uint64_t bytes) {
  return bytes % 1024 ? std::to_string(bytes) + " B" : std::to_string(bytes / 1024) + " KiB";
}

void printText(const std::vector<isa::Machine> &machines) {
  std::cout << "daedalus " DAEDALUS_VERSION "\n\ntargets:";
  const std::vector<std::string> choices = targetChoices();
  for (size_t i = 0; i < choices.size(); ++i)
    std::cout << (i ? ", " : " ") << choices[i];
  std::cout << "\nengines:";
  for (const std::string &engine : runtime::engineNames())
    std::cout << " " << engine;
  std::cout << "\nwhole systems:";
  for (const std::string &engine : sim::socEngineNames())
    std::cout << " " << engine;
  std::cout << (sim::checkSocProcessor() ? "" : " (no processor)") << "\nlibraries:";
  std::string separator = " ";
  for (const package::Library &library : package::libraries()) {
    const Result<std::string> there = runtime::describeLibrary(library);
    std::cout << separator << (there ? *there : "no " + library.title);
    separator = ", ";
  }
  std::cout << "\ndrivers:";
  for (const std::string &name : runtime::driverNames())
    std::cout << " " << name;
  std::cout << "\n\n";
  Table table(
      {"machine", ">array", ">bus", ">INP", ">WGT", ">ACC", ">PARAM", ">LUT", ">OUT", ">latency", "hash"});
  for (const isa::Machine &m : machines)
    table.row({m.name, std::to_string(m.n) + "x" + std::to_string(m.n), std::to_string(m.busBytes) + " B",
               kibibytes(m.inpBytes), kibibytes(m.wgtBytes), kibibytes(m.accBytes), kibibytes(m.paramBytes),
               kibibytes(m.lutBytes), kibibytes(m.outBytes), std::to_string(m.readLatency),
               hexadecimal(m.hash())});
  std::cout << table.text();
}

void printJson(const std::vector<isa::Machine> &machines) {
  Json list = Json::array();
  for (const isa::Machine &machine : machines)
    list.push_back(describe(machine));
  Json libraries = Json::array();
  for (const package::Library &library : package::libraries()) {
    const Result<std::string> there = runtime::describeLibrary(library);
    libraries.push_back({{"name", library.name},
                         {"found", static_cast<bool>(there)},
                         {there ? "version" : "problem", there ? *there : there.error()}});
  }
  std::cout << dump({{"version", DAEDALUS_VERSION},
                     {"targets", targetChoices()},
                     {"engines", runtime::engineNames()},
                     {"systems", sim::socEngineNames()},
                     {"processor", static_cast<bool>(sim::checkSocProcessor())},
                     {"libraries", libraries},
                     {"drivers", runtime::driverNames()},
                     {"machines", list}});
}

void printOperators(bool asJson) {
  Json list = Json::array();
  Table table({"operator", "quantized", "floats, integers, bool"});
  for (const OperatorSupport &one : supportedOperators()) {
    list.push_back({{"name", one.name}, {"quantized", one.quantized}, {"plain", one.plain}});
    table.row({one.name, one.quantized, one.plain.empty() ? "-" : one.plain});
  }
  std::cout << (asJson ? dump({{"newest_opset", newestOnnxOpset()}, {"operators", list}}) : table.text());
}

std::string valuesText(const std::vector<package::Value> &values) {
  std::string text;
  for (const package::Value &value : values)
    text += (text.empty() ? "" : ", ") + value.name + " " + package::toString(value.type);
  return text.empty() ? "nothing" : text;
}

Json valuesJson(const std::vector<package::Value> &values) {
  Json list = Json::array();
  for (const package::Value &value : values)
    list.push_back(
        {{"name", value.name}, {"type", package::name(value.type.dtype)}, {"shape", value.type.shape}});
  return list;
}

/// Tensors that go from one memory to another.
void printCopies(const package::Package &package, const package::Function &function) {
  for (size_t i = 0; i < function.steps.size(); ++i)
    if (const package::Step &step = function.steps[i];
        step.kind == package::Step::Kind::Copy && step.inputs[0].space != step.outputs[0].space)
      std::cout << "copy in step " << i << " of " << function.name << ": " << step.inputs[0].bytes
                << " bytes from " << describe(package, step.inputs[0].space) << " to "
                << describe(package, step.outputs[0].space) << "\n";
}

Json copiesJson(const package::Package &package) {
  Json list = Json::array();
  for (const package::Function &function : package.functions)
    for (const package::Step &step : function.steps)
      if (step.kind == package::Step::Kind::Copy)
        list.push_back({{"function", function.name},
                        {"bytes", step.inputs[0].bytes},
                        {"from", describe(package, step.inputs[0].space)},
                        {"to", describe(package, step.outputs[0].space)}});
  return list;
}

std::string listOf(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : " or ") + name;
  return text;
}

void printPackage(const package::Package &package) {
  for (const package::Function &function : package.functions)
    std::cout << "function " << function.name << ": " << valuesText(function.inputs) << " -> "
              << valuesText(function.outputs) << "\n";
  for (const package::Function &function : package.functions)
    if (function.certifiedCycles)
      std::cout << "certified: " << grouped(function.certifiedCycles) << " cycles of " << function.name
                << " in every run with " << package.memory << "\n";
  uint64_t instructions = 0;
  for (const package::AcceleratorProgram &program : package.programs)
    instructions += program.words.size() / isa::InstructionBytes;
  std::cout << "machine: " << package.machineName << " (hash " << hexadecimal(package.machineHash) << ")\n"
            << "memory: " << package.constants.size() << " bytes of constants, " << package.arenaBytes
            << " of tensors\naccelerator: " << package.programs.size() << " programs, " << instructions
            << " instructions\nexternal functions:";
  for (const std::string &name : package.externals)
    std::cout << " " << name;
  std::cout << (package.externals.empty() ? " none\n" : "\n");
  for (const package::Library *library : package::librariesOf(package))
    std::cout << "library: " << library->title << " (" << library->file << ", Debian's " << library->debian
              << ")\n";
  for (const package::Device &device : package.devices) {
    std::cout << "device " << device.name << ": " << device.kernels.size() << " kernels, "
              << device.memoryBytes << " bytes of memory, " << device.code.size() << " of code\n";
    for (const runtime::DeviceLibrary &library : runtime::librariesOf(device))
      std::cout << "library of the device: " << library.title << " (" << listOf(library.files)
                << ", or the file that " << library.variable << " names)\n";
  }
  for (const package::Function &function : package.functions)
    printCopies(package, function);
  std::cout << "native code: " << nativeCodeText(package) << "\n";
}

void printPackageJson(const package::Package &package) {
  Json functions = Json::array(), objects = Json::array(), devices = Json::array(), libraries = Json::array();
  for (const package::Function &function : package.functions)
    functions.push_back({{"name", function.name},
                         {"inputs", valuesJson(function.inputs)},
                         {"outputs", valuesJson(function.outputs)},
                         {"certified_cycles", function.certifiedCycles}});
  for (const package::Device &device : package.devices) {
    Json called = Json::array();
    for (const runtime::DeviceLibrary &library : runtime::librariesOf(device))
      called.push_back({{"name", library.name}, {"files", library.files}, {"variable", library.variable}});
    devices.push_back({{"name", device.name},
                       {"kernels", device.kernels.size()},
                       {"memory_bytes", device.memoryBytes},
                       {"code_bytes", device.code.size()},
                       {"libraries", called}});
  }
  for (const package::Library *library : package::librariesOf(package))
    libraries.push_back(
        {{"name", library->name}, {"file", library->file}, {"debian_package", library->debian}});
  for (const package::ElfObject &object : package.objects)
    objects.push_back({{"triple", object.triple}, {"cpu", object.cpu}});
  std::cout << dump({{"functions", functions},
                     {"machine", package.machineName},
                     {"machine_hash", hexadecimal(package.machineHash)},
                     {"machine_memory", package.memory},
                     {"constant_bytes", package.constants.size()},
                     {"arena_bytes", package.arenaBytes},
                     {"programs", package.programs.size()},
                     {"externals", package.externals},
                     {"libraries", libraries},
                     {"devices", devices},
                     {"copies", copiesJson(package)},
                     {"native_code", hasNativeCode(package)},
                     {"objects", objects}});
}

/// Of the machines, one after the other.
void printAreas(const std::vector<isa::Machine> &machines, const std::string &tableFile, bool asJson) {
  const AreaTable table = tableFile.empty() ? defaultAreaTable() : orFail(readAreaTable(tableFile));
  Json list = Json::array();
  std::string text;
  for (const isa::Machine &machine : machines) {
    list.push_back(areaJson(machine, table));
    text += (text.empty() ? "" : "\n") + areaText(machine, table);
  }
  std::cout << (asJson ? dump({{"areas", list}}) : text);
}

/// Of a model by its name, of a package by its content.
void describeFile(const std::string &path, bool asJson) {
  if (std::filesystem::path(path).extension() == ".onnx")
    return describeModel(path, asJson);
  const std::vector<uint8_t> bytes = read(path, input::Package);
  if (!isPackage(bytes))
    throw Failed{"'" + path +
                 "' is not a package; make one with 'daedalus compile', or give a model FILE.onnx"};
  const package::Package package = readPackage(path, bytes);
  asJson ? printPackageJson(package) : printPackage(package);
}

} // namespace

void addInfo(CLI::App &app) {
  struct Options {
    std::string file, machine, areaTable;
    bool operators = false, area = false, json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("info", "Show versions, targets and machines, or describe a package or model");
  CLI::Option *file =
      command->add_option("file", options->file,
                          "A package: show its inputs, outputs and native code. A model: show its inputs, "
                          "outputs, opsets and operators, and which operators are unsupported");
  file->type_name("M.dae|M.onnx");
  addMachineOption(*command, options->machine);
  addTargetPluginOption(*command);
  addDriverOption(*command);
  command
      ->add_flag("--operators", options->operators,
                 "List the supported ONNX operators and the targets that run them")
      ->excludes(file);
  CLI::Option *area = command->add_flag(
      "--area", options->area, "Estimate the area of the machine, or of all built-in ones, in 45 nm");
  command
      ->add_option("--area-table", options->areaTable,
                   "Estimate the area with your own numbers: a file with the keys of "
                   "compiler/lib/Report/Area/45nm.yaml")
      ->type_name("F.yaml")
      ->excludes(file);
  area->excludes(file);
  addJsonOption(*command, options->json);
  command->footer("Examples:\n"
                  "  daedalus info\n"
                  "  daedalus info model.dae\n"
                  "  daedalus info model.onnx\n"
                  "  daedalus info --machine my-machine.yaml --json\n"
                  "  daedalus info --machine my-machine.yaml --area");
  command->callback([options] {
    if (!options->file.empty())
      return describeFile(options->file, options->json);
    if (options->operators)
      return printOperators(options->json);
    std::vector<std::string> names = isa::builtinMachines();
    if (!options->machine.empty())
      names = {options->machine};
    std::vector<isa::Machine> machines;
    for (const std::string &name : names)
      machines.push_back(machineNamed(name));
    if (options->area || !options->areaTable.empty())
      return printAreas(machines, options->areaTable, options->json);
    options->json ? printJson(machines) : printText(machines);
  });
}

} // namespace daedalus::cli
