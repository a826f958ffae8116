// The options that several commands take, declared alike.
#include "cli/Choices.h"
#include "cli/CommandLine.h"
#include "cli/Files.h"
#include "cli/Help.h"
#include "cli/Plugins.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Target/Target.h"
#include "daedalus/isa/machine.h"
#include "daedalus/runtime/drivers.h"
#include "daedalus/runtime/session.h"
#include "daedalus/simulator/device.h"
#include "daedalus/simulator/soc.h"
#include "daedalus/support/cache_folder.h"
#include "daedalus/support/decimal.h"
#include "daedalus/support/inputs.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <charconv>

namespace daedalus::cli {

void addMachineOption(CLI::App &command, std::string &machine) {
  command
      .add_option("--machine", machine,
                  "One of " + llvm::join(isa::builtinMachines(), ", ") +
                      ", or a machine file; KEY=VALUE changes a key of it")
      ->group(commonOptions)
      ->type_name("NAME|FILE[,KEY=VALUE...]");
}

/// " (auto leaves out NAME: auto,NAME)", if there is such a target.
static std::string leftOutText() {
  for (const auto &target : targets())
    if (target->isAskedByName())
      return " (auto leaves out " + target->name() + ": auto," + target->name() + ")";
  return "";
}

CLI::Option *addTargetOption(CLI::App &command, std::string &target) {
  const auto check = [](const std::string &text) {
    const Result<void> known = checkTargetChoice(text);
    return known ? std::string() : known.error();
  };
  return command
      .add_option("--target", target,
                  "auto: each part of the model runs on the cheapest target that supports it, the rest on "
                  "the CPU. A target's name: that target alone, or an error. Several names with commas: the "
                  "cheapest of these, the rest on the CPU" +
                      leftOutText())
      ->check(choiceOf(targetChoices(), check))
      ->group(commonOptions)
      ->capture_default_str()
      ->type_name("T");
}

CLI::Option *addPolicyOption(CLI::App &command, std::string &policy) {
  return command
      .add_option("--placement-policy", policy,
                  "How target auto chooses. accelerator-first: everything that the accelerator supports runs "
                  "there. cheapest: the placement with the least total cost of kernels and copies; this "
                  "needs --clock-mhz and bench --calibrate")
      ->check(oneOf(placementPolicies()))
      ->group(commonOptions)
      ->capture_default_str()
      ->type_name("POLICY");
}

void addNoNativeOption(CLI::App &command, bool &noNative) {
  command
      .add_flag(
          "--no-native", noNative,
          "Refuse packages that carry native code, which can do whatever a program can. Without native code, "
          "a package from an untrusted source is safe to run")
      ->group(commonOptions);
}

static CLI::Option *addEngineOf(CLI::App &command, std::string &engine, const std::vector<std::string> &names,
                                const std::string &what, const std::string &more) {
  return command
      .add_option("--engine", engine,
                  what + "systemc: results and cycles; rtl: the hardware itself, Verilated" + more)
      ->check(oneOf(names))
      ->type_name("E");
}

static const std::string hardwareText =
    std::string("; ") + runtime::hardwareEngine +
    ": an accelerator behind Linux's UIO or 'daedalus serve' (docs/targets.md)";

CLI::Option *addEngineOption(CLI::App &command, std::string &engine) {
  return addEngineOf(command, engine, runtime::engineNames(), "functional: results without cycles; ",
                     hardwareText);
}

CLI::Option *addRunEngineOption(CLI::App &command, std::string &engine) {
  std::vector<std::string> names = runtime::engineNames();
  for (const std::string &system : sim::socEngineNames())
    names.push_back(system);
  return addEngineOf(
      command, engine, names,
      "functional: results without cycles; soc, soc-rtl: a whole system whose processor runs the "
      "network, on the accelerator of systemc or rtl (docs/soc.md); ",
      hardwareText);
}

CLI::Option *addSimulatorOption(CLI::App &command, std::string &engine) {
  return addEngineOf(command, engine, sim::engineNames(), "functional: results without cycles; ", "")
      ->capture_default_str();
}

CLI::Option *addCycleEngineOption(CLI::App &command, std::string &engine) {
  std::vector<std::string> names = runtime::engineNames();
  for (const char *withoutProfile : {"functional", runtime::hardwareEngine})
    names.erase(std::remove(names.begin(), names.end(), withoutProfile), names.end());
  return addEngineOf(command, engine, names, "", "")->capture_default_str();
}

void addJsonOption(CLI::App &command, bool &json) {
  command.add_flag("--json", json, "Print JSON instead of text")->group(commonOptions);
}

CLI::Option *addOutputOption(CLI::App &command, std::string &output, const std::string &what,
                             const std::string &byDefault, const std::string &form) {
  return command
      .add_option("-o,--output", output,
                  "Write " + what + " to this file; - is stdout (default: " + byDefault + ")")
      ->type_name(form);
}

CLI::Option *addFolderOption(CLI::App &command, std::string &output, const std::string &what,
                             const std::string &byDefault) {
  return command
      .add_option("-o,--output", output, "Write " + what + " to this folder (default: " + byDefault + ")")
      ->type_name("DIR");
}

/// Behind the last '=', for a name may hold some: sizes with x or a comma between them; nothing where the
/// text is none.
static std::optional<std::vector<int64_t>> parseSizes(const std::string &text) {
  std::vector<int64_t> sizes;
  size_t begin = text.rfind('=') + 1, end = 0;
  if (begin == 1)
    return std::nullopt;
  for (; end != std::string::npos; begin = end + 1) {
    end = text.find_first_of("x,", begin);
    const std::optional<uint64_t> size = parseDecimal(text.substr(begin, end - begin));
    if (!size || *size > uint64_t(1) << 31)
      return std::nullopt;
    sizes.push_back(static_cast<int64_t>(*size));
  }
  return sizes;
}

static std::string checkShape(const std::string &text) {
  return parseSizes(text)
             ? ""
             : "'" + text +
                   "'; expected INPUT=SIZES, whole numbers from 0 to 2^31 with x between them, for "
                   "example image=1x3x224x224, or the sizes alone";
}

static std::string checkConstant(const std::string &text) {
  const size_t split = text.rfind('=');
  const std::string value = split == std::string::npos ? "" : text.substr(split + 1);
  double number = 0;
  const char *const stop = value.data() + value.size();
  const auto [end, problem] = std::from_chars(value.data(), stop, number);
  const bool isNumber = !value.empty() && end == stop && problem != std::errc::invalid_argument;
  return split && (isNumber || value == "true" || value == "false")
             ? ""
             : "'" + text + "'; expected INPUT=NUMBER, for example rate=16000, or true or false";
}

/// An option that says one thing of an input, and may be given for each.
static void addOfInputs(CLI::App &command, const std::string &option,
                        std::function<bool(const std::string &name, const std::string &text)> add,
                        std::string (*check)(const std::string &), const std::string &what,
                        const std::string &form) {
  const auto addAll = [option, add](const std::vector<std::string> &texts) {
    for (const std::string &text : texts) {
      const size_t split = text.rfind('=');
      const std::string name = split == std::string::npos ? "" : text.substr(0, split);
      if (!add(name, text))
        throw Usage{option + (name.empty() ? "" : " of input '" + name + "'") +
                    " is given twice; expected it once per input"};
    }
  };
  command.add_option_function<std::vector<std::string>>(option, addAll, what)
      ->check(CLI::Validator([check](std::string &text) { return check(text); }, ""))
      ->allow_extra_args(false)
      ->group(commonOptions)
      ->type_name(form);
}

void addInputOptions(CLI::App &command, GivenInputs &inputs) {
  addOfInputs(
      command, "--shape",
      [&inputs](const std::string &name, const std::string &text) {
        return inputs.shapes.emplace(name, *parseSizes(text)).second;
      },
      checkShape,
      "Set the dynamic dimensions of an input; repeat it for each input (a single input needs no INPUT=)",
      "[INPUT=]AxB...");
  addOfInputs(
      command, "--set",
      [&inputs](const std::string &name, const std::string &text) {
        return inputs.constants.emplace(name, text.substr(text.rfind('=') + 1)).second;
      },
      checkConstant, "Replace an input by a constant with this value in every element", "INPUT=NUMBER");
}

void refuseInputOptions(const GivenInputs &inputs, const std::string &package) {
  if (!inputs.empty())
    throw Usage{"--shape and --set are for models: '" + package +
                "' is a package, which already fixes the shapes of its inputs"};
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

void addTargetOptions(CLI::App &command, TargetTexts &texts) {
  addTargetPluginOption(command);
  for (const TargetOption &option : targetOptions())
    command
        .add_option_function<std::string>(
            "--" + option.name,
            [&texts, name = option.name](const std::string &value) { texts[name] = value; }, option.meaning)
        ->default_str(option.initial)
        ->group(commonOptions)
        ->type_name(option.form);
}

TargetSettings settingsOf(const TargetTexts &texts) {
  TargetSettings settings;
  if (Result<std::string> folder = cacheFolder("objects"))
    settings.cache = std::move(*folder); // where there is none, everything is compiled anew
  for (const TargetOption &option : targetOptions()) {
    const auto given = texts.find(option.name);
    if (given == texts.end())
      continue;
    if (option.isFile)
      noteInput(given->second);
    orFail(settings.give(option.name, given->second));
  }
  return settings;
}

void refuseTargetOptions(const TargetTexts &texts, const std::string &package) {
  for (const TargetOption &option : targetOptions())
    if (texts.count(option.name) && !option.refusal.empty())
      throw Usage{"--" + option.name + " is for models: '" + package + "' is a package, " + option.refusal};
}

CLI::Option *addThreadsOption(CLI::App &command, uint64_t &threads) {
  return addNumberOption(command, "--threads", threads, 1, runtime::mostThreads,
                         "CPU threads that share the work of each kernel")
      ->group(commonOptions)
      ->type_name("N");
}

} // namespace daedalus::cli
