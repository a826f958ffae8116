// Models in ONNX's test form: model.onnx, or model.mlir, beside folders test_data_set_* with input_N.pb and
// output_N.pb.
#pragma once

#include "daedalus/Pipelines/Compile.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::cli {

/// The folders of tests at or below `folder`, sorted. Failed where there are none.
std::vector<std::string> findTests(const std::string &folder);

/// Differs: by at most a step of quantization, where nobody says how many are right.
enum class Verdict { Passed, Differs, Refused, Wrong };
constexpr size_t verdicts = 4;
const char *name(Verdict verdict);

struct CheckOptions {
  CompileOptions compile;
  std::string engine;
  std::optional<double>
      steps;            ///< by so many quantization steps an output may differ; nothing: Verdict::Differs
  unsigned threads = 1; ///< that share the work of kernels on the CPU
};

struct CheckOutcome {
  Verdict verdict = Verdict::Passed;
  std::string detail;               ///< why refused, what is wrong, or by how many steps outputs differ
  std::vector<std::string> targets; ///< of the model's layers, each once
  double steps = 0;                 ///< of the output that differs most

  /// Takes over what another output that is not wrong says, where that one differs more.
  void join(const CheckOutcome &other);
};

/// Compiles the test's model without a look at its data, runs it on every data set and compares. Integers
/// have to be equal, floats within 1e-3 of the expected value and 1e-7, or what `rtol` and `atol` of a
/// data.json beside the model say. What differs more is counted in quantization steps where there are some:
/// of int8 and uint8, and of floats that a DequantizeLinear gives. Without a number of steps, an output of a
/// quantized model that differs by at most one is neither right nor wrong.
CheckOutcome checkTest(const std::string &folder, const CheckOptions &options);

} // namespace daedalus::cli
