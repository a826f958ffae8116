// Products of matrices and convolutions, in float32, and in int32 of int8 and uint8.

#include "Builds.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

/// An input that a product reads: its element at an index, as a number of the accumulator's type.
using Reader = std::function<Value(const Indices &)>;

Reader plain(K &k, size_t input) {
  Value tensor = k.in(input);
  return [&k, tensor](const Indices &at) { return k.read(tensor, at); };
}

/// x - zero point, in int32. The zero point is a scalar, or has one entry an index of dimension `axis`.
Reader centred(K &k, size_t input, size_t zeroPoint, int64_t axis) {
  Value tensor = k.in(input), zero = k.has(zeroPoint) ? k.in(zeroPoint) : Value();
  return [&k, tensor, zero, input, zeroPoint, axis](const Indices &at) {
    auto wide = [&](Value value, size_t of) {
      return k.convert(value, k.dtype(of), onnx::TensorProto::INT32);
    };
    Value x = wide(k.read(tensor, at), input);
    if (!zero)
      return x;
    const bool one = product(k.shape(zeroPoint)) == 1;
    Indices which(k.rank(zeroPoint), k.index(0));
    if (!one)
      which[0] = at[axis < 0 ? at.size() + axis : axis];
    return k.sub(x, wide(k.read(zero, which), zeroPoint));
  };
}

/// The index of an operand of a batched product: its own dimensions of the output's batch, then `rest`.
Indices batchIndex(K &k, const Shape &shape, const Indices &at, size_t batch,
                   std::initializer_list<Value> rest) {
  Indices own;
  const size_t rank = shape.size() - rest.size();
  for (size_t d = 0; d < rank; ++d)
    own.push_back(shape[d] == 1 ? k.index(0) : at[batch - rank + d]);
  own.append(rest);
  return own;
}

/// numpy's matmul; vectors take part as a row or a column.
Value matmulOf(K &k, const Reader &a, const Reader &b, Type type) {
  const Shape &left = k.shape(0), &right = k.shape(1);
  const bool row = left.size() > 1, column = right.size() > 1;
  const size_t batch = k.output.shape.size() - row - column;
  const int64_t depth = left.back();
  k.macs = product(k.output.shape) * depth;
  return k.reduce(
      k.output.shape, {depth}, k.number(0, type),
      [&](const Indices &at, const Indices &over, Value sum) {
        Indices ofA = row ? batchIndex(k, left, at, batch, {at[batch], over[0]}) : Indices{over[0]};
        Indices ofB = column ? batchIndex(k, right, at, batch, {over[0], at.back()}) : Indices{over[0]};
        return k.add(sum, k.mul(a(ofA), b(ofB)));
      },
      column ? 1 : 0);
}

Value matmul(K &k) {
  return matmulOf(k, plain(k, 0), plain(k, 1), k.outputType());
}

Value matmulInteger(K &k) {
  return matmulOf(k, centred(k, 0, 2, -2), centred(k, 1, 3, -1), k.outputType());
}

Value gemm(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuse("has input type " + dtypeName(k.dtype(0)) + "; expected float32");
  const bool transA = k.integer("transA", 0) != 0, transB = k.integer("transB", 0) != 0;
  const float alpha = k.real("alpha", 1), beta = k.real("beta", 1);
  const int64_t depth = k.shape(0)[transA ? 0 : 1];
  Value a = k.in(0), b = k.in(1), c = k.has(2) ? k.in(2) : Value();
  Type f32 = k.outputType();
  k.macs = product(k.output.shape) * depth;
  Value sum = k.reduce(
      k.output.shape, {depth}, k.number(0, f32),
      [&](const Indices &at, const Indices &over, Value sum) {
        Value x = k.read(a, transA ? Indices{over[0], at[0]} : Indices{at[0], over[0]});
        Value y = k.read(b, transB ? Indices{at[1], over[0]} : Indices{over[0], at[1]});
        return k.add(sum, k.mul(x, y));
      },
      transB ? 0 : 1);
  if (!c && alpha == 1)
    return sum;
  return k.computeOutput([&](const Indices &at) {
    Value result = k.mul(k.number(alpha, f32), k.read(sum, at));
    return c ? k.add(result, k.mul(k.number(beta, f32), k.readBroadcast(c, at))) : result;
  });
}

/// The input [N,C,...] with zeros around it.
Value padded(K &k, const Reader &x, const Window &window, Type type) {
  Shape shape = k.shape(0);
  for (size_t i = 0; i < window.kernel.size(); ++i)
    shape[2 + i] += window.padBegin[i] + window.padEnd[i];
  return k.compute(shape, type, [&](const Indices &at) {
    Indices from = at;
    Value inside = k.boolean(true);
    for (size_t i = 0; i < window.kernel.size(); ++i) {
      if (shape[2 + i] == k.shape(0)[2 + i])
        continue;
      Value y = k.sub(at[2 + i], k.index(window.padBegin[i])), last = k.index(k.shape(0)[2 + i] - 1);
      from[2 + i] = k.clamp(y, k.index(0), last);
      inside = k.both(inside, k.compare(Body::Compare::Equal, y, from[2 + i]));
    }
    return k.select(inside, x(from), k.number(0, type));
  });
}

/// x [N,C,...], w [OC,C/groups,...].
Value convolutionOf(K &k, const Reader &x, const Reader &w, Type type) {
  const int64_t groups = k.integer("group", 1), channels = k.shape(1)[1];
  const Window window = k.window(Shape(k.shape(1).begin() + 2, k.shape(1).end()));
  Value input = padded(k, x, window, type);
  Shape over{channels};
  over.append(window.kernel.begin(), window.kernel.end());
  k.macs = product(k.output.shape) * product(over);
  Value each = k.index(k.shape(1)[0] / groups), ofGroup = k.index(channels);
  return k.reduce(
      k.output.shape, over, k.number(0, type),
      [&](const Indices &at, const Indices &in, Value sum) {
        Value group = groups == 1 ? k.index(0) : k.div(at[1], each, true);
        Indices from{at[0], k.add(k.mul(group, ofGroup), in[0])}, weight{at[1], in[0]};
        for (size_t i = 0; i < window.kernel.size(); ++i) {
          Value start = k.mul(at[2 + i], k.index(window.strides[i]));
          from.push_back(k.add(start, k.mul(in[1 + i], k.index(window.dilations[i]))));
          weight.push_back(in[1 + i]);
        }
        return k.add(sum, k.mul(k.read(input, from), w(weight)));
      },
      1);
}

Value convolution(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuse("has input type " + dtypeName(k.dtype(0)) + "; expected float32");
  Value sum = convolutionOf(k, plain(k, 0), plain(k, 1), k.outputType());
  if (!sum || !k.has(2))
    return sum;
  Value bias = k.in(2);
  return k.computeOutput([&](const Indices &at) { return k.add(k.read(sum, at), k.read(bias, {at[1]})); });
}

Value convolutionInteger(K &k) {
  return convolutionOf(k, centred(k, 0, 2, 1), centred(k, 1, 3, 0), k.outputType());
}

} // namespace

void addProducts(Builds &builds) {
  builds.insert({{"Conv", convolution},
                 {"ConvInteger", convolutionInteger},
                 {"Gemm", gemm},
                 {"MatMul", matmul},
                 {"MatMulInteger", matmulInteger}});
}

} // namespace daedalus::onnximport
