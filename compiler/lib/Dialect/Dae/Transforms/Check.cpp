// See Check.h. A few rows of each operand are seeded, so that loops, reductions and rows of temporaries are
// run too; then every lane of every row that is written is computed by the description.

#include "Check.h"
#include "Nest.h"
#include "Packing.h"

#include "daedalus/Dialect/Dae/Transforms/Transforms.h"
#include "daedalus/isa/semantics.h"
#include "functional/instructions.h"

#include <random>

namespace daedalus::dae {
namespace {

using llvm::APInt;

constexpr int64_t Rows = 3, Reductions = 2; ///< iterations of the parallel loop and of the reduction

const isa::Machine &builtinMachine() {
  static const isa::Machine machine = *isa::loadMachine("default");
  return machine;
}

/// Numbers that tell operations apart: ends of ranges, small ones, and any.
class Seeds {
public:
  explicit Seeds(unsigned seed) : random(seed) {}

  int64_t within(int64_t low, int64_t high) {
    const int64_t ends[] = {low, high, 0, 1, -1, 127, -128};
    const unsigned way = random() % 4;
    const int64_t value = way == 0   ? ends[random() % 7]
                          : way == 1 ? static_cast<int64_t>(random() % 48) - 8
                                     : static_cast<int64_t>(random());
    if (value >= low && value <= high)
      return value;
    const uint64_t count = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    return static_cast<int64_t>(static_cast<uint64_t>(low) + (count ? random() % count : random()));
  }

private:
  std::mt19937_64 random;
};

/// An intrinsic on a machine of its own, with what lies in its rows.
class Trial {
public:
  Trial(const Declaration &declaration, const Intrinsic &intrinsic, bool accumulate, unsigned seed)
      : declaration(declaration), intrinsic(intrinsic), machine(builtinMachine()), core(machine, 0),
        seeds(seed), match{&intrinsic, {}, {}}, accumulate(accumulate) {}

  /// Runs it; `compared` counts the lanes that the description gives a meaning.
  mlir::LogicalResult run(int64_t &compared) {
    seedImmediates();
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(declaration.place);
    mlir::func::FuncOp stream = makeStream(*module);
    placeBuffers(stream);
    for (unsigned k = 0; k < intrinsic.operands.size(); ++k)
      seedOperand(k);
    const std::vector<uint8_t> before = core.scratchpad(isaScope(intrinsic.destination().scope));
    if (failed(execute(stream)))
      return mlir::failure();
    return compare(before, compared);
  }

private:
  bool reduces() const { return intrinsic.reduces(); }

  void seedImmediates() {
    for (const IntrinsicImmediate &immediate : intrinsic.immediates)
      match.immediates.push_back(seeds.within(immediate.low, immediate.high));
    for (const IntrinsicStep &step : intrinsic.steps) // limits that are the wrong way round are no block's
      if (step.lo.kind == IntrinsicStep::Place::Immediate &&
          step.hi.kind == IntrinsicStep::Place::Immediate &&
          match.immediates[step.lo.value] > match.immediates[step.hi.value])
        std::swap(match.immediates[step.lo.value], match.immediates[step.hi.value]);
  }

  /// Rows of an operand: one for each parallel iteration and, of a source, each step of the reduction.
  int64_t rowsOf(unsigned operand) const {
    if (intrinsic.operands[operand].isTable())
      return 1;
    return operand == intrinsic.sources() || !reduces() ? Rows : Rows * Reductions;
  }
  int64_t rowOf(unsigned operand, int64_t parallel, int64_t step) const {
    if (intrinsic.operands[operand].isTable())
      return 0;
    return operand == intrinsic.sources() || !reduces() ? parallel : parallel * Reductions + step;
  }

