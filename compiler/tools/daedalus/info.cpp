// daedalus info: versions, targets, engines and machines.
#include "Commands.h"
#include "Files.h"
#include "Json.h"
#include "Table.h"
#include "daedalus/Import/ONNX/Operators.h"
#include "daedalus/isa/machine.h"
#include "daedalus/simulator/device.h"

#include <cinttypes>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

std::string hexadecimal(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%016" PRIx64, value);
  return text;
}

Json describe(const isa::Machine &machine) {
  return {
      {"name", machine.name},          {"hash", hexadecimal(machine.hash())}, {"n", machine.n},
      {"bus_bytes", machine.busBytes}, {"inp_bytes", machine.inpBytes},       {"wgt_bytes", machine.wgtBytes},
      {"acc_bytes", machine.accBytes}, {"param_bytes", machine.paramBytes},   {"lut_bytes", machine.lutBytes},
      {"out_bytes", machine.outBytes}, {"read_latency", machine.readLatency}};
}

std::string kibibytes(uint64_t bytes) {
  return bytes % 1024 ? std::to_string(bytes) + " B" : std::to_string(bytes / 1024) + " KiB";
}

void printText(const std::vector<isa::Machine> &machines) {
  std::cout << "daedalus " DAEDALUS_VERSION "\n\ntargets: auto, accelerator, cpu\nengines:";
  for (const std::string &engine : sim::engineNames())
    std::cout << " " << engine;
  std::cout << "\ndevices: none but the simulators\n\n";
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
  std::cout << dump({{"version", DAEDALUS_VERSION},
                     {"targets", {"auto", "accelerator", "cpu"}},
                     {"engines", sim::engineNames()},
                     {"devices", Json::array()},
                     {"machines", list}});
}

void printOperators(bool asJson) {
  Json list = Json::array();
  Table table({"operator", "quantized", "float32, integers, bool"});
  for (const OperatorSupport &one : supportedOperators()) {
    list.push_back({{"name", one.name}, {"quantized", one.quantized}, {"plain", one.plain}});
    table.row({one.name, one.quantized, one.plain.empty() ? "-" : one.plain});
  }
  std::cout << (asJson ? dump({{"operators", list}}) : table.text());
}

} // namespace

void addInfo(CLI::App &app) {
  struct Options {
    std::string machine;
    bool operators = false, json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("info", "Show versions, targets, engines and machines");
  addMachineOption(*command, options->machine);
  command->add_flag("--operators", options->operators, "The ONNX operators, and where their forms run");
  command->add_flag("--json", options->json, "As JSON");
  command->footer("Examples:\n"
                  "  daedalus info\n"
                  "  daedalus info --machine my-machine.yaml --json");
  command->callback([options] {
    if (options->operators)
      return printOperators(options->json);
    std::vector<std::string> names = isa::builtinMachines();
    if (!options->machine.empty())
      names = {options->machine};
    std::vector<isa::Machine> machines;
    for (const std::string &name : names)
      machines.push_back(orFail(isa::loadMachine(name)));
    options->json ? printJson(machines) : printText(machines);
  });
}

} // namespace daedalus::cli
