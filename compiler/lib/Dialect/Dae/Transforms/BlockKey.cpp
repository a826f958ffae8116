// See BlockKey.h.

#include "BlockKey.h"

#include "mlir/IR/Matchers.h"

namespace daedalus::dae {
namespace {

using mlir::linalg::GenericOp;

void add(Key &key, uintptr_t number) {
  key.push_back(reinterpret_cast<const void *>(number));
}

} // namespace

std::optional<Scope> scopeOf(mlir::Value buffer) {
  auto scope =
      mlir::dyn_cast_or_null<ScopeAttr>(mlir::cast<mlir::MemRefType>(buffer.getType()).getMemorySpace());
  return scope ? std::optional(scope.getValue()) : std::nullopt;
}

Key keyOfBody(GenericOp block) {
  Key key;
  llvm::SmallDenseMap<mlir::Value, uintptr_t, 16> numbers;
  for (auto [value, argument] : llvm::zip(block->getOperands(), block.getBody()->getArguments())) {
    add(key, static_cast<uintptr_t>(scopeOf(value).value_or(Scope(0))));
    key.push_back(argument.getType().getAsOpaquePointer());
    numbers[argument] = numbers.size();
  }
  for (mlir::Operation &op : *block.getBody()) {
    key.push_back(op.getName().getAsOpaquePointer());
    key.push_back(op.getAttrDictionary().getAsOpaquePointer());
    for (mlir::Value operand : op.getOperands()) {
      mlir::Attribute constant;
      if (const auto number = numbers.find(operand); number != numbers.end())
        add(key, number->second);
      else if (mlir::matchPattern(operand, mlir::m_Constant(&constant)))
        key.push_back(constant.getAsOpaquePointer());
      else
        return {};
    }
    for (mlir::Value result : op.getResults()) {
      key.push_back(result.getType().getAsOpaquePointer());
      numbers[result] = numbers.size();
    }
  }
  return key;
}

Key keyOfBlock(GenericOp block, llvm::function_ref<bool(mlir::Value)> isFilled) {
  const auto isBuffer = [](mlir::Value operand) { return mlir::isa<mlir::MemRefType>(operand.getType()); };
  if (block.getOutputs().size() != 1 || !llvm::all_of(block->getOperands(), isBuffer))
    return {};
  Key key = keyOfBody(block);
  if (key.empty())
    return {};
  key.push_back(block.getIndexingMaps().getAsOpaquePointer());
  key.push_back(block.getIteratorTypes().getAsOpaquePointer());
  for (mlir::Value operand : block->getOperands()) {
    key.push_back(operand.getType().getAsOpaquePointer());
    mlir::Operation *made = operand.getDefiningOp();
    key.push_back(made ? made->getName().getAsOpaquePointer() : nullptr);
    add(key, isFilled(operand) * 2 + (operand == block.getOutputs()[0]));
  }
  return key;
}

} // namespace daedalus::dae
