// A package measured on this host: whole runs by the wall clock, its layers by the runtime's clock, or by
// that of the device on which they run.
#pragma once

#include "Tuning/Timing.h"

#include "daedalus/runtime/session.h"

#include <vector>

namespace daedalus::tuning {

/// What a layer's time is.
enum class Clock {
  Host,   ///< by the host's, on its CPU
  Device, ///< by that of a device with a memory of its own
  None    ///< of an emulated one, which counts instructions; the same in every run
};
Clock clockOf(const runtime::LayerCycles &layer);

/// A side of a comparison whose layers are measured too.
class TimedModel : public Timed {
public:
  TimedModel(runtime::Session &session, std::vector<runtime::Tensor> inputs);

  /// Of whole runs of the package's first function.
  Result<double> seconds(uint64_t runs) override;

  /// By RunResult::layers, once it was measured: of the batches that count in `whole`.
  std::vector<Timing> layers(const Timing &whole) const;

  /// Of each layer, once it was measured.
  const std::vector<Clock> &clocks() const { return ofLayers; }

private:
  runtime::Session &session;
  std::vector<runtime::Tensor> inputs;
  std::vector<std::vector<double>> batches; ///< seconds of one run, by batch and layer; where there is no
                                            ///< clock, instructions for nanoseconds
  std::vector<Clock> ofLayers;
};

} // namespace daedalus::tuning
