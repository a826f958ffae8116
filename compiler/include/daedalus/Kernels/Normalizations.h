// Normalizations by statistics that are given.

#ifndef DAEDALUS_KERNELS_NORMALIZATIONS_H
#define DAEDALUS_KERNELS_NORMALIZATIONS_H

#include "daedalus/Kernels/Body.h"

namespace daedalus::kernels {

/// The tensors that normalize x [N,C,...], one number a channel.
struct BatchStatistics {
  mlir::Value scale, bias, mean, variance;
};

/// scale (x - mean) / sqrt(variance + epsilon) + bias, folded into one factor and one summand a channel.
mlir::Value batchNormalization(Body &body, Read x, Sizes shape, const BatchStatistics &of, double epsilon);

} // namespace daedalus::kernels

#endif