  mlir::func::FuncOp makeStream(mlir::ModuleOp module) {
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module.getBody());
    auto stream =
        builder.create<mlir::func::FuncOp>(declaration.place, "stream", builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(stream.addEntryBlock());
    Nest nest{&match, declaration.place, {}, {}, {}, {}, accumulate};
    Nest::Loop rows{false, Rows, {}}, steps{true, Reductions, {}};
    const bool isWindow = intrinsic.usesWindow();
    if (isWindow) // one column a row of a tap, the last tap's first
      nest.window = Nest::Window{1, 0, machine.n - 1, 1, {false, 1, {-1, 0, 0}}};
    const auto add = [&](Scope scope, unsigned bits, llvm::ArrayRef<int64_t> shape, int64_t row,
                         int64_t step) {
      auto type =
          mlir::MemRefType::get(shape, builder.getIntegerType(bits), mlir::MemRefLayoutAttrInterface(),
                                ScopeAttr::get(builder.getContext(), scope));
      nest.buffers.push_back(builder.create<AllocOp>(declaration.place, type, mlir::IntegerAttr()));
      nest.rows.push_back(0);
      rows.strides.push_back(row);
      steps.strides.push_back(step);
    };
    const int64_t n = machine.n;
    for (unsigned k = 0; k < intrinsic.operands.size(); ++k) {
      const IntrinsicOperand &operand = intrinsic.operands[k];
      const bool ofTaps = isWindow && operand.scope == Scope::Inp;
      const int64_t unit = operand.scope == Scope::Out ? operand.bits / 8 // rows of OUT are N bytes
                           : ofTaps                    ? machine.n
                                                       : 1;
      llvm::SmallVector<int64_t> shape{rowsOf(k)};
      shape.append(operand.lanes.size(), n);
      if (operand.isTable())
        shape = {256};
      add(operand.scope, operand.bits, shape, unit * rowOf(k, 1, 0), unit * rowOf(k, 0, 1));
      if (ofTaps)
        nest.rows.back() = machine.n - 1;
    }
    for (unsigned k = 0; k < intrinsic.temporaries; ++k)
      add(Scope::Acc, 32, {Rows, n}, 1, 0);
    nest.loops.push_back(rows);
    if (reduces())
      nest.loops.push_back(steps);
    emitNest(builder, nest);
    buffers.assign(nest.buffers.begin(), nest.buffers.end());
    return stream;
  }

  /// Rows one behind the other: nothing runs at the same time, so banks do not matter.
  void placeBuffers(mlir::func::FuncOp stream) {
    std::map<Scope, int64_t> next;
    stream.walk([&](AllocOp alloc) {
      const auto type = mlir::cast<mlir::MemRefType>(alloc.getBuffer().getType());
      const int64_t row = machine.rowBytes(isaScope(alloc.getScope()));
      alloc.setRow(next[alloc.getScope()]);
      next[alloc.getScope()] += (type.getNumElements() * type.getElementTypeBitWidth() / 8 + row - 1) / row;
    });
  }

  /// The first byte of a row of an operand.
  int64_t byteOf(unsigned operand, int64_t row) {
    const auto alloc = mlir::cast<AllocOp>(buffers[operand].getDefiningOp());
    const IntrinsicOperand &declared = intrinsic.operands[operand];
    int64_t elements = 1;
    for (size_t k = 0; k < declared.lanes.size(); ++k)
      elements *= machine.n;
    return int64_t(*AllocOp(alloc).getRow()) * machine.rowBytes(isaScope(declared.scope)) +
           row * elements * declared.bits / 8;
  }

  void write(unsigned operand, int64_t at, const APInt &value) {
    std::vector<uint8_t> &memory = core.scratchpad(isaScope(intrinsic.operands[operand].scope));
    for (unsigned bit = 0; bit < value.getBitWidth(); bit += 8)
      memory[at + bit / 8] = static_cast<uint8_t>(value.extractBitsAsZExtValue(8, bit));
  }

  APInt element(const std::vector<uint8_t> &memory, unsigned operand, int64_t row, int64_t index) {
    const unsigned bits = intrinsic.operands[operand].bits;
    APInt value(bits, 0);
    const int64_t at = byteOf(operand, row) + index * bits / 8;
    for (unsigned bit = 0; bit < bits; bit += 8)
      value.insertBits(memory[at + bit / 8], bit, 8);
    return value;
  }

