// Outputs beside what they should be.
#pragma once

#include "ModelCheck.h"
#include "cli/Names.h"
#include "daedalus/Import/ONNX/TestData.h"
#include "daedalus/runtime/session.h"

namespace daedalus::cli {

/// How near an output has to be.
struct Tolerance {
  double relative = 1e-3, absolute = 1e-7; ///< as ONNX's own runner
  std::optional<double> steps; ///< nothing: an output of a quantized model that differs by one step differs
};

/// Integers have to be equal, floats of 16 bits at most as near as two units in their last place. Elements
/// that are not near are counted in steps of size `step` (0: there are none), those of a quantization where
/// `isQuantized`: an output of at most as many as the tolerance passes, and its detail says how many.
CheckOutcome compare(const runtime::Tensor &output, const OnnxTensor &expected, double step, bool isQuantized,
                     const Tolerance &tolerance);

} // namespace daedalus::cli
