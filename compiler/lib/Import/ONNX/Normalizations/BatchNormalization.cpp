// BatchNormalization and InstanceNormalization: one scale and one bias a channel.

#include "Normalizations/ByStatistics.h"
#include "OperatorTable.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Kernels/Normalizations.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

/// One number a channel in each input from `first` on.
bool perChannel(C &c, size_t first) {
  for (size_t i = first; i < c.inputs.size(); ++i)
    if (!c.hasShape(i, {c.rank(0) > 1 ? c.shape(0)[1] : 1}))
      return false;
  return true;
}

bool batchNormalization(C &c) {
  if (c.version < 7 && !c.integer("is_test", 0))
    return c.fail("trains (attribute 'is_test' has value 0); expected inference: export the model in "
                  "evaluation mode");
  if (!c.isFlag("training_mode") || !c.isFlag("spatial") || !c.rankAtLeast(0, 2) || !epsilonFits(c) ||
      !perChannel(c, 1))
    return false;
  if (c.integer("training_mode", 0) && !c.isNotEmpty(0))
    return false;
  for (size_t i = 1; i < c.outputs.size(); ++i)
    if (!c.output(i, c.shape(1)))
      return false;
  return c.like(0);
}

bool instanceNormalization(C &c) {
  return epsilonFits(c) && c.rankAtLeast(0, 3) && perChannel(c, 1) && c.like(0);
}

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

Covered importBatchNormalization(Importer &im, const Node &node) {
  const Shape shape = im.known(node, 0).shape;
  const int64_t channels = shape.size() > 1 ? shape[1] : 1;
  if (!im.areReal(node) || node.proto.output_size() != 1 || intAttribute(node, "training_mode", 0) ||
      !intAttribute(node, "spatial", 1))
    return false;
  for (int input = 1; input < 5; ++input)
    if (im.known(node, input).shape != Shape{channels})
      return false;
  Value x = im.valueOf(node, 0), scale = im.valueOf(node, 1), bias = im.valueOf(node, 2),
        mean = im.valueOf(node, 3), variance = im.valueOf(node, 4);
  im.define(node, im.builder.create<qnn::BatchNormOp>(
                      node.loc, im.realType(shape), x, scale, bias, mean, variance,
                      im.builder.getF32FloatAttr(floatAttribute(node, "epsilon", 1e-5f))));
  return true;
}

} // namespace

void addBatchNormalizations(Operators &all) {
  all["BatchNormalization"] = {1, batchNormalization, batchNormalization, importBatchNormalization,
                               "accelerator, in the convolution before it or as a depthwise one"};
  all["InstanceNormalization"] = {1, instanceNormalization, instanceNormalization};
}

} // namespace daedalus::onnximport
