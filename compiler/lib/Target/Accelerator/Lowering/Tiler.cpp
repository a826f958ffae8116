// See Tiler.h.
//
// LOAD works in program order: a layer's weights come before its first input, so they arrive while the layer
// before still computes.

#include "Lowering/Tiler.h"

#include "Kernels/Stages.h"
#include "Transforms/Transforms.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {
namespace {

using Kind = TileOp::Kind;

} // namespace

int64_t rowsOf(const TileBuffer &buffer, const isa::Machine &machine) {
  int64_t bytes = buffer.elementBits / 8;
  for (int64_t size : buffer.shape)
    bytes *= size;
  return llvm::divideCeil(bytes, machine.rowBytes(dae::isaScope(buffer.scope)));
}

Image inputImage(const KernelCall &call, unsigned operand) {
  const auto [h, width, c] = imageShape(call.kernel, operand);
  if (const std::optional<Layout> &layout = call.kernel.layouts[operand])
    return {h, width, layout->first, layout->image, layout->row, layout->column, layout->channel, false};
  const int64_t pitch = call.inputs[operand].pitch;
  return Image::ofPixels(h, width, pitch ? pitch : c);
}

Image outputImage(const KernelCall &call) {
  const Kernel &k = call.kernel;
  const int64_t pitch = call.output.pitch;
  return Image::ofPixels(k.window.oh * k.repeatH, k.window.ow * k.repeatW,
                         pitch ? pitch : k.window.oc * k.resultBytes());
}

Tiler::Tiler(const KernelCall &call, const Schedule &schedule, const TileOrder &order, uint32_t index,
             const isa::Machine &machine, TileProgram &program, Tiler *giver)
    : call(call), kernel(call.kernel), w(kernel.window), schedule(schedule), index(index), n(machine.n),
      order(order), program(program), steps(stepsOf(kernel, schedule, n)),
      keepWeights(weightsStay(kernel, schedule, machine)), keepInputs(inputsStay(kernel, schedule, machine)),
      keepParameters((giver || schedule.handsOver) && parametersStay(kernel, machine)),
      pieces(weightPieces(kernel, schedule, n)), lanePieces(weightPieces(kernel, withoutSlide(schedule), n)),
      excess(excessTiles(kernel, schedule, n)), keptConstants(kernel.constants.size()),
      keptRows(kernel.inputs.size()), giver(giver) {
  inputPixel.fill(-1), weightsImage.fill(-1);
  for (const StageConstant &constant : kernel.constants)
    isForAll.push_back(constant.isUniform());
}

BufferId Tiler::alloc(dae::Scope scope, llvm::ArrayRef<int64_t> shape, unsigned elementBits) {
  program.buffers.push_back({scope, llvm::SmallVector<int64_t, 6>(shape), elementBits});
  return program.buffers.size() - 1;
}

TileOp &Tiler::append(Kind kind, BufferId dst, BufferId a, BufferId b) {
  TileOp &op = program.ops.emplace_back();
  op.kind = kind;
  op.call = index;
  op.dst = dst, op.a = a, op.b = b;
  return op;
}

Schedule Tiler::sizes(const Tile &t, const Step &step) const {
  Schedule s = schedule;
  s.oh = t.oh.count, s.ow = t.ow.count, s.oc = t.oc.count;
  s.kh = step.kh.count, s.kw = step.kw.count, s.ic = step.ic.count;
  return onVector(t) ? withoutSlide(s) : s;
}

bool Tiler::onVector(const Tile &t) const {
  return schedule.vector && isOnVector(kernel, schedule, &t - order.tiles().data());
}

void Tiler::emit() {
  const Tile &t = order.tiles()[next];
  compute(t);
  store(t);
  ++next;
}

/// All but the store.
void Tiler::compute(const Tile &t) {
  tileInputs.assign(kernel.inputs.size(), NoBuffer);
  temporaries.assign(kernel.temporaries, NoBuffer);
  rowTemporaries.assign(kernel.rowTemporaries, NoBuffer);
  output = NoBuffer;
  if (kernel.combiner)
    reduce(t);
  else
    loadFirstParameters(t);
  for (size_t k = 0; k < kernel.stages.size(); ++k)
    runStage(t, k);
}

/// Step by step.
void Tiler::reduce(const Tile &t) {
  const BufferId acc = place(t, {Operand::Place::Temporary, 0});
  for (size_t k = 0; k < steps.size(); ++k) {
    BufferId factors = NoBuffer;
    if (kernel.weightsInput)
      factors = inputWeights(t, k);
    else if (kernel.isWeighted())
      factors = onVector(t) ? laneWeights(t, k) : weights(t, k);
    if (k == 0)
      loadFirstParameters(t);
    const BufferId inp = windowed(t, k);
    if (k == 0)
      append(Kind::Fill, acc).value = kernel.combiner->neutral();
    const Kind kind = !kernel.isWeighted() ? Kind::Combine : onVector(t) ? Kind::LaneProduct : Kind::Contract;
    append(kind, acc, inp, factors).sizes = sizes(t, steps[k]);
    sumInputs(t, k, inp, factors);
    addExcess(t, k, acc, inp);
  }
  for (size_t operand = 1; operand < kernel.inputs.size(); ++operand) // they need not wait for the stages
    if (!isWeights(kernel, operand))
      pointwise(t, operand, kernel.isFused);
}

