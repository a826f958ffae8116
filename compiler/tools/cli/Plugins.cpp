#include "cli/Plugins.h"
#include "cli/Files.h"
#include "cli/Help.h"
#include "daedalus/Target/Plugin.h"
#include "daedalus/runtime/drivers.h"

namespace daedalus::cli {
namespace {

constexpr const char *targetOption = "--target-plugin", *driverOption = "--driver";

/// The values of an option, which stand behind it or behind a '='.
std::vector<std::string> valuesOf(const std::string &option, int argc, char **argv) {
  std::vector<std::string> values;
  for (int i = 1; i < argc && std::string(argv[i]) != "--"; ++i) {
    const std::string argument = argv[i];
    if (argument == option && i + 1 < argc)
      values.push_back(argv[++i]);
    else if (argument.rfind(option + "=", 0) == 0)
      values.push_back(argument.substr(option.size() + 1));
  }
  return values;
}

void declare(CLI::App &command, const char *option, const char *meaning) {
  command
      .add_option_function<std::vector<std::string>>(
          option, [](const std::vector<std::string> &) {}, meaning)
      ->allow_extra_args(false)
      ->group(commonOptions)
      ->type_name("FILE.so");
}

} // namespace

void loadPlugins(int argc, char **argv) {
  for (const std::string &path : valuesOf(targetOption, argc, argv))
    orFail(loadTarget(path));
  for (const std::string &path : valuesOf(driverOption, argc, argv))
    orFail(runtime::loadDriver(path));
}

void addTargetPluginOption(CLI::App &command) {
  declare(command, targetOption, "Load a target from a shared object");
}

void addDriverOption(CLI::App &command) {
  declare(command, driverOption, "Load a device's driver from a shared object");
}

} // namespace daedalus::cli
