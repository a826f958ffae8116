// See Tiler.h.
//
// LOAD works in program order: a layer's weights come before its first input, so they arrive while the layer
// before still computes.

#include "Tiler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {
namespace {

using Kind = TileOp::Kind;

bool isDirect(const Kernel &kernel) {
  return kernel.kind == KernelKind::Requant || kernel.kind == KernelKind::Lookup ||
         kernel.kind == KernelKind::Move;
}

} // namespace

int64_t rowsOf(const TileBuffer &buffer, const isa::Machine &machine) {
  int64_t bytes = buffer.elementBits / 8;
  for (int64_t size : buffer.shape)
    bytes *= size;
  return llvm::divideCeil(bytes, machine.rowBytes(static_cast<isa::Scope>(static_cast<int>(buffer.scope))));
}

Image inputImage(const KernelCall &call, unsigned operand) {
  const Window &w = call.kernel.window;
  const int64_t pitch = call.inputs[operand].pitch;
  if (operand < call.kernel.inputs.size())
    return {w.h, w.w, pitch ? pitch : w.c};
  return {w.oh, w.ow, pitch ? pitch : w.oc};
}

Image outputImage(const KernelCall &call) {
  const Kernel &k = call.kernel;
  return {k.window.oh * k.repeatH, k.window.ow * k.repeatW,
          call.output.pitch ? call.output.pitch : k.window.oc};
}

Tiler::Tiler(const KernelCall &call, uint32_t index, const isa::Machine &machine, TileProgram &program)
    : call(call), kernel(call.kernel), w(kernel.window), schedule(call.schedule), index(index), n(machine.n),
      program(program), steps(stepsOf(kernel, schedule, n)),
      keepWeights(weightsStay(kernel, schedule, machine)), keepInputs(inputsStay(kernel, schedule, machine)),
      pieces(weightPieces(kernel, schedule, n)) {
  makeTiles();
}

void Tiler::makeTiles() {
  for (int64_t b = 0; b < w.b; ++b)
    for (Range oh : cut(w.oh, schedule.oh))
      for (Range ow : cut(w.ow, schedule.ow))
        for (Range oc : cut(llvm::divideCeil(w.oc, n), schedule.oc))
          order.push_back({b, oh, ow, oc});
  if (schedule.order == dae::Order::Channels)
    llvm::stable_sort(order, [](const Tile &x, const Tile &y) { return x.oc.begin < y.oc.begin; });
  if (schedule.ramp)
    ramp();
}

/// Nothing hides the loads of a stream's first tile: block by block of its channels, GEMM starts with the
/// weights of the first one.
void Tiler::ramp() {
  const Tile first = order.front();
  std::vector<Tile> pieces(first.oc.count, first);
  for (auto [block, piece] : llvm::enumerate(pieces))
    piece.oc = {first.oc.begin + static_cast<int64_t>(block), 1};
  order.erase(order.begin());
  order.insert(order.begin(), pieces.begin(), pieces.end());
}

Tiler::Progress Tiler::needed(unsigned operand) const {
  const Tile &t = order[next];
  const bool residual = operand >= kernel.inputs.size();
  const int64_t h = residual ? w.oh : w.h, width = residual ? w.ow : w.w, c = residual ? w.oc : w.c;
  auto last = [&](Range out, int64_t stride, int64_t pad, int64_t kernelSize, int64_t dilation) {
    const int64_t end = out.begin + out.count;
    return residual ? end : (end - 1) * stride - pad + (kernelSize - 1) * dilation + 1;
  };
  const int64_t whole = w.b * h * width * c;
  if (w.b * h * width == 1) // one long pixel, or all channels of one
    return {readsOwnChannels(kernel) ? std::min(c, (t.oc.begin + t.oc.count) * n) : c, whole};
  if (w.b * h == 1)
    return {std::clamp<int64_t>(last(t.ow, w.sw, w.pl, w.kw, w.dw), 0, width) * c, whole};
  const int64_t row = std::clamp<int64_t>(last(t.oh, w.sh, w.pt, w.kh, w.dh), 0, h);
  return {(t.batch * h + row) * width * c, whole};
}

Tiler::Progress Tiler::complete(int64_t lag) const {
  const int64_t channels = llvm::divideCeil(llvm::divideCeil(w.oc, n), schedule.oc);
  const int64_t band = w.oh > 1 ? channels * llvm::divideCeil(w.ow, schedule.ow) : channels;
  const int64_t whole = w.b * w.oh * w.ow * w.oc, behind = static_cast<int64_t>(next) - lag * band;
  if (done())
    return {whole, whole};
  const bool byChannels = schedule.order == dae::Order::Channels && schedule.oc * n < w.oc;
  if (behind <= 0 || byChannels)
    return {0, whole};
  const Tile &t = order[behind];
  if (w.b * w.oh * w.ow == 1)
    return {std::min(w.oc, t.oc.begin * n), whole};
  if (w.b * w.oh == 1)
    return {t.ow.begin * w.oc, whole};
  return {(t.batch * w.oh + t.oh.begin) * w.ow * w.oc, whole};
}

BufferId Tiler::alloc(dae::Scope scope, llvm::ArrayRef<int64_t> shape, unsigned elementBits) {
  program.buffers.push_back({scope, llvm::SmallVector<int64_t, 6>(shape), elementBits});
  return program.buffers.size() - 1;
}

TileOp &Tiler::append(Kind kind, BufferId dst, BufferId a, BufferId b) {
  TileOp op;
  op.kind = kind;
  op.call = index;
  op.dst = dst, op.a = a, op.b = b;
  op.epilogue = inEpilogue;
  program.ops.push_back(std::move(op));
  return program.ops.back();
}

