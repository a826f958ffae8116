// The subcommands of `daedalus`, one file each. Every add function declares its options on the
// application and sets a callback that does the work, reports failure by throwing Failed or Usage, and
// leaves no library above this folder with anything to know about the command line.
#pragma once

#include "daedalus/Import/ONNX/GivenInputs.h"
#include "daedalus/Target/Settings.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>

namespace daedalus::cli {

/// The command could not do it: `daedalus: error: message`, exit status 1. Only inside this folder.
struct Failed {
  std::string message;
};

/// The command was asked something it does not offer: as Failed, exit status 2.
struct Usage {
  std::string message;
};

/// The command did its work and its answer is "no", already printed: exit status 1 without a message.
struct Negative {};

void addCompile(CLI::App &app);
void addRun(CLI::App &app);
void addProfile(CLI::App &app);
void addCertify(CLI::App &app);
void addAsm(CLI::App &app);
void addDisasm(CLI::App &app);
void addVerify(CLI::App &app);
void addBench(CLI::App &app);
/// `bench convs` and `bench networks`: the models of that kind.
void addBenchModels(CLI::App &parent, const char *kind, const char *what);
/// `bench --calibrate`.
void addCalibrate(CLI::App &bench);
/// `bench cpu`.
void addBenchCpu(CLI::App &parent);
void addCheck(CLI::App &app);
void addCosim(CLI::App &app);
void addInfo(CLI::App &app);

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
CLI::Option *addThreadsOption(CLI::App &command, uint64_t &threads);

/// `--shape` and `--set`, which say what an ONNX model leaves open.
void addInputOptions(CLI::App &command, GivenInputs &inputs);
/// Those are an error of a package.
void refuseInputOptions(const GivenInputs &inputs, const std::string &package);

/// An option whose value is a whole decimal number from `least` to `most`.
CLI::Option *addNumberOption(CLI::App &command, const std::string &name, uint64_t &value, uint64_t least,
                             uint64_t most, const std::string &what);

} // namespace daedalus::cli
