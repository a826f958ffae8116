// See Blockize.h.

#include "Lowering/Blockize.h"

#include "Lowering/Blocks.h"
#include "Lowering/Packing.h"

namespace daedalus::accelerator {
namespace {

using mlir::Value;
using Kind = TileOp::Kind;

/// The tensors of one call.
class CallTensors {
public:
  CallTensors(const Site &site, KernelCall &call, PackedConstants &constants)
      : site(site), call(call), constants(constants) {
    for (unsigned operand = 0; operand < call.inputs.size(); ++operand)
      inputs.push_back(
          activation(call.inputs[operand], inputImage(call, operand), imageShape(call.kernel, operand).c));
    output = activation(call.output, outputImage(call), call.kernel.window.oc);
    placeWeights();
    placeStageConstants();
  }

  Value source(const TileOp &op) const {
    if (op.kind == Kind::Load)
      return inputs[op.operand];
    return op.constants == Constants::OfStage ? ofStages[op.index] : ofWeights[size_t(op.constants)];
  }

  llvm::SmallVector<Value, 3> inputs;
  Value output;

private:
  Value activation(const Slot &slot, const Image &image, int64_t channels) {
    const int64_t images = call.kernel.window.b;
    if (image.plain)
      return tensor(1, slot.offset, {images, image.h, image.w, image.column});
    int64_t last = image.first;
    for (auto [size, stride] : {std::pair(images, image.image), std::pair(image.h, image.row),
                                std::pair(image.w, image.column), std::pair(channels, image.channel)})
      last += std::max<int64_t>(stride, 0) * (size - 1);
    return tensor(1, slot.offset, {last + 1});
  }

  Value tensor(int64_t base, int64_t offset, llvm::ArrayRef<int64_t> shape, unsigned bits = 8) {
    auto type = mlir::MemRefType::get(shape, site.b.getIntegerType(bits));
    return site.b.create<dae::TensorOp>(site.loc, type, base, offset);
  }

  /// So many bytes as rows of `row` elements.
  template <class Make> Value place(size_t bytes, llvm::ArrayRef<int64_t> row, Make make, unsigned bits = 8) {
    const int64_t offset = constants.append<typename decltype(make())::value_type>(bytes, make);
    int64_t rowBytes = bits / 8;
    for (int64_t size : row)
      rowBytes *= size;
    llvm::SmallVector<int64_t, 3> shape{static_cast<int64_t>(bytes) / rowBytes};
    shape.append(row.begin(), row.end());
    return tensor(0, offset, shape, bits);
  }

  void placeWeights() {
    Kernel &kernel = call.kernel;
    const Schedule &s = call.schedule;
    const int64_t n = site.n;
    if (!kernel.isWeighted() || kernel.weightsInput)
      return;
    if (!kernel.diagonal || s.vector < 16)
      ofWeights[0] = place(weightBytes(kernel, s, n), {n, n}, [&] { return packWeights(kernel, s, n); });
    if (kernel.diagonal && s.vector > 0)
      ofWeights[1] = place(laneWeightBytes(kernel, s, n), {n}, [&] { return packLaneWeights(kernel, s, n); });
    if (!kernel.excess.empty())
      ofWeights[3] =
          place(excessTileCount(kernel, s) * n * n, {n, n}, [&] { return packExcess(kernel, s, n); });
    kernel.weights = std::vector<int8_t>();
    if (kernel.sumsData)
      ofWeights[2] =
          place(sumWeightBytes(kernel, s, n), {n, n}, [&] { return packWeights(kernel.ofSums(n), s, n); });
  }

  void placeStageConstants() {
    const std::vector<StageConstant> &all = call.kernel.constants;
    const int64_t n = site.n;
    ofStages.resize(all.size());
    for (auto [value, constant] : llvm::zip(ofStages, all))
      if (constant.isTable())
        value = place(constant.table.size(), {}, [&table = constant.table] { return table; });
    for (auto [value, constant] : llvm::zip(ofStages, all))
      if (constant.isRows())
        value =
            place(rowBytes(constant.rows, n), {n}, [&rows = constant.rows, n] { return packRows(rows, n); });
      else if (!constant.isTable())
        value = place(
            parameterBytes(constant.parameters, n), {n},
            [&parameters = constant.parameters, n] { return packParameters(parameters, n); }, 128);
  }

