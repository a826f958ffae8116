// The files of --input, each read once: for the sizes that a model leaves open, or for the run.
#pragma once

#include "daedalus/Import/ONNX/GivenInputs.h"
#include "daedalus/runtime/tensor.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::cli {

class InputFiles {
public:
  /// Of `[NAME=]FILE.npy` options. With `samples`, the first dimension counts samples, and the model sees
  /// one.
  InputFiles(const std::vector<std::string> &options, bool samples) : options(options), samples(samples) {}

  /// The sizes that an ONNX model leaves open and --shape does not say become those of the data. Failed where
  /// data do not fit the model, or each other.
  void giveSizes(const std::string &model, GivenInputs &given);

  /// The tensor of a file. Failed names the file and what is wrong with it.
  runtime::Tensor take(const std::string &path);

private:
  std::optional<std::string> fileOf(const std::string &input, bool isOnly) const;
  std::vector<int64_t> sizesOf(const std::string &path);

  const std::vector<std::string> options;
  const bool samples;
  std::map<std::string, runtime::Tensor> read; ///< by paths
};

} // namespace daedalus::cli
