// From operations to instructions: buffers become rows, tensors become offsets, every value is checked
// against its field by the ISA library.

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Transforms.h"
#include "daedalus/isa/encoding.h"

#include "llvm/ADT/TypeSwitch.h"

namespace daedalus::dae {
namespace {

/// Collects values into fields, remembering the first that does not fit.
class Fields {
public:
  Fields(mlir::Operation *op, const isa::Machine &machine) : op(op), machine(machine) {}

  template <class T> void set(T &field, int64_t value, const char *what) {
    field = static_cast<T>(value);
    if (static_cast<int64_t>(field) != value && problem.empty())
      problem = (llvm::Twine(what) + " " + llvm::Twine(value) + " does not fit its field").str();
  }

  /// First row of a buffer, in the unit of its scope.
  int64_t row(mlir::Value buffer) {
    auto alloc = buffer.getDefiningOp<AllocOp>();
    if (alloc && alloc.getRow())
      return *alloc.getRow();
    if (problem.empty())
      problem = "an operand has no rows yet; run dae-allocate first";
    return 0;
  }

  isa::Scope scope(mlir::Value buffer) {
    auto space = mlir::cast<mlir::MemRefType>(buffer.getType()).getMemorySpace();
    return isaScope(mlir::cast<ScopeAttr>(space).getValue());
  }

  void wait(uint8_t &field, std::optional<Modules> modules) {
    field = static_cast<uint8_t>(modules.value_or(Modules::None));
  }