  Value ofWeights[4]; ///< as tiles, of lanes alone, with which data are summed, and the excess
  llvm::SmallVector<Value, 2> ofStages;
  const Site site;
  KernelCall &call;
  PackedConstants &constants;
};

void reserve(llvm::ArrayRef<KernelCall> calls, int64_t n, PackedConstants &constants) {
  size_t bytes = 0;
  for (const KernelCall &call : calls)
    bytes += mostConstantBytes(call.kernel, call.schedule, n);
  constants.reserve(bytes);
}

class Blockizer {
public:
  Blockizer(mlir::OpBuilder &builder, const TileProgram &program, std::vector<KernelCall> &calls,
            const isa::Machine &machine, PackedConstants &constants)
      : builder(builder), program(program), calls(calls), machine(machine), buffers(program.buffers.size()) {
    reserve(calls, machine.n, constants);
    for (KernelCall &call : calls)
      tensors.emplace_back(siteOf(call, false), call, constants);
  }

  void run() {
    for (const TileOp &op : program.ops)
      emit(op);
  }

private:
  Site siteOf(const KernelCall &call, bool fused) {
    return {builder, fused ? call.fusedLoc : call.kernel.loc, fused ? call.fusedLayer : call.layer,
            machine.n};
  }

  /// Made where it is first named, so that it lives no longer than needed.
  Value buffer(const Site &site, BufferId id) {
    if (id == NoBuffer)
      return {};
    if (!buffers[id]) {
      const TileBuffer &b = program.buffers[id];
      buffers[id] = allocBuffer(site, b.scope, b.shape, b.elementBits);
    }
    return buffers[id];
  }

  void emit(const TileOp &op) {
    const KernelCall &call = calls[op.call];
    const Site site = siteOf(call, op.fused);
    const Value a = buffer(site, op.a), b = buffer(site, op.b), table = buffer(site, op.table),
                dst = buffer(site, op.dst);
    switch (op.kind) {
    case Kind::Load:
    case Kind::LoadConstants:
      return load(site, op, dst);
    case Kind::Fill:
      return fillBlock(site, dst, op.value);
    case Kind::Contract:
      return contractionBlock(site, call.kernel, op.sizes, a, b, dst);
    case Kind::ContractExcess:
      return excessBlock(site, call.kernel, op.sizes, op.excess, op.index, a, b, dst);
    case Kind::LaneProduct:
      return laneProductBlock(site, call.kernel, op.sizes, a, b, dst);
    case Kind::Combine:
      return combineBlock(site, call.kernel, op.sizes, a, dst);
    case Kind::Stage:
      return stageBlock(site, call.kernel.stages[op.index], {a, b, table}, dst, positionsOf(op));
    case Kind::Store:
      return createStore(site, a, tensors[op.call].output,
                         planStore(outputImage(call), op.region, op.bytes, site.n));
    }
  }

  std::optional<Positions> positionsOf(const TileOp &op) const {
    if (program.buffers[op.dst].scope != dae::Scope::Inp)
      return std::nullopt;
    const int64_t row = op.place.first / op.place.row, column = op.place.first % op.place.row / op.place.col;
    return Positions{row, column, op.sizes.oh, op.sizes.ow, op.sizes.oc};
  }

  void load(const Site &site, const TileOp &op, Value dst) {
    const CallTensors &from = tensors[op.call];
    llvm::SmallVector<Transfer, 2> loads;
    if (op.kind == Kind::Load)
      planLoads(inputImage(calls[op.call], op.operand), op.region, op.place, loads);
    else
      planLoads(op.offset, op.bytes, site.n, loads);
    for (const Transfer &transfer : loads)
      createLoad(site, from.source(op), dst, transfer);
  }

  mlir::OpBuilder &builder;
  const TileProgram &program;
  llvm::ArrayRef<KernelCall> calls;
  const isa::Machine &machine;
  std::vector<CallTensors> tensors;
  std::vector<Value> buffers;
};

} // namespace

void blockize(mlir::OpBuilder &builder, const TileProgram &program, std::vector<KernelCall> &calls,
              const isa::Machine &machine, PackedConstants &constants) {
  Blockizer(builder, program, calls, machine, constants).run();
}

} // namespace daedalus::accelerator