  void seedOperand(unsigned operand) {
    const IntrinsicOperand &declared = intrinsic.operands[operand];
    int64_t elements = declared.isTable() ? 256 : rowsOf(operand);
    for (size_t k = 0; k < declared.lanes.size(); ++k)
      elements *= machine.n;
    for (int64_t k = 0; k < elements; ++k)
      write(operand, byteOf(operand, 0) + k * declared.bits / 8, seedOf(declared));
  }

  APInt seedOf(const IntrinsicOperand &operand) {
    if (operand.packing) {
      std::vector<int64_t> constants;
      for (const Packing::Constant &constant : operand.packing->constants())
        constants.push_back(seeds.within(constant.low, constant.high));
      return operand.packing->pack(constants).value_or(APInt(operand.bits, 0));
    }
    APInt value(operand.bits, 0);
    for (unsigned bit = 0; bit < operand.bits; bit += 32) {
      const unsigned bits = std::min(operand.bits, 32u);
      value.insertBits(
          APInt(bits, static_cast<uint64_t>(seeds.within(leastOf(bits), greatestOf(bits))), true), bit);
    }
    return value;
  }

  mlir::LogicalResult execute(mlir::func::FuncOp stream) {
    const mlir::FailureOr<Instructions> instructions = toInstructions(stream, machine);
    if (failed(instructions))
      return mlir::failure();
    for (const isa::Instruction &instruction : instructions->all) {
      std::optional<sim::Fault> fault;
      if (const auto *gemm = std::get_if<isa::Gemm>(&instruction))
        fault = sim::functional::execute(*gemm, core);
      else if (const auto *vector = std::get_if<isa::Vector>(&instruction))
        fault = sim::functional::execute(*vector, core);
      if (fault)
        return mlir::emitError(declaration.place) << "has an implementation that faults: " << fault->detail;
    }
    return mlir::success();
  }

  mlir::LogicalResult compare(const std::vector<uint8_t> &before, int64_t &compared) {
    const unsigned last = intrinsic.sources();
    const std::vector<uint8_t> &after = core.scratchpad(isaScope(intrinsic.destination().scope));
    for (int64_t row = 0; row < Rows; ++row)
      for (int64_t lane = 0; lane < machine.n; ++lane) {
        const std::optional<APInt> expected = described(before, row, lane);
        const APInt found = element(after, last, row, lane);
        if (expected && *expected != found)
          return differs(*expected, found, row, lane);
        compared += expected.has_value();
      }
    return mlir::success();
  }

  /// What the description gives for an element of the destination, its iterators that it reduces included.
  std::optional<APInt> described(const std::vector<uint8_t> &before, int64_t row, int64_t lane) {
    const unsigned last = intrinsic.sources();
    const unsigned bits = declaration.operands.back().bits;
    APInt value = element(before, last, row, lane).sextOrTrunc(bits);
    if (reduces() && !accumulate)
      value = APInt(bits, static_cast<uint64_t>(intrinsic.neutral), true);
    for (int64_t step = 0; step < (reduces() ? Reductions : 1); ++step)
      for (int64_t inner = 0; inner < (sumsLanes() ? machine.n : 1); ++inner) {
        std::optional<APInt> next =
            declaration.body.evaluate(arguments(row, step, lane, inner, value), around());
        if (!next)
          return std::nullopt;
        value = *next;
      }
    return narrowed(value);
  }

  /// GEMM adds up the lanes of its row.
  bool sumsLanes() const { return declaration.reducesLanes(); }

  std::vector<APInt> arguments(int64_t row, int64_t step, int64_t lane, int64_t inner, const APInt &old) {
    std::vector<APInt> values;
    unsigned operand = 0, immediate = 0;
    for (const DeclaredOperand &declared : declaration.operands) {
      const unsigned number = values.size();
      if (number == declaration.destination())
        values.push_back(old);
      else if (operand < intrinsic.sources() && intrinsic.operands[operand].name == declared.name)
        values.push_back(read(operand++, row, step, lane, inner).sextOrTrunc(declared.bits));
      else
        values.push_back(APInt(32, static_cast<uint64_t>(match.immediates[immediate++]), true));
    }
    return values;
  }