  mlir::FailureOr<isa::Instruction> finish(const isa::Instruction &instruction) {
    if (problem.empty())
      problem = isa::illegalReason(instruction, machine);
    if (problem.empty())
      return instruction;
    op->emitOpError("is no instruction: ") << problem;
    return mlir::failure();
  }

private:
  mlir::Operation *op;
  const isa::Machine &machine;
  std::string problem;
};

/// Loops go to the innermost places; those in front keep their count of one.
template <class Loops, class Set> uint8_t setLoops(Loops &loops, mlir::ArrayAttr attr, Set set) {
  uint8_t reduction = 0;
  size_t place = loops.size() - attr.size();
  for (LoopAttr loop : attr.getAsRange<LoopAttr>()) {
    loops[place].count = static_cast<uint16_t>(loop.getCount());
    set(loops[place], loop.getStrides());
    reduction |= loop.getReduce() << place;
    ++place;
  }
  return reduction;
}

mlir::FailureOr<isa::Instruction> toLoad(LoadOp op, const isa::Machine &machine) {
  Fields f(op, machine);
  isa::Load load;
  auto tensor = op.getSource().getDefiningOp<TensorOp>();
  load.scope = f.scope(op.getDest());
  f.set(load.base, tensor.getBase(), "base register");
  f.set(load.offset, int64_t(tensor.getOffset()) + int64_t(op.getOffset()), "offset");
  f.set(load.dst, f.row(op.getDest()) * machine.rowBytes(load.scope) + int64_t(op.getDst()), "destination");
  f.set(load.runBytes, op.getRun(), "run");
  setLoops(load.loops, op.getLoops(), [&](isa::LoadLoop &loop, llvm::ArrayRef<int64_t> strides) {
    f.set(loop.dramStride, strides[0], "DRAM stride");
    f.set(loop.dstStride, strides[1], "destination stride");
  });
  load.unbounded = !op.getOrigin();
  if (!load.unbounded) {
    f.set(load.originY, (*op.getOrigin())[0], "origin y");
    f.set(load.originX, (*op.getOrigin())[1], "origin x");
    f.set(load.extentY, (*op.getExtent())[0], "extent y");
    f.set(load.extentX, (*op.getExtent())[1], "extent x");
  }
  f.set(load.fill, op.getFill(), "fill");
  load.tailFill = op.getTailFill();
  f.wait(load.wait, op.getWait());
  f.wait(load.signal, op.getSignal());
  return f.finish(load);
}

mlir::FailureOr<isa::Instruction> toGemm(GemmOp op, const isa::Machine &machine) {
  Fields f(op, machine);
  isa::Gemm gemm;
  gemm.accumulate = op.getAccumulate();
  f.set(gemm.inp, f.row(op.getInp()) + op.getRows()[0], "row of INP");
  f.set(gemm.wgt, f.row(op.getWgt()) + op.getRows()[1], "tile of WGT");
  f.set(gemm.acc, f.row(op.getAcc()) + op.getRows()[2], "row of ACC");
  gemm.reduction =
      setLoops(gemm.loops, op.getLoops(), [&](isa::GemmLoop &loop, llvm::ArrayRef<int64_t> strides) {
        f.set(loop.inpStride, strides[0], "stride of INP");
        f.set(loop.wgtStride, strides[1], "stride of WGT");
        f.set(loop.accStride, strides[2], "stride of ACC");
      });
  f.set(gemm.window, op.getWindow(), "window");
  f.set(gemm.line, op.getLine(), "line");
  f.set(gemm.lead, op.getLead(), "lead");
  f.set(gemm.step, op.getStep(), "step");
  f.wait(gemm.wait, op.getWait());
  f.wait(gemm.signal, op.getSignal());
  return f.finish(gemm);
}

mlir::FailureOr<isa::Instruction> toVector(VectorOp op, const isa::Machine &machine) {
  Fields f(op, machine);
  isa::Vector vector;
  vector.op = static_cast<isa::VectorOp>(op.getOp());
  vector.accumulate = op.getAccumulate();
  vector.rounding = static_cast<isa::Rounding>(op.getRounding().value_or(qnn::Rounding::HalfEven));
  vector.dstScope = f.scope(op.getDest());
  vector.aScope = op.getA() ? f.scope(op.getA()) : isa::Scope::Imm;
  const bool looksUp = op.getOp() == VectorKind::Lut;
  vector.bScope = op.getB() && !looksUp            ? f.scope(op.getB())
                  : op.getImmediate() && op.getA() ? isa::Scope::Imm
                                                   : isa::Scope::None;
  if (looksUp)
    f.set(vector.table, f.row(op.getB()), "table");
  if (op.getTable())
    f.set(vector.table, f.row(op.getTable()), "table");
  f.set(vector.dst, f.row(op.getDest()) + op.getRows()[0], "row of the destination");
  // Only requantization reads PARAM by its rows; others read rows of N int8.
  const auto firstRow = [&](mlir::Value buffer, isa::Scope scope) {
    const bool byLanes = scope == isa::Scope::Param && !isa::requantizes(vector.op);
    return f.row(buffer) * (byLanes ? machine.rowBytes(isa::Scope::Param) / machine.n : 1);
  };
  f.set(vector.a, op.getA() ? firstRow(op.getA(), vector.aScope) + op.getRows()[1] : 0,
        "row of the first operand");
  f.set(vector.b, op.getB() && !looksUp ? firstRow(op.getB(), vector.bScope) + op.getRows()[2] : 0,
        "row of the second operand");
  f.set(vector.immediate, op.getImmediate().value_or(0), "immediate");
  f.set(vector.lo, op.getLo(), "lo");
  f.set(vector.hi, op.getHi(), "hi");
  f.set(vector.zeroPoint, op.getZeroPoint(), "zero point");
  vector.reduction =
      setLoops(vector.loops, op.getLoops(), [&](isa::VectorLoop &loop, llvm::ArrayRef<int64_t> strides) {
        f.set(loop.dstStride, strides[0], "stride of the destination");
        f.set(loop.aStride, strides[1], "stride of the first operand");
        f.set(loop.bStride, strides[2], "stride of the second operand");
      });
  f.wait(vector.wait, op.getWait());
  f.wait(vector.signal, op.getSignal());
  return f.finish(vector);
}

mlir::FailureOr<isa::Instruction> toStore(StoreOp op, const isa::Machine &machine) {
  Fields f(op, machine);
  isa::Store store;
  auto tensor = op.getDest().getDefiningOp<TensorOp>();
  store.scope = f.scope(op.getSource());
  f.set(store.base, tensor.getBase(), "base register");
  f.set(store.offset, int64_t(tensor.getOffset()) + int64_t(op.getOffset()), "offset");
  f.set(store.src, f.row(op.getSource()) + int64_t(op.getSrc()), "row of the source");
  f.set(store.runBytes, op.getRun(), "run");
  setLoops(store.loops, op.getLoops(), [&](isa::StoreLoop &loop, llvm::ArrayRef<int64_t> strides) {
    f.set(loop.dramStride, strides[0], "DRAM stride");
    f.set(loop.srcStride, strides[1], "source stride");
  });
  f.wait(store.wait, op.getWait());
  f.wait(store.signal, op.getSignal());
  return f.finish(store);
}

} // namespace

bool isInstruction(mlir::Operation *op) {
  return mlir::isa<LoadOp, GemmOp, VectorOp, StoreOp>(op);
}

mlir::FailureOr<isa::Instruction> toInstruction(mlir::Operation *op, const isa::Machine &machine) {
  using Converted = mlir::FailureOr<isa::Instruction>;
  return llvm::TypeSwitch<mlir::Operation *, Converted>(op)
      .Case([&](LoadOp load) { return toLoad(load, machine); })
      .Case([&](GemmOp gemm) { return toGemm(gemm, machine); })
      .Case([&](VectorOp vector) { return toVector(vector, machine); })
      .Case([&](StoreOp store) { return toStore(store, machine); })
      .Default([](mlir::Operation *other) -> Converted {
        other->emitOpError("is no instruction");
        return mlir::failure();
      });
}

mlir::FailureOr<Instructions> toInstructions(mlir::func::FuncOp stream, const isa::Machine &machine) {
  Instructions result;
  for (mlir::Operation &op : stream.getBody().front()) {
    if (!isInstruction(&op))
      continue;
    mlir::FailureOr<isa::Instruction> instruction = toInstruction(&op, machine);
    if (failed(instruction))
      return mlir::failure();
    result.all.push_back(*instruction);
    auto layer = op.getAttrOfType<mlir::IntegerAttr>("layer");
    result.layers.push_back(layer ? layer.getInt() : 0);
  }
  result.all.push_back(isa::Finish{});
  result.layers.push_back(result.layers.empty() ? 0 : result.layers.back());
  return result;
}

} // namespace daedalus::dae
