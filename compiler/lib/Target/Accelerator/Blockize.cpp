// See Blockize.h. Tiles come in the order of the schedule; weights, parameters and inputs are loaded when a
// tile first needs them and stay while the schedule says so (weightsStay, inputsStay).
//
// LOAD works in program order: a layer's weights come before its first input, so they arrive while the layer
// before still computes. (Loading those of the next layer as well, ahead of the inputs of the last tile, was
// tried: with weights as large as a small network's it delays these inputs by more than it hides.)

#include "Blockize.h"

#include "Blocks.h"
#include "Transfers.h"

#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {
namespace {

using mlir::Value;

struct Tile {
  int64_t batch;
  Range oh, ow, oc;
};

class Layer {
public:
  Layer(mlir::OpBuilder &b, const KernelCall &call, const isa::Machine &machine,
        std::vector<uint8_t> &constants)
      : site{b, call.kernel.loc, call.layer, machine.n}, kernel(call.kernel), w(kernel.window),
        schedule(call.schedule), n(machine.n), steps(stepsOf(kernel, schedule, machine.n)),
        keepWeights(weightsStay(kernel, schedule, machine)),
        keepInputs(inputsStay(kernel, schedule, machine)) {
    for (int64_t offset : call.inputs)
      inputs.push_back({tensor(1, offset, {w.b, w.h, w.w, w.c}), w.h, w.w, w.c});
    output = {tensor(1, call.output, {w.b, w.oh, w.ow, w.oc}), w.oh, w.ow, w.oc};
    placeConstants(constants);
    makeTiles();
  }

  void run() {
    for (const Tile &tile : tiles)
      emit(tile);
  }

private:
  Value tensor(int64_t base, int64_t offset, llvm::ArrayRef<int64_t> shape, unsigned bits = 8) {
    auto type = mlir::MemRefType::get(shape, site.b.getIntegerType(bits));
    return site.b.create<dae::TensorOp>(site.loc, type, base, offset);
  }

  void makeTiles() {
    for (int64_t b = 0; b < w.b; ++b)
      for (Range oh : cut(w.oh, schedule.oh))
        for (Range ow : cut(w.ow, schedule.ow))
          for (Range oc : cut(llvm::divideCeil(w.oc, n), schedule.oc))
            tiles.push_back({b, oh, ow, oc});
    if (schedule.order == dae::Order::Channels)
      llvm::stable_sort(tiles, [](const Tile &x, const Tile &y) { return x.oc.begin < y.oc.begin; });
  }

  void placeConstants(std::vector<uint8_t> &constants) {
    if (kernel.kind == KernelKind::Contraction) {
      packed = packWeights(kernel, schedule, n);
      int64_t offset = appendConstants(constants, packed.bytes.data(), packed.bytes.size());
      weightTensor = tensor(0, offset, {int64_t(packed.bytes.size()) / (n * n), n, n});
    }
    if (kernel.kind == KernelKind::Lookup)
      tableTensor = tensor(0, appendConstants(constants, kernel.table.data(), kernel.table.size()), {256});
    if (kernel.requant) {
      std::vector<uint8_t> rows = packParameters(*kernel.requant, n);
      int64_t offset = appendConstants(constants, rows.data(), rows.size());
      paramTensor = tensor(0, offset, {int64_t(rows.size()) / (16 * n), n}, 128);
    }
  }

  /// The schedule with the sizes of this tile, which at borders are smaller.
  Schedule sizes(const Tile &t, const Step &step) const {
    Schedule s = schedule;
    s.oh = t.oh.count, s.ow = t.ow.count, s.oc = t.oc.count;
    s.kh = step.kh.count, s.kw = step.kw.count, s.ic = step.ic.count;
    return s;
  }

  Value weightsOf(const Tile &t, size_t k) {
    auto [entry, isNew] = keep(weights, {t.oc.begin, int64_t(k)}, keepWeights);
    if (isNew) {
      const Step &s = steps[k];
      int64_t tiles = t.oc.count * s.kh.count * s.kw.count * s.ic.count;
      entry = allocBuffer(site, dae::Scope::Wgt, {t.oc.count, s.kh.count, s.kw.count, s.ic.count, n, n}, 8);
      loadContiguous(site, weightTensor, entry, packed.pieces.at({t.oc.begin, k}), tiles * n * n);
    }
    return entry;
  }

  Value parametersOf(const Tile &t) {
    bool uniform = kernel.requant->isUniform();
    auto [entry, isNew] = keep(params, {uniform ? 0 : t.oc.begin}, false);
    if (isNew) {
      int64_t rows = uniform ? 1 : t.oc.count;
      entry = allocBuffer(site, dae::Scope::Param, {rows, n}, 128);
      loadContiguous(site, paramTensor, entry, uniform ? 0 : t.oc.begin * n * 16, rows * n * 16);
    }
    return entry;
  }

  Value tableOf() {
    if (!table) {
      table = allocBuffer(site, dae::Scope::Lut, {256}, 8);
      loadContiguous(site, tableTensor, table, 0, 256);
    }
    return table;
  }

  Value inputOf(const Tile &t, size_t k, size_t operand) {
    const Step &step = steps[k];
    bool contraction = !readsOwnChannels(kernel);
    std::vector<int64_t> pixel{t.batch, t.oh.begin, t.ow.begin};
    if (contraction && keepInputs && pixel != inputPixel)
      loadedInputs.clear();
    inputPixel = pixel;
    int64_t channels = contraction ? step.ic.begin : t.oc.begin;
    bool hold = contraction ? keepInputs : operand > 0;
    auto [entry, isNew] =
        keep(loadedInputs, {pixel[0], pixel[1], pixel[2], int64_t(k), channels, int64_t(operand)}, hold);
    if (isNew)
      entry = loadInput(t, step, operand, channels);
    return entry;
  }

