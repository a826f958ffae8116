// Convolutions: see Products.h.

#include "daedalus/Kernels/Products.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace daedalus::kernels {

ConvolutionLoops::ConvolutionLoops(MLIRContext *context, const Window &window, Sizes weights, int64_t groups)
    : context(context) {
  const int64_t each = weights[0] / groups;
  const unsigned rank = window.rank(), depth = 2 + rank, last = depth + 1 + rank;
  count = last + 1;
  const auto loop = [&](unsigned d) { return getAffineDimExpr(d, context); };
  const auto position = [&](unsigned d) { return loop(d + 1 < rank ? 3 + d : last); };
  const auto inGroup = [&](AffineExpr at, int64_t size) { return groups == 1 ? at : loop(1) * size + at; };
  channel = inGroup(loop(2), each);
  SmallVector<AffineExpr> ofX{loop(0), inGroup(loop(depth), weights[1])}, ofW{channel, loop(depth)},
      ofY{loop(0), loop(1), loop(2)};
  for (unsigned d = 0; d < rank; ++d) {
    ofX.push_back(position(d) * window.strides[d] + loop(depth + 1 + d) * window.dilations[d]);
    ofW.push_back(loop(depth + 1 + d));
    ofY.push_back(position(d));
  }
  x = map(ofX), w = map(ofW), y = map(ofY);
}

/// [.., C, ..] as [.., groups, C / groups, ..], C being dimension `axis`.
static SmallVector<int64_t> grouped(Sizes shape, int64_t groups, size_t axis) {
  SmallVector<int64_t> result(shape);
  result[axis] /= groups;
  result.insert(result.begin() + axis, groups);
  return result;
}

Value convolution(Body &body, Value x, const ConvolutionLoops &loops, int64_t groups, Sizes shape, Type type,
                  Reads w, Body::Combine weight) {
  SmallVector<Read> reads{{x, loops.x}};
  reads.append(w.begin(), w.end());
  Value result = body.reduce(grouped(shape, groups, 1), loops.y, body.number(0, type), reads,
                             [&](Value sum, ValueRange elements) {
                               return body.add(sum, body.mul(elements[0], weight(elements.drop_front())));
                             });
  return body.reshape(result, shape);
}

/// The named convolution of floats; null where none means the same.
static Value namedConvolution(Body &body, Value x, Value w, const Window &window, int64_t groups,
                              Sizes shape) {
  const unsigned rank = window.rank();
  const Sizes weights = shapeOf(w);
  const auto strides = body.b.getI64TensorAttr(window.strides),
             dilations = body.b.getI64TensorAttr(window.dilations);
  const auto zeros = [&](Sizes shape) { return body.filled(shape, 0, elementOf(x)); };
  if (groups == 1 && rank == 1)
    return body.named<linalg::Conv1DNcwFcwOp>({x, w}, zeros(shape), strides, dilations);
  if (groups == 1 && rank == 2)
    return body.named<linalg::Conv2DNchwFchwOp>({x, w}, zeros(shape), strides, dilations);
  if (groups == 1 && rank == 3)
    return body.named<linalg::Conv3DNcdhwFcdhwOp>({x, w}, zeros(shape), strides, dilations);
  if (rank != 2)
    return nullptr;
  if (groups == weights[0] && weights[1] == 1) {
    w = body.reshape(w, {groups, weights[2], weights[3]});
    return body.named<linalg::DepthwiseConv2DNchwChwOp>({x, w}, zeros(shape), strides, dilations);
  }
  w = body.reshape(w, grouped(weights, groups, 0)), x = body.reshape(x, grouped(shapeOf(x), groups, 1));
  Value sum =
      body.named<linalg::Conv2DNgchwGfchwOp>({x, w}, zeros(grouped(shape, groups, 1)), strides, dilations);
  return body.reshape(sum, shape);
}

Value convolution(Body &body, Value x, Value w, const Window &window, int64_t groups, Sizes shape) {
  if (Value sum = namedConvolution(body, x, w, window, groups, shape))
    return sum;
  const ConvolutionLoops loops(body.b.getContext(), window, shapeOf(w), groups);
  return convolution(body, x, loops, groups, shape, elementOf(x), Read{w, loops.w},
                     [](ValueRange w) { return w[0]; });
}

} // namespace daedalus::kernels
