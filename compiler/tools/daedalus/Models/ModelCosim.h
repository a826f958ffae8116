// The accelerator programs of a model or package on two engines in lockstep.
#pragma once

#include "daedalus/Import/ONNX/GivenInputs.h"
#include "daedalus/simulator/cosim.h"

namespace daedalus::cli {

/// Runs every program of the model with random bytes as its inputs, up to the first divergence, which names
/// the instruction's ONNX node. An empty machine is the package's own, for a model `default`.
cosim::Campaign compareModel(const std::string &path, std::string &machine, const GivenInputs &inputs,
                             const cosim::Pair &pair);

} // namespace daedalus::cli
