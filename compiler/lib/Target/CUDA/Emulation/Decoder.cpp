#include "Decoder.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <set>

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// " at FILE:LINE:COLUMN", or nothing where it is not known.
std::string locationOf(Operation *operation) {
  if (isa<UnknownLoc>(operation->getLoc()))
    return "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  operation->getLoc().print(stream);
  return " at " + stream.str().substr(4, stream.str().size() - 5); // loc(...)
}

/// Depth first, so that the blocks of a loop are together and the region's order is kept where it can be.
void visit(Block *block, std::set<Block *> &seen, std::vector<Block *> &finished) {
  if (!seen.insert(block).second)
    return;
  std::vector<Block *> successors(block->succ_begin(), block->succ_end());
  std::map<Block *, unsigned> numbers;
  for (auto [number, other] : llvm::enumerate(*block->getParent()))
    numbers[&other] = number;
  std::sort(successors.begin(), successors.end(),
            [&](Block *a, Block *b) { return numbers[a] > numbers[b]; });
  for (Block *successor : successors)
    visit(successor, seen, finished);
  finished.push_back(block);
}

std::vector<Block *> blocksInOrder(Region &body) {
  std::set<Block *> seen;
  std::vector<Block *> finished;
  visit(&body.front(), seen, finished);
  std::reverse(finished.begin(), finished.end());
  return finished;
}

std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

Result<void> checkTypes(Operation *operation, TypeRange types) {
  for (Type type : types)
    if (scalarsOf(type).empty())
      return error("the type " + typeName(type) + " of " + nameOf(operation) +
                   " is not known to the emulator");
  return {};
}

} // namespace

std::string nameOf(Operation *operation) {
  return "'" + operation->getName().getStringRef().str() + "'" + locationOf(operation);
}

const Slots &Decoder::defineNew(Value value) {
  Slots slots;
  for (size_t count = scalarsOf(value.getType()).size(); count; --count)
    slots.push_back(newSlot());
  return values[value] = std::move(slots);
}

uint32_t Decoder::constantSlot(uint64_t value) {
  auto [found, isNew] = constants.try_emplace(value, kernel.slots);
  if (isNew)
    kernel.constants.emplace_back(newSlot(), value);
  return found->second;
}

Instruction &Decoder::emit(Operation *operation, Handler handler, uint32_t result,
                           ArrayRef<uint32_t> operands) {
  Instruction instruction;
  instruction.execute = handler;
  instruction.result = result;
  std::copy(operands.begin(), operands.end(), instruction.operands.begin());
  instruction.origin = static_cast<uint32_t>(kernel.origins.size());
  kernel.origins.push_back({operation->getName().getStringRef().str(), locationOf(operation)});
  return kernel.code.emplace_back(instruction);
}

uint32_t Decoder::addAccess(Access access) {
  kernel.accesses.push_back(std::move(access));
  return static_cast<uint32_t>(kernel.accesses.size() - 1);
}

uint32_t Decoder::addList(ArrayRef<uint32_t> slots) {
  kernel.lists.emplace_back(slots.begin(), slots.end());
  return static_cast<uint32_t>(kernel.lists.size() - 1);
}

uint32_t Decoder::addSwitch(Switch cases) {
  kernel.switches.push_back(std::move(cases));
  return static_cast<uint32_t>(kernel.switches.size() - 1);
}

uint32_t Decoder::addProduct(TensorProduct product) {
  kernel.products.push_back(std::move(product));
  return static_cast<uint32_t>(kernel.products.size() - 1);
}

uint32_t Decoder::addProduct(WarpgroupProduct product) {
  kernel.warpgroupProducts.push_back(std::move(product));
  return static_cast<uint32_t>(kernel.warpgroupProducts.size() - 1);
}

/// All at once: where one is overwritten that another one needs, by way of new slots.
void Decoder::copyTo(Edge &edge, ArrayRef<uint32_t> from, ArrayRef<uint32_t> to) {
  const bool overlaps = llvm::any_of(to, [&](uint32_t slot) { return llvm::is_contained(from, slot); });
  Slots sources(from.begin(), from.end());
  if (overlaps)
    for (uint32_t &source : sources) {
      const uint32_t between = newSlot();
      edge.copies.emplace_back(source, between);
      source = between;
    }
  for (auto [source, target] : llvm::zip_equal(sources, to))
    edge.copies.emplace_back(source, target);
}

uint32_t Decoder::addEdge(Block *target, ValueRange arguments) {
  Edge edge;
  Slots from, to;
  for (auto [value, argument] : llvm::zip_equal(arguments, target->getArguments())) {
    from.append(slotsOf(value));
    to.append(slotsOf(argument));
  }
  copyTo(edge, from, to);
  const auto number = static_cast<uint32_t>(kernel.edges.size());
  kernel.edges.push_back(std::move(edge));
  openEdges.emplace_back(number, target);
  return number;
}