Schedule Tiler::sizes(const Tile &t, const Step &step) const {
  Schedule s = schedule;
  s.oh = t.oh.count, s.ow = t.ow.count, s.oc = t.oc.count;
  s.kh = step.kh.count, s.kw = step.kw.count, s.ic = step.ic.count;
  return s;
}

/// Tiles of a depthwise convolution that VECTOR computes, spread evenly.
bool Tiler::onVector(const Tile &t) const {
  const int64_t i = &t - order.data();
  return kernel.depthwise && (i + 1) * schedule.vector / 16 > i * schedule.vector / 16;
}

void Tiler::emit() {
  const Tile &t = order[next];
  const llvm::SmallVector<int64_t> shape{t.oh.count, t.ow.count, t.oc.count, n};
  BufferId source = NoBuffer, param = NoBuffer;
  if (!isDirect(kernel))
    source = alloc(dae::Scope::Acc, shape, 32);
  for (size_t k = 0; k < steps.size(); ++k) {
    BufferId factors = NoBuffer;
    if (kernel.kind == KernelKind::Contraction)
      factors = onVector(t) ? laneWeights(t, k) : weights(t, k);
    if (k == 0 && kernel.requant)
      param = parameters(t);
    const BufferId inp = input(t, k, 0);
    if (isDirect(kernel))
      source = inp;
    else if (kernel.kind == KernelKind::Contraction)
      contract(t, k, inp, factors, source);
    else
      accumulate(t, k, inp, source);
  }
  if (kernel.epilogue)
    source = epilogue(t, source, param);
  finish(t, source, param);
  ++next;
}

void Tiler::contract(const Tile &t, size_t k, BufferId inp, BufferId factors, BufferId acc) {
  if (k == 0)
    append(Kind::Fill, acc);
  append(onVector(t) ? Kind::Depthwise : Kind::Contract, acc, inp, factors).sizes = sizes(t, steps[k]);
}

void Tiler::accumulate(const Tile &t, size_t k, BufferId inp, BufferId acc) {
  auto scale = [&](BufferId x, int32_t factor, bool accumulates) {
    TileOp &op = append(Kind::Scale, acc, x);
    op.value = factor;
    op.accumulate = accumulates;
  };
  if (kernel.kind == KernelKind::Add) {
    scale(inp, kernel.multiplierA, false);
    return scale(input(t, k, 1), kernel.multiplierB, true);
  }
  if (kernel.kind == KernelKind::Mul) { // (a - zeroA) (b - zeroB) but for its constant, which is in the bias
    const BufferId other = input(t, k, 1);
    append(Kind::Multiply, acc, inp, other);
    if (kernel.zeroB)
      scale(inp, -kernel.zeroB, true);
    if (kernel.zeroA)
      scale(other, -kernel.zeroA, true);
    return;
  }
  if (k == 0)
    append(Kind::Fill, acc).value = kernel.kind == KernelKind::MaxPool ? -128 : 0;
  append(Kind::Pool, acc, inp).sizes = sizes(t, steps[k]);
}

/// Requantizes in place, then what follows, up to the last pass.
BufferId Tiler::epilogue(const Tile &t, BufferId acc, BufferId param) {
  BufferId residual = kernel.epilogue->kind == KernelKind::Add ? loadResidual(t) : NoBuffer;
  append(Kind::Requantize, acc, acc, param);
  if (residual == NoBuffer)
    return acc;
  inEpilogue = true;
  append(Kind::Scale, acc, acc).value = kernel.epilogue->own;
  TileOp &other = append(Kind::Scale, acc, residual);
  other.value = kernel.epilogue->other;
  other.accumulate = true;
  inEpilogue = false;
  return acc;
}

void Tiler::finish(const Tile &t, BufferId source, BufferId param) {
  const int64_t fh = kernel.repeatH, fw = kernel.repeatW;
  inEpilogue = kernel.epilogue.has_value();
  const KernelKind last = kernel.epilogue ? kernel.epilogue->kind : kernel.kind;
  const BufferId out = kernel.kind == KernelKind::Move
                           ? alloc(dae::Scope::Out, {t.oh.count, fh, t.ow.count, fw, t.oc.count, n}, 8)
                           : alloc(dae::Scope::Out, {t.oh.count, t.ow.count, t.oc.count, n}, 8);
  if (last == KernelKind::Lookup)
    append(Kind::Lookup, out, source, constantOnce(table, dae::Scope::Lut, {256}, 8, Constants::Table, 256));
  else if (kernel.epilogue)
    append(Kind::Requantize, out, source,
           constantOnce(residualParameters, dae::Scope::Param, {1, n}, 128, Constants::EpilogueParameters,
                        n * 16));
  else if (kernel.requant)
    append(Kind::Requantize, out, source, param);
  else
    append(kernel.kind == KernelKind::Move ? Kind::Move : Kind::Saturate, out, source);
  TileOp &store = append(Kind::Store, NoBuffer, out);
  store.region = {t.batch,
                  t.oh.begin * fh,
                  1,
                  t.oh.count * fh,
                  t.ow.begin * fw,
                  1,
                  t.ow.count * fw,
                  t.oc.begin * n,
                  std::min(t.oc.count * n, w.oc - t.oc.begin * n),
                  0,
                  false};
  store.bytes = t.oc.count; // rows a position
  inEpilogue = false;
}

} // namespace daedalus::accelerator
