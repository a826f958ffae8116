// Inputs of a run, and runs over many samples: the model once for every entry of the first dimension.
#pragma once

#include "InputFiles.h"
#include "daedalus/runtime/session.h"

#include <string>
#include <vector>

namespace daedalus::cli {

/// `NAME=FILE.npy` options as tensors, checked against the function's inputs: each one given once, with its
/// type. The only input needs no name. With `samples`, the first dimension, 1 in the model, is the number of
/// samples and the same for all. Failed (Usage where the name is missing) names the input, its file, what was
/// found and expected.
std::vector<runtime::Tensor> readInputs(const std::vector<std::string> &options, InputFiles &files,
                                        const package::Function &function, bool samples);

struct SampleRun {
  uint64_t samples = 0;
  uint64_t totalCycles = 0;
  runtime::RunResult first;             // of the first sample
  std::vector<runtime::Tensor> stacked; // outputs of all samples, along the first dimension
};

/// Runs the session's first function once a sample, with a progress bar; keeps the first output or all of
/// them.
SampleRun runSamples(runtime::Session &session, const package::Function &function,
                     const std::vector<runtime::Tensor> &inputs, bool keepsAll);

/// The fraction of samples whose largest value (the first of equals) is at the label's index. Failed names
/// the file where its labels do not fit.
double accuracy(const runtime::Tensor &stacked, const std::string &labelsPath);

} // namespace daedalus::cli
