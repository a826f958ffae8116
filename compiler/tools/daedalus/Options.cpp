// The options that several commands take, declared alike.
#include "Commands.h"
#include "daedalus/Target/Target.h"
#include "daedalus/isa/machine.h"
#include "daedalus/simulator/device.h"
#include "daedalus/support/decimal.h"

namespace daedalus::cli {

static std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

void addMachineOption(CLI::App &command, std::string &machine) {
  command
      .add_option("--machine", machine, "One of " + joined(isa::builtinMachines()) + ", or a machine file")
      ->type_name("NAME|FILE");
}

void addIntrinsicsOption(CLI::App &command, std::string &intrinsics) {
  command
      .add_option("--intrinsics", intrinsics,
                  "Blocks that the accelerator may compute besides the built-in ones, declared in MLIR")
      ->type_name("FILE.mlir");
}

CLI::Option *addTargetOption(CLI::App &command, std::string &target) {
  return command
      .add_option(
          "--target", target,
          "auto: for each part the cheapest target that can run it, the CPU for the rest; the name of a "
          "target: an error where it cannot")
      ->check(CLI::IsMember(targetChoices()))
      ->type_name("T");
}

void addNoNativeOption(CLI::App &command, bool &noNative) {
  command.add_flag(
      "--no-native", noNative,
      "Refuse a package with native code, which is trusted like a program; what is left can be from "
      "anyone");
}

CLI::Option *addEngineOption(CLI::App &command, std::string &engine) {
  return command
      .add_option("--engine", engine,
                  "functional: results without cycles; systemc: results and cycles; "
                  "rtl: the hardware itself, Verilated")
      ->check(CLI::IsMember(sim::engineNames()))
      ->type_name("E");
}

CLI::Option *addNumberOption(CLI::App &command, const std::string &name, uint64_t &value, uint64_t least,
                             uint64_t most, const std::string &what) {
  const auto check = [=](const std::string &text) -> std::string {
    const std::optional<uint64_t> number = parseDecimal(text);
    if (number && *number >= least && *number <= most)
      return "";
    return "'" + text + "'; expected a whole number from " + std::to_string(least) + " to " +
           std::to_string(most);
  };
  return command.add_option(name, value, what)->check(CLI::Validator(check, ""))->capture_default_str();
}

} // namespace daedalus::cli