Result<uint32_t> Decoder::addressSlot(LLVM::GlobalOp global) {
  const std::string name = global.getSymName().str();
  if (global.getAddrSpace() != 3)
    return constantSlot(globals.at(name));
  if (auto known = sharedSlots.find(name); known != sharedSlots.end())
    return known->second;
  const uint64_t size = sizeOf(global.getType());
  const uint64_t alignment = std::max(global.getAlignment().value_or(1), alignmentOf(global.getType()));
  const uint32_t slot = newSlot(); // of its own: where dynamic memory begins is known at the end
  if (size == 0) {
    dynamicShared.push_back(slot);
    dynamicAlignment = std::max(dynamicAlignment, alignment);
  } else {
    kernel.staticSharedBytes = static_cast<uint32_t>(llvm::alignTo(kernel.staticSharedBytes, alignment));
  }
  kernel.constants.emplace_back(slot, kernel.staticSharedBytes);
  kernel.staticSharedBytes += static_cast<uint32_t>(size);
  return sharedSlots[name] = slot;
}

void Decoder::placeDynamicShared() {
  if (!dynamicShared.empty())
    kernel.staticSharedBytes =
        static_cast<uint32_t>(llvm::alignTo(kernel.staticSharedBytes, dynamicAlignment));
  for (auto &[slot, value] : kernel.constants)
    if (llvm::is_contained(dynamicShared, slot))
      value = kernel.staticSharedBytes;
}

Result<DecodedKernel> Decoder::decode(LLVM::LLVMFuncOp function) {
  kernel.name = function.getSymName().str();
  frames.push_back({function, {}, {}});
  if (auto ok = checkTypes(function, function.getArgumentTypes()); !ok)
    return error(ok.error());
  for (BlockArgument argument : function.getArguments()) {
    if (defineNew(argument).size() != 1)
      return error("parameter " + std::to_string(argument.getArgNumber()) + " of " + nameOf(function) +
                   " is of the type " + typeName(argument.getType()) + "; expected a pointer or a number");
    kernel.parameters.push_back(slotOf(argument));
  }
  if (auto ok = decodeBody(function.getBody()); !ok)
    return error("kernel '" + kernel.name + "': " + ok.error());
  for (auto [edge, block] : openEdges)
    kernel.edges[edge].target = places.at(block);
  placeDynamicShared();
  return std::move(kernel);
}

Result<void> Decoder::decodeBody(Region &body) {
  const std::vector<Block *> blocks = blocksInOrder(body);
  std::vector<std::pair<uint32_t, Block *>> before;
  std::swap(openEdges, before); // a function that is called twice has its blocks at two places
  for (Block *block : blocks) {
    if (block->isEntryBlock())
      continue;
    if (auto ok = checkTypes(block->getParentOp(), block->getArgumentTypes()); !ok)
      return ok;
    for (BlockArgument argument : block->getArguments())
      defineNew(argument);
  }
  for (Block *block : blocks) {
    places[block] = static_cast<uint32_t>(kernel.code.size());
    for (Operation &operation : *block)
      if (auto ok = decodeOperation(&operation); !ok)
        return ok;
  }
  for (auto [edge, block] : openEdges)
    kernel.edges[edge].target = places.at(block);
  openEdges = std::move(before);
  return {};
}

Result<void> Decoder::decodeOperation(Operation *operation) {
  if (auto ok = checkTypes(operation, operation->getResultTypes()); !ok)
    return ok;
  for (auto decode : {decodeArithmetic, decodeAggregate, decodeMemory, decodeControl, decodeNvvm,
                      decodeMatrix, decodeWarpgroup}) {
    const Result<bool> isKnown = decode(*this, operation);
    if (!isKnown)
      return error(isKnown.error());
    if (*isKnown)
      return {};
  }
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(operation))
    return error("the intrinsic '" + call.getIntrin().str() + "' of " + nameOf(operation) +
                 " is not known to the emulator");
  return error("the operation " + nameOf(operation) + " is not known to the emulator");
}

Result<void> Decoder::inlineCall(LLVM::CallOp call, LLVM::LLVMFuncOp callee) {
  if (callee.isExternal())
    return error(nameOf(call) + " calls '" + callee.getSymName().str() + "', which has no body");
  if (llvm::any_of(frames, [&](const Frame &frame) { return frame.function == callee; }))
    return error(nameOf(call) + " calls '" + callee.getSymName().str() + "', which calls itself");
  for (auto [argument, operand] : llvm::zip_equal(callee.getArguments(), call.getArgOperands()))
    define(argument, slotsOf(operand));
  frames.push_back({callee, call.getNumResults() ? defineNew(call.getResult()) : Slots(), {}});
  if (auto ok = decodeBody(callee.getBody()); !ok)
    return ok;
  for (uint32_t edge : frames.back().returns)
    kernel.edges[edge].target = static_cast<uint32_t>(kernel.code.size());
  frames.pop_back();
  return {};
}

} // namespace daedalus::cuda
