// Normalizations by statistics that are given or computed.

#include "Builds.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

/// 1 / sqrt(variance + epsilon).
Value inverse(K &k, Value variance, float epsilon) {
  Value sum = k.add(variance, k.number(epsilon, variance.getType()));
  Value root = k.b.create<math::SqrtOp>(k.loc, sum);
  return k.div(k.number(1, sum.getType()), root);
}

/// Folded into one factor and one summand a channel.
Value batchNormalization(K &k) {
  if (k.integer("training_mode", 0) || k.outputs.size() > 1)
    return k.refuse(
        "trains (attribute 'training_mode' or several outputs); expected inference: export the model in "
        "evaluation mode");
  if (!k.integer("spatial", 1))
    return k.refuse("attribute 'spatial' has value 0; expected 1");
  const float epsilon = k.real("epsilon", 1e-5f);
  Value x = k.in(0), scale = k.in(1), bias = k.in(2), mean = k.in(3), variance = k.in(4);
  Type f32 = k.outputType();
  Value factor = k.compute(k.shape(1), f32, [&](const Indices &at) {
    return k.mul(k.read(scale, at), inverse(k, k.read(variance, at), epsilon));
  });
  Value summand = k.compute(k.shape(1), f32, [&](const Indices &at) {
    return k.sub(k.read(bias, at), k.mul(k.read(mean, at), k.read(factor, at)));
  });
  return k.computeOutput([&](const Indices &at) {
    Indices channel{at.size() > 1 ? at[1] : k.index(0)};
    return k.add(k.mul(k.read(x, at), k.read(factor, channel)), k.read(summand, channel));
  });
}

/// Mean over the dimensions from `first` on, into a tensor of the others; of squared distances from `centre`
/// if given.
Value meanBehind(K &k, int64_t first, Value centre) {
  Sizes all = k.shape(0);
  Sizes shape = all.take_front(first), over = all.drop_front(first);
  Value x = k.in(0);
  Type f32 = k.elementType(0);
  Value count = k.number(double(product(over)), f32);
  Value sum = k.reduce(shape, over, k.number(0, f32), [&](const Indices &at, const Indices &in, Value acc) {
    Indices from = at;
    from.append(in.begin(), in.end());
    Value value = k.read(x, from);
    if (centre) {
      value = k.sub(value, k.read(centre, at));
      value = k.mul(value, value);
    }
    return k.add(acc, value);
  });
  return k.compute(shape, f32, [&](const Indices &at) { return k.div(k.read(sum, at), count); });
}

Value instanceNormalization(K &k) {
  const float epsilon = k.real("epsilon", 1e-5f);
  Value mean = meanBehind(k, 2, nullptr), variance = meanBehind(k, 2, mean);
  Value x = k.in(0), scale = k.in(1), bias = k.in(2);
  return k.computeOutput([&](const Indices &at) {
    Indices image{at[0], at[1]}, channel{at[1]};
    Value normal =
        k.mul(k.sub(k.read(x, at), k.read(mean, image)), inverse(k, k.read(variance, image), epsilon));
    return k.add(k.mul(normal, k.read(scale, channel)), k.read(bias, channel));
  });
}

Value layerNormalization(K &k) {
  const int64_t axis = k.axis(k.integer("axis", -1), k.rank(0));
  const float epsilon = k.real("epsilon", 1e-5f);
  Value mean = meanBehind(k, axis, nullptr), variance = meanBehind(k, axis, mean);
  auto outer = [&](const Indices &at) { return Indices(at.begin(), at.begin() + axis); };
  if (k.outputIndex == 1)
    return k.computeOutput([&](const Indices &at) { return k.read(mean, outer(at)); });
  if (k.outputIndex == 2)
    return k.computeOutput(
        [&](const Indices &at) { return inverse(k, k.read(variance, outer(at)), epsilon); });
  Value x = k.in(0), scale = k.in(1), bias = k.has(2) ? k.in(2) : Value();
  return k.computeOutput([&](const Indices &at) {
    Value distance = k.sub(k.read(x, at), k.read(mean, outer(at)));
    Value normal = k.mul(distance, inverse(k, k.read(variance, outer(at)), epsilon));
    normal = k.mul(normal, k.readBroadcast(scale, at));
    return bias ? k.add(normal, k.readBroadcast(bias, at)) : normal;
  });
}

} // namespace

void addNormalizations(Builds &builds) {
  builds.insert({{"BatchNormalization", batchNormalization},
                 {"InstanceNormalization", instanceNormalization},
                 {"LayerNormalization", layerNormalization}});
}

} // namespace daedalus::onnximport
