// See Neighbours.h.

#include "Neighbours.h"

#include "daedalus/Analysis/Views.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace daedalus {
namespace {

/// What reads a value, through views.
void collectReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers())
    if (isView(user))
      collectReaders(user->getResult(0), readers);
    else
      readers.push_back(user);
}

SmallVector<Operation *> readersOf(Value value) {
  SmallVector<Operation *> readers;
  collectReaders(value, readers);
  return readers;
}

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

} // namespace

const std::optional<HostWork> &Neighbours::workOf(func::FuncOp kernel) {
  const auto [known, isNew] = works.try_emplace(kernel);
  if (isNew && !kernel.isExternal() && kernel.getBody().hasOneBlock())
    known->second = hostWork(kernel);
  return known->second;
}

/// Of the kernel that an operation of @main calls; null where there is none.
const HostWork *Neighbours::workOf(Operation *op) {
  auto call = dyn_cast_or_null<func::CallOp>(op);
  auto kernel = call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
  const std::optional<HostWork> *work = kernel ? &workOf(kernel) : nullptr;
  return work && *work ? &**work : nullptr;
}

/// What converts without computing, and layouts that change, may stand between.
bool Neighbours::comesFrom(Value operand, Test test) {
  Operation *source = rootOf(operand).getDefiningOp();
  if (test(source))
    return true;
  const HostWork *work = workOf(source);
  return work && work->isBoundary && source->getNumOperands() == 1 && comesFrom(source->getOperand(0), test);
}

bool Neighbours::goesTo(Value result, Test test) {
  return llvm::any_of(readersOf(result), [&](Operation *reader) {
    const HostWork *work = workOf(reader);
    return test(reader) || (work && work->isBoundary && goesTo(reader->getResult(0), test));
  });
}

bool Neighbours::isOf(Operation *op, Kind kind) {
  const HostWork *work = workOf(op);
  return work && work->kind == kind;
}

/// Whether an operand or the result is quantized to 16 bits.
bool Neighbours::isWide(func::CallOp call) {
  const auto isWideConversion = [&](Operation *op) { return isOf(op, Kind::WideConversion); };
  return goesTo(call.getResult(0), isWideConversion) || llvm::any_of(call.getOperands(), [&](Value operand) {
           return comesFrom(operand, isWideConversion);
         });
}

bool Neighbours::isQuantized(Value operand) {
  return comesFrom(operand,
                   [&](Operation *op) { return isOf(op, Kind::Conversion) || isOf(op, Kind::Constant); });
}

bool Neighbours::isQuantizedBehind(Value result) {
  return goesTo(result, [&](Operation *op) { return isOf(op, Kind::Conversion); });
}

bool Neighbours::isAtBoundary(func::CallOp call) {
  return llvm::any_of(call.getOperands(),
                      [&](Value operand) { return comesFrom(operand, [](Operation *op) { return !op; }); }) ||
         llvm::any_of(call.getResults(), [&](Value result) {
           return goesTo(result, [](Operation *op) { return isa<func::ReturnOp>(op); });
         });
}

/// Where nothing around the kernel is quantized it lacks nothing; where all of it is, a form in int8.
std::string Neighbours::lacks(func::CallOp call) {
  if (isWide(call))
    return ": it is quantized to 16 bits, and the accelerator computes in 8";
  size_t inputs = 0, quantized = 0;
  for (Value operand : call.getOperands())
    if (isFloat(operand))
      ++inputs, quantized += isQuantized(operand);
  const bool isOutputQuantized = isQuantizedBehind(call.getResult(0));
  if (inputs == 0 || !isFloat(call.getResult(0)) || (quantized == 0 && !isOutputQuantized))
    return "";
  if (quantized == inputs)
    return isOutputQuantized ? " between quantizations: there is no int8 form of it"
                             : ": its output is not quantized";
  const std::string which = inputs == 1 ? "its input" : "one of its inputs";
  return isOutputQuantized ? ": " + which + " is not quantized"
                           : ": " + which + " and its output are not quantized";
}

std::string Neighbours::reasonOf(func::CallOp call, const HostWork &work) {
  if (work.kind == Kind::WideType && !work.isBoundary)
    return work.reason + lacks(call);
  const bool isChange = work.kind == Kind::Conversion || work.kind == Kind::SignChange;
  return isChange && isAtBoundary(call) ? work.reason + " at the boundary of the graph" : work.reason;
}

} // namespace daedalus
