// A package, or a model that is compiled first: the options that say how, alike in each command that takes
// either.
#pragma once

#include "Commands.h"
#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"

#include <functional>
#include <optional>
#include <string>

namespace daedalus::cli {

class InputFiles;

struct ModelOptions {
  std::string model, target = "auto", policy = "accelerator-first";
  GivenInputs given;
  TargetTexts texts;
  const CLI::Option *targetOption = nullptr, *policyOption = nullptr; ///< which a package refuses
};

/// Declares the argument; `options` lives as long as the command.
void addModelArgument(CLI::App &command, ModelOptions &options);
/// Declares --target, the options of targets, --shape and --set.
void addModelOptions(CLI::App &command, ModelOptions &options);

/// The package, or what the model is compiled to, with the sizes of the data where it leaves some open.
/// Failed names the file; Usage names an option that a package does not take.
package::Package loadPackage(const ModelOptions &options, InputFiles *data = nullptr);

/// Compiles the model for another machine, with the sizes of the data; null where it is a package. Both
/// arguments have to outlive it.
std::function<Result<package::Package>(const isa::Machine &)> compilerFor(const ModelOptions &options,
                                                                          InputFiles &data);

/// The machine that --machine names; nothing without it.
std::optional<isa::Machine> machineOf(const ModelOptions &options);

} // namespace daedalus::cli