  APInt read(unsigned operand, int64_t row, int64_t step, int64_t lane, int64_t inner) {
    const IntrinsicOperand &declared = intrinsic.operands[operand];
    int64_t index = 0; // of a table, its first entry
    for (unsigned iterator : declared.lanes)
      index = index * machine.n + (declaration.parallel[iterator] ? lane : inner);
    return element(core.scratchpad(isaScope(declared.scope)), operand, rowOf(operand, row, step), index);
  }

  ScalarFunction::Surroundings around() {
    for (unsigned k = 0; k < intrinsic.sources(); ++k)
      if (intrinsic.operands[k].isTable()) {
        const std::vector<uint8_t> &memory = core.scratchpad(isa::Scope::Lut);
        table.assign(memory.begin() + byteOf(k, 0), memory.begin() + byteOf(k, 0) + 256);
      }
    if (!intrinsic.capturesRequant)
      return {table, nullptr};
    const auto fields = llvm::ArrayRef<int64_t>(match.immediates).take_back(4);
    requant = {fields[0], fields[1], fields[2], static_cast<int32_t>(fields[3])};
    return {table, &requant};
  }

  /// As the destination holds it.
  APInt narrowed(const APInt &value) const {
    const unsigned bits = intrinsic.destination().bits;
    if (value.getBitWidth() == bits)
      return value;
    const IntrinsicStep &step = intrinsic.steps.back();
    if (!step.isGemm && !isa::clampsResult(static_cast<isa::VectorOp>(step.op)))
      return value.trunc(bits);
    const auto limit = [&](const IntrinsicStep::Place &place) {
      const int64_t number =
          place.kind == IntrinsicStep::Place::Immediate ? match.immediates[place.value] : place.value;
      return APInt(value.getBitWidth(), static_cast<uint64_t>(number), true);
    };
    return llvm::APIntOps::smin(llvm::APIntOps::smax(value, limit(step.lo)), limit(step.hi)).trunc(bits);
  }

  mlir::LogicalResult differs(const APInt &expected, const APInt &found, int64_t row, int64_t lane) {
    mlir::InFlightDiagnostic diagnostic = mlir::emitError(declaration.place);
    diagnostic << "'dae.intrinsic' op @" << intrinsic.name << " computes " << expected.getSExtValue()
               << " by its description and " << found.getSExtValue() << " by its implementation, as "
               << describe(intrinsic) << " of";
    const int64_t lastStep = reduces() ? Reductions - 1 : 0;
    const std::vector<APInt> values =
        arguments(row, lastStep, lane, 0, APInt(declaration.operands.back().bits, 0));
    for (unsigned k = 0; k < declaration.destination(); ++k) {
      llvm::SmallString<40> text;
      values[k].toStringSigned(text);
      diagnostic << (k ? ", " : " ") << declaration.operands[k].name << " = " << text.str();
    }
    return diagnostic;
  }

  const Declaration &declaration;
  const Intrinsic &intrinsic;
  const isa::Machine &machine;
  sim::CoreState core;
  Seeds seeds;
  Match match;
  const bool accumulate;
  llvm::SmallVector<mlir::Value> buffers;
  std::vector<int8_t> table;
  RequantFields requant{};
};

} // namespace

mlir::LogicalResult checkIntrinsic(const Declaration &declaration, const Intrinsic &intrinsic) {
  constexpr unsigned trials = 8;
  int64_t compared = 0;
  for (unsigned seed = 0; seed < trials; ++seed) {
    const bool accumulate = intrinsic.reduces() && seed % 2;
    if (failed(Trial(declaration, intrinsic, accumulate, seed).run(compared)))
      return mlir::failure();
  }
  if (compared > 0)
    return mlir::success();
  return mlir::emitError(declaration.place)
         << "'dae.intrinsic' op @" << intrinsic.name
         << " could not be tried: its description has no meaning on "
         << "any of the operands; give the constants that it packs a dae.range";
}

} // namespace daedalus::dae
