// Normalizations by statistics that are given or computed: of batches, of images, of layers, softmax.

#include "Builds.h"
#include "Statistics.h"

#include "daedalus/Kernels/Normalizations.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

/// By the statistics of the batch itself; outputs 1 and 2 are the given ones, moved towards those.
Value trainedNormalization(K &k) {
  for (size_t i = 1; i < 5; ++i)
    if (k.dtype(i) != k.dtype(0))
      return k.refuseType(i, "that of input 0, " + dtypeName(k.dtype(0)));
  Value x = k.in(0), mean = channelMean(k, x, nullptr);
  if (k.outputIndex == 0)
    return kernels::batchNormalization(k, k.read(0), k.output.shape,
                                       {k.in(1), k.in(2), mean, channelMean(k, x, mean)},
                                       k.real("epsilon", 1e-5f));
  Value moved = k.outputIndex == 1 ? mean : channelMean(k, x, mean);
  const double momentum = k.real("momentum", 0.9f);
  return k.elementwiseOutput(
      {k.read(k.outputIndex + 2), k.broadcast(moved, k.output.shape)}, [&](ValueRange x) {
        const auto times = [&](Value x, double factor) { return k.mul(x, k.number(factor, x.getType())); };
        return k.add(times(x[0], momentum), times(x[1], 1 - momentum));
      });
}

Value batchNormalization(K &k) {
  if (k.integer("training_mode", 0))
    return trainedNormalization(k);
  if (k.outputs.size() > 1)
    return k.refuse(
        "trains (several outputs without attribute 'training_mode'); expected inference: export the "
        "model in evaluation mode");
  if (!k.integer("spatial", 1))
    return k.refuse("attribute 'spatial' has value 0; expected 1");
  Value scale = k.in(1), bias = k.in(2), mean = k.in(3), variance = k.in(4);
  return kernels::batchNormalization(k, k.read(0), k.output.shape, {scale, bias, mean, variance},
                                     k.real("epsilon", 1e-5f));
}

/// Of input 0 over the dimensions from `first` on.
Statistics statistics(K &k, unsigned first) {
  return Statistics(k, k.in(0), first, k.real("epsilon", 1e-5f));
}

Value instanceNormalization(K &k) {
  const Statistics of = statistics(k, 2);
  const AffineMap channel = k.loops(k.rank(0), 1);
  return k.elementwiseOutput(
      {k.read(0), {of.mean, of.outer}, {of.factor, of.outer}, k.read(1, channel), k.read(2, channel)},
      [&](ValueRange x) {
        Value normal = k.mul(k.sub(x[0], x[1]), x[2]);
        return k.add(k.mul(normal, x[3]), x[4]);
      });
}

Value layerNormalization(K &k) {
  const Statistics of = statistics(k, k.axis(k.integer("axis", -1), k.rank(0)));
  if (k.outputIndex == 1)
    return k.reshape(of.mean, k.output.shape);
  if (k.outputIndex == 2)
    return k.reshape(of.factor, k.output.shape);
  SmallVector<Read> reads{k.read(0), {of.mean, of.outer}, {of.factor, of.outer}, k.read(1)};
  if (k.has(2))
    reads.push_back(k.read(2));
  return k.elementwiseOutput(reads, [&](ValueRange x) {
    Value normal = k.mul(k.mul(k.sub(x[0], x[1]), x[2]), x[3]);
    return k.has(2) ? k.add(normal, x[4]) : normal;
  });
}

/// The axes that a softmax runs over: one, or up to opset 12 all from `axis` on.
SmallVector<unsigned> softmaxAxes(K &k) {
  const bool old = k.node.opset < 13;
  const int64_t axis = k.axis(k.integer("axis", old ? 1 : -1), k.rank(0));
  return range(axis, old ? k.rank(0) : axis + 1);
}

Value softmaxOf(K &k, bool ofLogarithm) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  return softmaxAlong(k, k.in(0), softmaxAxes(k), ofLogarithm);
}

Value softmax(K &k) {
  return softmaxOf(k, false);
}
Value logSoftmax(K &k) {
  return softmaxOf(k, true);
}

} // namespace

void addNormalizations(Builds &builds) {
  builds.insert({{"BatchNormalization", batchNormalization},
                 {"InstanceNormalization", instanceNormalization},
                 {"LayerNormalization", layerNormalization},
                 {"LogSoftmax", logSoftmax},
                 {"Softmax", softmax}});
}

} // namespace daedalus::onnximport