/// The sums of the data and of the weights of a step, as products with ones.
void Tiler::sumInputs(const Tile &t, size_t k, BufferId inp, BufferId factors) {
  const auto add = [&](int32_t sums, BufferId a, BufferId b, Schedule size) {
    const BufferId acc = place(t, {Operand::Place::Temporary, sums});
    if (k == 0)
      append(Kind::Fill, acc).value = 0;
    append(Kind::Contract, acc, a, b).sizes = size;
  };
  Schedule size = sizes(t, steps[k]);
  if (kernel.sumsWeights) {
    Schedule one = size;
    one.oh = one.ow = 1;
    add(kernel.weightSums(), ones(dae::Scope::Inp), factors, one);
  }
  size.oc = 1;
  if (kernel.sumsData)
    add(kernel.dataSums(), inp, kernel.weightsInput ? ones(dae::Scope::Wgt) : sumWeights(t, k), size);
}

/// Further products of the tiles of weights that have excess.
void Tiler::addExcess(const Tile &t, size_t k, BufferId acc, BufferId inp) {
  const auto [first, end] = excessOf(t, k);
  if (first == end)
    return;
  const BufferId weights = excessWeights(t, k, first, end);
  const Step &step = steps[k];
  const Schedule size = sizes(t, step);
  for (size_t i = first; i < end; ++i) {
    TileOp &op = append(Kind::ContractExcess, acc, inp, weights);
    op.sizes = size;
    op.index = i - first;
    op.excess = {excess[i].oc - t.oc.begin, excess[i].kh - step.kh.begin, excess[i].kw - step.kw.begin,
                 excess[i].ic - step.ic.begin, excess[i].layer};
  }
}

void Tiler::loadFirstParameters(const Tile &t) {
  for (const Stage &stage : kernel.stages)
    if (requantizes(stage) && !stage.fused)
      return void(constantOf(t, stage.b.index, false));
}

void Tiler::runStage(const Tile &t, size_t k) {
  const Stage &stage = kernel.stages[k];
  const BufferId a = source(t, stage.a, stage.fused), b = source(t, stage.b, stage.fused),
                 table = source(t, stage.table, stage.fused);
  const BufferId dst = place(t, stage.dst);
  if (dst == handed.buffer) { // LOAD waits for the buffer, and not what is loaded for this tile for that
    llvm::append_range(program.ops, handed.padding);
    handed.padding.clear();
  }
  TileOp &op = append(Kind::Stage, dst, a, b);
  op.table = table;
  op.index = k;
  op.fused = stage.fused;
  if (op.dst == handed.buffer) {
    op.sizes = schedule, op.place = handed.place;
    op.sizes.oh = t.oh.count, op.sizes.ow = t.ow.count, op.sizes.oc = t.oc.count;
  }
}

/// The buffer that a stage writes.
BufferId Tiler::place(const Tile &t, const Operand &operand) {
  const int64_t fh = kernel.repeatH, fw = kernel.repeatW;
  llvm::SmallVector<int64_t, 6> shape{t.oh.count, t.ow.count, t.oc.count, n};
  if (operand.is(Operand::Place::Temporary)) {
    BufferId &buffer = temporaries[operand.index];
    if (kernel.sumsData && operand.index == kernel.dataSums())
      shape[2] = 1;
    if (kernel.sumsWeights && operand.index == kernel.weightSums())
      shape[0] = shape[1] = 1;
    if (buffer == NoBuffer)
      buffer = alloc(dae::Scope::Acc, shape, 32);
    return buffer;
  }
  if (operand.is(Operand::Place::RowTemporary)) {
    BufferId &buffer = rowTemporaries[operand.index];
    if (buffer == NoBuffer)
      buffer = alloc(dae::Scope::Acc, {t.oc.count, n}, 32);
    return buffer;
  }
  if (handed.buffer != NoBuffer)
    return handed.buffer;
  if (fh != 1 || fw != 1)
    shape = {t.oh.count, fh, t.ow.count, fw, t.oc.count, n};
  if (output == NoBuffer)
    output = alloc(dae::Scope::Out, shape, 8 * kernel.resultBytes());
  return output;
}

/// The buffer that a stage reads.
BufferId Tiler::source(const Tile &t, const Operand &operand, bool fused) {
  switch (operand.place) {
  case Operand::Place::Input:
    return pointwise(t, operand.index, fused);
  case Operand::Place::Temporary:
  case Operand::Place::RowTemporary:
    return place(t, operand);
  case Operand::Place::Row:
    return row(t, operand.index, fused);
  case Operand::Place::Constant:
    return constantOf(t, operand.index, fused);
  default:
    return NoBuffer;
  }
}

/// Bytes of a pixel in these blocks of its channels: a padded tensor has whole rows.
int64_t Tiler::lanesOf(const Slot &slot, const Range &blocks, int64_t channels) const {
  return slot.isPadded ? blocks.count * n : std::min(blocks.count * n, channels - blocks.begin * n);
}

void Tiler::store(const Tile &t) {
  const int64_t fh = kernel.repeatH, fw = kernel.repeatW, bytes = kernel.resultBytes();
  TileOp &store = append(Kind::Store, NoBuffer, output);
  store.fused = kernel.isFused;
  store.region = {t.batch,
                  t.oh.begin * fh,
                  1,
                  t.oh.count * fh,
                  t.ow.begin * fw,
                  1,
                  t.ow.count * fw,
                  t.oc.begin * n * bytes,
                  lanesOf(call.output, t.oc, w.oc) * bytes,
                  0,
                  false};
  store.bytes = t.oc.count * bytes; // rows a position
}

} // namespace daedalus::accelerator
