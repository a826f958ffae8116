// A package measured on the host's CPU: whole runs by the wall clock, its layers by the runtime's clock.
#pragma once

#include "Tuning/Timing.h"

#include "daedalus/runtime/session.h"

#include <vector>

namespace daedalus::tuning {

/// A side of a comparison whose layers are measured too.
class TimedModel : public Timed {
public:
  TimedModel(runtime::Session &session, std::vector<runtime::Tensor> inputs);

  /// Of whole runs of the package's first function.
  Result<double> seconds(uint64_t runs) override;

  /// By RunResult::layers, once it was measured: of the batches that count in `whole`.
  std::vector<Timing> layers(const Timing &whole) const;

private:
  runtime::Session &session;
  std::vector<runtime::Tensor> inputs;
  std::vector<std::vector<double>> batches; ///< seconds of one run, by batch and layer
};

} // namespace daedalus::tuning
