// Models in ONNX's test form: model.onnx, or model.mlir, beside folders test_data_set_* with input_N.pb and
// output_N.pb.
#pragma once

#include "daedalus/Pipelines/Compile.h"

#include <string>
#include <vector>

namespace daedalus::cli {

/// The folders of tests at or below `folder`, sorted. Failed where there are none.
std::vector<std::string> findTests(const std::string &folder);

enum class Verdict { Passed, Refused, Wrong };
const char *name(Verdict verdict);

struct CheckOutcome {
  Verdict verdict = Verdict::Passed;
  std::string detail;               ///< why refused, or the first value that is wrong
  std::vector<std::string> targets; ///< of the model's layers, each once
};

/// Compiles the test's model without a look at its data, runs it on every data set and compares: integers
/// exactly, float32 within 1e-3 of the expected value and 1e-7.
CheckOutcome checkTest(const std::string &folder, const CompileOptions &options, const std::string &engine);

} // namespace daedalus::cli
