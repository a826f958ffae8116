// A package, or a model that is compiled first: the options that say how, alike in each command that takes
// either.
#pragma once

#include "Commands.h"
#include "daedalus/package/package.h"

#include <string>

namespace daedalus::cli {

class InputFiles;

struct ModelOptions {
  std::string model, target = "auto", machine, intrinsics;
  GivenInputs given;
  CodeOptions code;
  /// Which a package refuses.
  const CLI::Option *targetOption = nullptr, *levelsOption = nullptr;
};

/// Declares the argument; `options` lives as long as the command.
void addModelArgument(CLI::App &command, ModelOptions &options);
/// Declares --target, --machine, --cpu, --cpu-library, --intrinsics, --shape and --set.
void addModelOptions(CLI::App &command, ModelOptions &options);

/// The package, or what the model is compiled to, with the sizes of the data where it leaves some open.
/// Failed names the file; Usage names an option that a package does not take.
package::Package loadPackage(const ModelOptions &options, InputFiles *data = nullptr);

} // namespace daedalus::cli
