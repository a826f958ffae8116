// The models that the tests of levels take, and what they are compiled with.

#ifndef DAEDALUS_TESTS_E2E_MODELS_H
#define DAEDALUS_TESTS_E2E_MODELS_H

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/isa/machine.h"

#include "mlir/IR/BuiltinOps.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace daedalus::testing {

namespace fs = std::filesystem;
inline const fs::path examples = fs::path(DAEDALUS_SOURCE_DIR) / "examples";
inline const fs::path models = fs::path(DAEDALUS_BINARY_DIR) / "models";

/// Networks that take longer come with DAEDALUS_ALL_NETWORKS.
inline bool isTaken(const fs::path &model) {
  static const std::set<std::string> quick = {"mlp", "squeezenet", "mobilenet_v2", "detector"};
  return model.parent_path().filename() != "networks" || quick.count(model.stem().string()) ||
         std::getenv("DAEDALUS_ALL_NETWORKS");
}

inline std::vector<std::string> inputs() {
  std::vector<std::string> all = {(examples / "digits" / "digits.onnx").string()};
  for (const fs::path &folder : {examples / "tensor_programs", models / "convs", models / "networks"})
    if (fs::exists(folder))
      for (const auto &entry : fs::directory_iterator(folder))
        if ((entry.path().extension() == ".mlir" || entry.path().extension() == ".onnx") &&
            isTaken(entry.path()))
          all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}

inline CompileOptions optionsFor(const std::string &machine = "default") {
  CompileOptions options;
  options.settings.of<accelerator::Settings>().machine = *isa::loadMachine(machine);
  return options;
}

/// A module as `--emit` prints it.
inline std::string printedLevel(mlir::ModuleOp module, bool hasLocalScope) {
  std::string result;
  llvm::raw_string_ostream stream(result);
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(true, false);
  if (hasLocalScope)
    flags.useLocalScope();
  module.print(stream, flags);
  return result + "\n";
}

/// As gtest names parameters.
inline std::string nameOf(const std::string &path) {
  std::string name = fs::path(path).stem().string();
  for (char &c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

} // namespace daedalus::testing

#endif
