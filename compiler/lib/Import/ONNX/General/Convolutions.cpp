// Convolutions, in float32, and in int32 of int8 and uint8.

#include "Builds.h"
#include "Centred.h"

#include "daedalus/Kernels/Products.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

using K = GeneralKernel;

Window convolutionWindow(K &k) {
  const Shape &weights = k.shape(1);
  return k.window(Shape(weights.begin() + 2, weights.end()));
}

int64_t groups(K &k) {
  return k.integer("group", 1);
}

Value convolution(K &k) {
  if (k.dtype(0) != onnx::TensorProto::FLOAT)
    return k.refuseType(0, "float32");
  const Window window = convolutionWindow(k);
  Value x = kernels::padded(k, k.in(0), window, 0);
  Value sum = kernels::convolution(k, x, k.in(1), window, groups(k), k.output.shape);
  if (!k.has(2))
    return sum;
  return k.elementwiseOutput({k.broadcast(sum, k.output.shape), k.read(2, k.loops(k.output.shape.size(), 1))},
                             [&](ValueRange x) { return k.add(x[0], x[1]); });
}

/// Less its zero point x is a tensor of its own: the zeros around it are those of int32.
Value convolutionInteger(K &k) {
  const Window window = convolutionWindow(k);
  const kernels::ConvolutionLoops loops(k.b.getContext(), window, k.shape(1), groups(k));
  const unsigned rank = k.rank(0);
  Centred x(k, 0, 2), w(k, 1, 3);
  SmallVector<Read> ofX, ofW;
  x.read(k.b.getMultiDimIdentityMap(rank), k.b.getAffineDimExpr(1), ofX);
  Value centred = k.elementwise(k.shape(0), k.outputType(), ofX, [&](ValueRange e) { return x.element(e); });
  w.read(loops.w, loops.channel, ofW);
  return kernels::convolution(k, kernels::padded(k, centred, window, 0), loops, groups(k), k.output.shape,
                              k.outputType(), ofW, [&](ValueRange e) { return w.element(e); });
}

} // namespace

void addConvolutions(Builds &builds) {
  builds.insert({{"Conv", convolution}, {"ConvInteger", convolutionInteger}});
}

} // namespace daedalus::onnximport
