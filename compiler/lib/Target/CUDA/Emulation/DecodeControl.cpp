// Branches, calls and returns.
#include "Control.h"
#include "Decoder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

void decodeBranchIf(Decoder &decoder, LLVM::CondBrOp op) {
  const uint32_t where = decoder.addEdge(op.getTrueDest(), op.getTrueDestOperands());
  const uint32_t otherwise = decoder.addEdge(op.getFalseDest(), op.getFalseDestOperands());
  Instruction &instruction = decoder.emit(op, branchIf, 0, {decoder.slotOf(op.getCondition())});
  instruction.extra = where;
  instruction.width = otherwise;
}

void decodeSwitch(Decoder &decoder, LLVM::SwitchOp op) {
  Switch cases;
  cases.otherwise = decoder.addEdge(op.getDefaultDestination(), op.getDefaultOperands());
  if (auto values = op.getCaseValues())
    for (auto [index, value] : llvm::enumerate(values->getValues<APInt>()))
      cases.cases.emplace_back(value.getZExtValue(),
                               decoder.addEdge(op.getCaseDestinations()[index], op.getCaseOperands(index)));
  const uint32_t number = decoder.addSwitch(std::move(cases));
  decoder.emit(op, branchOn, 0, {decoder.slotOf(op.getValue())}).extra = number;
}

Result<bool> decodeCall(Decoder &decoder, LLVM::CallOp op) {
  auto callee = op.getCallee()
                    ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, op.getCalleeAttr())
                    : LLVM::LLVMFuncOp();
  if (!callee)
    return error(nameOf(op) + " calls no function of the module");
  if (auto ok = decoder.inlineCall(op, callee); !ok)
    return error(ok.error());
  return true;
}

} // namespace

void Decoder::decodeReturn(LLVM::ReturnOp op) {
  if (frames.size() == 1) {
    emit(op, endThread);
    return;
  }
  Edge edge;
  if (op.getNumOperands())
    copyTo(edge, slotsOf(op.getArg()), frames.back().results);
  const auto number = static_cast<uint32_t>(kernel.edges.size());
  kernel.edges.push_back(std::move(edge));
  frames.back().returns.push_back(number);
  emit(op, branch).extra = number;
}

Result<bool> decodeControl(Decoder &decoder, Operation *operation) {
  return llvm::TypeSwitch<Operation *, Result<bool>>(operation)
      .Case([&](LLVM::BrOp op) {
        const uint32_t edge = decoder.addEdge(op.getDest(), op.getDestOperands());
        decoder.emit(op, branch).extra = edge;
        return true;
      })
      .Case([&](LLVM::CondBrOp op) { return decodeBranchIf(decoder, op), true; })
      .Case([&](LLVM::SwitchOp op) { return decodeSwitch(decoder, op), true; })
      .Case([&](LLVM::ReturnOp op) { return decoder.decodeReturn(op), true; })
      .Case([&](LLVM::CallOp op) { return decodeCall(decoder, op); })
      .Case([&](LLVM::UnreachableOp op) { return decoder.emit(op, failUnreachable), true; })
      .Case([&](LLVM::AssumeOp op) {
        decoder.emit(op, failUnlessTrue, 0, {decoder.slotOf(op.getCond())});
        return true;
      })
      .Case([&](LLVM::FenceOp op) { return decoder.emit(op, doNothing), true; })
      .Default([](Operation *) { return false; });
}

} // namespace daedalus::cuda