  Value loadInput(const Tile &t, const Step &step, size_t operand, int64_t firstBlock) {
    Schedule s = sizes(t, step);
    TileShape shape = inputTile(kernel, s);
    Value buffer = allocBuffer(site, dae::Scope::Inp, {shape.rows, shape.cols, shape.blocks, n}, 8);
    Placement place{0, shape.cols * shape.blocks * n, shape.blocks * n};
    Region r;
    r.batch = t.batch;
    r.y = t.oh.begin * w.sh - w.pt + (s.fold == dae::Fold::Window ? 0 : step.kh.begin * w.dh);
    r.x = t.ow.begin * w.sw - w.pl + (s.fold == dae::Fold::None ? step.kw.begin * w.dw : 0);
    r.rowStep = shape.rowStep, r.rows = shape.rows, r.colStep = shape.colStep, r.cols = shape.cols;
    r.c = s.fold == dae::Fold::None ? firstBlock * n : 0;
    r.lanes = s.fold == dae::Fold::None ? std::min(shape.blocks * n, w.c - r.c) : w.kw * w.c;
    r.fill = w.pad;
    int64_t folded = s.fold == dae::Fold::Window ? w.kh : 1;
    for (int64_t kh = 0; kh < folded; ++kh) {
      r.tailFill = kh + 1 == folded && (folded * r.lanes) % n != 0;
      loadRegion(site, inputs[operand], buffer, r, place);
      place.first += r.lanes;
      r.y += w.dh;
    }
    return buffer;
  }

  /// The buffer of a key, and whether it is new; unless `hold`, a new one ends the life of the others.
  using Buffers = std::map<std::vector<int64_t>, Value>;
  std::pair<Value &, bool> keep(Buffers &buffers, const std::vector<int64_t> &key, bool hold) {
    auto it = buffers.find(key);
    if (it != buffers.end())
      return {it->second, false};
    if (!hold)
      buffers.clear();
    return {buffers[key], true};
  }

  void emit(const Tile &t) {
    llvm::SmallVector<int64_t> shape{t.oh.count, t.ow.count, t.oc.count, n};
    Value acc, source, param;
    const bool direct = kernel.kind == KernelKind::Requant || kernel.kind == KernelKind::Lookup;
    if (!direct)
      source = acc = allocBuffer(site, dae::Scope::Acc, shape, 32);
    for (size_t k = 0; k < steps.size(); ++k) {
      Value wgt = kernel.kind == KernelKind::Contraction ? weightsOf(t, k) : Value();
      if (k == 0 && kernel.requant)
        param = parametersOf(t);
      Value inp = inputOf(t, k, 0);
      if (direct)
        source = inp;
      else
        compute(t, k, inp, wgt, acc);
    }
    Value out = allocBuffer(site, dae::Scope::Out, shape, 8);
    if (kernel.kind == KernelKind::Lookup)
      lookupBlock(site, source, tableOf(), out);
    else if (kernel.requant)
      requantBlock(site, *kernel.requant, source, param, out);
    else
      saturateBlock(site, source, out);
    store(t, out);
  }

  void compute(const Tile &t, size_t k, Value inp, Value wgt, Value acc) {
    Schedule s = sizes(t, steps[k]);
    if (kernel.kind == KernelKind::Add) {
      scaleBlock(site, inp, acc, kernel.multiplierA, false);
      return scaleBlock(site, inputOf(t, k, 1), acc, kernel.multiplierB, true);
    }
    if (kernel.kind == KernelKind::Mul)
      return multiply(inp, inputOf(t, k, 1), acc);
    if (k == 0)
      fillBlock(site, acc, kernel.kind == KernelKind::MaxPool ? -128 : 0);
    if (kernel.kind == KernelKind::Contraction)
      contractionBlock(site, kernel, s, inp, wgt, acc);
    else
      poolBlock(site, kernel, s, inp, acc);
  }

  /// (a - zeroA) (b - zeroB) but for its constant, which the requantization's bias holds.
  void multiply(Value a, Value b, Value acc) {
    multiplyBlock(site, a, b, acc);
    if (kernel.zeroB)
      scaleBlock(site, a, acc, -kernel.zeroB, true);
    if (kernel.zeroA)
      scaleBlock(site, b, acc, -kernel.zeroA, true);
  }

  void store(const Tile &t, Value out) {
    Region r{t.batch,    t.oh.begin,     1,
             t.oh.count, t.ow.begin,     1,
             t.ow.count, t.oc.begin * n, std::min(t.oc.count * n, w.oc - t.oc.begin * n),
             0,          false};
    storeRegion(site, output, out, r, t.oc.count);
  }

  Site site;
  const Kernel &kernel;
  const Window &w;
  const Schedule schedule;
  const int64_t n;
  const std::vector<Step> steps;
  const bool keepWeights, keepInputs;
  std::vector<Tile> tiles;
  std::vector<Image> inputs;
  Image output;
  PackedWeights packed;
  Value weightTensor, paramTensor, tableTensor, table;
  Buffers weights, params, loadedInputs;
  std::vector<int64_t> inputPixel;
};

} // namespace

void blockize(mlir::OpBuilder &builder, llvm::ArrayRef<KernelCall> calls, const isa::Machine &machine,
              std::vector<uint8_t> &constants) {
  for (const KernelCall &call : calls)
    Layer(builder, call, machine, constants).run();
}

} // namespace daedalus::accelerator
