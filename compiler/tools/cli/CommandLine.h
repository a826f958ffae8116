// What the programs of this folder share: how a command line is declared, understood and refused. A command
// declares its options on the application and sets a callback that does the work and reports failure by
// throwing Failed or Usage; no library above this folder knows of the command line.
#pragma once

#include "cli/Names.h"
#include "daedalus/Import/ONNX/GivenInputs.h"
#include "daedalus/Target/Settings.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>

namespace daedalus::cli {

/// The command could not do it: `PROGRAM: error: message`, exit status 1. Only in programs.
struct Failed {
  std::string message;
};

/// The command was asked something it does not offer: as Failed, exit status 2.
struct Usage {
  std::string message;
};

/// The command did its work and its answer is "no", already printed: exit status 1 without a message.
struct Negative {};

/// Understands and runs a command line: 0 on success, 1 when the command failed, 2 when it was not
/// understood; errors are one sentence on stderr, behind the application's name. Ended by a signal, nothing
/// half-made is left behind. `addCommands` declares the commands once plug-ins are loaded.
int runCommand(CLI::App &app, int argc, char **argv, void (*addCommands)(CLI::App &));

/// What a command was given for options that targets declare, by their names.
using TargetTexts = std::map<std::string, std::string>;
/// Declares these options, and --target-plugin.
void addTargetOptions(CLI::App &command, TargetTexts &texts);
/// Failed says what is wrong with a value. The folder for what targets keep is the one that the environment
/// names.
TargetSettings settingsOf(const TargetTexts &texts);
/// Usage names an option that means nothing to a package.
void refuseTargetOptions(const TargetTexts &texts, const std::string &package);

/// `--machine`, `--target`, `--engine`, `--no-native`, `--threads`, declared alike wherever they are taken.
void addMachineOption(CLI::App &command, std::string &machine);
CLI::Option *addTargetOption(CLI::App &command, std::string &target);
/// `--placement-policy`.
CLI::Option *addPolicyOption(CLI::App &command, std::string &policy);
void addNoNativeOption(CLI::App &command, bool &noNative);
CLI::Option *addEngineOption(CLI::App &command, std::string &engine);
/// The same of a command that runs on whole systems too.
CLI::Option *addRunEngineOption(CLI::App &command, std::string &engine);
/// `--engine`, of the simulators.
CLI::Option *addSimulatorOption(CLI::App &command, std::string &engine);
/// `--engine`, of those that know where each cycle went.
CLI::Option *addCycleEngineOption(CLI::App &command, std::string &engine);
CLI::Option *addThreadsOption(CLI::App &command, uint64_t &threads);
/// `--json` of a command that prints text without it.
void addJsonOption(CLI::App &command, bool &json);

/// `-o,--output` for `what` that is written, to a file of this form or to a folder; `byDefault`: where it
/// goes without the option.
CLI::Option *addOutputOption(CLI::App &command, std::string &output, const std::string &what,
                             const std::string &byDefault, const std::string &form);
CLI::Option *addFolderOption(CLI::App &command, std::string &output, const std::string &what,
                             const std::string &byDefault);

/// `--shape` and `--set`, which say what an ONNX model leaves open.
void addInputOptions(CLI::App &command, GivenInputs &inputs);
/// Those are an error of a package.
void refuseInputOptions(const GivenInputs &inputs, const std::string &package);

/// An option whose value is a whole decimal number from `least` to `most`.
CLI::Option *addNumberOption(CLI::App &command, const std::string &name, uint64_t &value, uint64_t least,
                             uint64_t most, const std::string &what);

} // namespace daedalus::cli
