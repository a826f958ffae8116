// Convolutions, in float32, and in int32 of int8 and uint8. Those of floats are named operations where one
// means the same; the others say the order of their loops themselves, with the one that runs along the
// output's rows innermost.

#include "Builds.h"
#include "Centred.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

Window convolutionWindow(K &k) {
  const Shape &weights = k.shape(1);
  return k.window(Shape(weights.begin() + 2, weights.end()));
}

/// The loops of a convolution, y [N,G,OC/G,...], x [N,C,...], w [OC,C/G,...]: n, group, output channel of the
/// group, output positions but the last, channel of the group, the kernel, the last position.
struct ConvolutionLoops {
  ConvolutionLoops(K &k, const Window &window) : context(k.b.getContext()) {
    const int64_t groups = k.integer("group", 1), each = k.shape(1)[0] / groups;
    const unsigned rank = window.kernel.size(), depth = 2 + rank, last = depth + 1 + rank;
    count = last + 1;
    const auto loop = [&](unsigned d) { return getAffineDimExpr(d, context); };
    const auto position = [&](unsigned d) { return loop(d + 1 < rank ? 3 + d : last); };
    const auto inGroup = [&](AffineExpr at, int64_t size) { return groups == 1 ? at : loop(1) * size + at; };
    channel = inGroup(loop(2), each);
    SmallVector<AffineExpr> ofX{loop(0), inGroup(loop(depth), k.shape(1)[1])}, ofW{channel, loop(depth)},
        ofY{loop(0), loop(1), loop(2)};
    for (unsigned d = 0; d < rank; ++d) {
      ofX.push_back(position(d) * window.strides[d] + loop(depth + 1 + d) * window.dilations[d]);
      ofW.push_back(loop(depth + 1 + d));
      ofY.push_back(position(d));
    }
    x = map(ofX), w = map(ofW), y = map(ofY);
  }

  AffineMap x, w, y;
  AffineExpr channel; ///< of the output

private:
  AffineMap map(ArrayRef<AffineExpr> at) const { return AffineMap::get(count, 0, at, context); }

  MLIRContext *context;
  unsigned count;
};

/// [.., C, ..] as [.., groups, C / groups, ..], C being dimension `axis`.
Shape grouped(const Shape &shape, int64_t groups, size_t axis) {
  Shape result = shape;
  result[axis] /= groups;
  result.insert(result.begin() + axis, groups);
  return result;
}

/// The named convolution of floats; null where none means the same.
Value namedConvolution(K &k, Value x, const Window &window) {
  const int64_t groups = k.integer("group", 1), rank = window.kernel.size();
  const Shape &weights = k.shape(1), &shape = k.output.shape;
  const auto strides = k.b.getI64TensorAttr(window.strides),
             dilations = k.b.getI64TensorAttr(window.dilations);
  const auto zeros = [&](Sizes shape) { return k.filled(shape, k.f32(0)); };
  Value w = k.in(1);
  if (groups == 1 && rank == 1)
    return k.named<linalg::Conv1DNcwFcwOp>({x, w}, zeros(shape), strides, dilations);
  if (groups == 1 && rank == 2)
    return k.named<linalg::Conv2DNchwFchwOp>({x, w}, zeros(shape), strides, dilations);
  if (groups == 1 && rank == 3)
    return k.named<linalg::Conv3DNcdhwFcdhwOp>({x, w}, zeros(shape), strides, dilations);
  if (rank != 2)
    return nullptr;
  if (groups == weights[0] && weights[1] == 1) {
    w = k.reshape(w, {groups, weights[2], weights[3]});
    return k.named<linalg::DepthwiseConv2DNchwChwOp>({x, w}, zeros(shape), strides, dilations);
  }
  x = k.reshape(x, grouped(Shape(sizesOf(x)), groups, 1)), w = k.reshape(w, grouped(weights, groups, 0));
  Value sum =
      k.named<linalg::Conv2DNgchwGfchwOp>({x, w}, zeros(grouped(shape, groups, 1)), strides, dilations);
  return k.reshape(sum, shape);
}

/// x [N,C,...] with its padding, w [OC,C/groups,...], of which `weight` makes what x is multiplied with.
Value convolutionOf(K &k, Value x, const ConvolutionLoops &loops, Reads w, Body::Combine weight) {
  SmallVector<Read> reads{{x, loops.x}};
  reads.append(w.begin(), w.end());
  const Shape shape = grouped(k.output.shape, k.integer("group", 1), 1);
  Value result =
      k.reduce(shape, loops.y, k.number(0, k.outputType()), reads, [&](Value sum, ValueRange elements) {
        return k.add(sum, k.mul(elements[0], weight(elements.drop_front())));
      });
  return k.reshape(result, k.output.shape);
}

Value convolution(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuse("has input type " + dtypeName(k.dtype(0)) + "; expected float32");
  const Window window = convolutionWindow(k);
  Value x = k.padded(k.in(0), window, k.f32(0)), sum = namedConvolution(k, x, window);
  if (!sum) {
    const ConvolutionLoops loops(k, window);
    sum = convolutionOf(k, x, loops, Read{k.in(1), loops.w}, [](ValueRange w) { return w[0]; });
  }
  if (!k.has(2))
    return sum;
  return k.elementwiseOutput({k.broadcast(sum, k.output.shape), k.read(2, k.loops(k.output.shape.size(), 1))},
                             [&](ValueRange x) { return k.add(x[0], x[1]); });
}

/// Less its zero point x is a tensor of its own: the zeros around it are those of int32.
Value convolutionInteger(K &k) {
  const Window window = convolutionWindow(k);
  const ConvolutionLoops loops(k, window);
  const unsigned rank = k.rank(0);
  Centred x(k, 0, 2), w(k, 1, 3);
  SmallVector<Read> ofX, ofW;
  x.read(k.b.getMultiDimIdentityMap(rank), k.b.getAffineDimExpr(1), ofX);
  Value centred = k.elementwise(k.shape(0), k.outputType(), ofX, [&](ValueRange e) { return x.element(e); });
  w.read(loops.w, loops.channel, ofW);
  return convolutionOf(k, k.padded(centred, window, k.number(0, k.outputType())), loops, ofW,
                       [&](ValueRange e) { return w.element(e); });
}

} // namespace

void addConvolutions(Builds &builds) {
  builds.insert({{"Conv", convolution}, {"ConvInteger", convolutionInteger}});
}

} // namespace daedalus::onnximport
