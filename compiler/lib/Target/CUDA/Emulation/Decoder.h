// From operations of the dialects llvm and nvvm to instructions.
#pragma once

#include "Types.h"

#include "daedalus/support/result.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>

namespace daedalus::cuda {

using Slots = llvm::SmallVector<uint32_t, 4>;

/// Where the module's global values are in device memory, by their names.
using GlobalAddresses = std::map<std::string, uint64_t>;

/// Decodes one kernel, with the functions that it calls in their places.
class Decoder {
public:
  explicit Decoder(const GlobalAddresses &globals) : globals(globals) {}

  Result<DecodedKernel> decode(mlir::LLVM::LLVMFuncOp function);

  // For the decoders of operations:

  const Slots &slotsOf(mlir::Value value) const { return values.find(value)->second; }
  uint32_t slotOf(mlir::Value value) const { return slotsOf(value).front(); }
  /// The value is what stands in these slots already.
  void define(mlir::Value value, Slots slots) { values[value] = std::move(slots); }
  /// New slots for the value, one for each of its scalars.
  const Slots &defineNew(mlir::Value value);
  uint32_t newSlot() { return kernel.slots++; }
  uint32_t constantSlot(uint64_t value);

  /// An instruction that is made of an operation; it may be changed until the next one is added.
  Instruction &emit(mlir::Operation *operation, Handler handler, uint32_t result = 0,
                    llvm::ArrayRef<uint32_t> operands = {});
  uint32_t addAccess(Access access);
  uint32_t addList(llvm::ArrayRef<uint32_t> slots);
  uint32_t addEdge(mlir::Block *target, mlir::ValueRange arguments);
  uint32_t addSwitch(Switch cases);
  uint32_t addProduct(TensorProduct product);
  uint32_t addProduct(WarpgroupProduct product);

  /// A global's address: in device memory, or a place in the kernel's shared memory.
  Result<uint32_t> addressSlot(mlir::LLVM::GlobalOp global);

  /// The body of a function in place of its call.
  Result<void> inlineCall(mlir::LLVM::CallOp call, mlir::LLVM::LLVMFuncOp callee);
  void decodeReturn(mlir::LLVM::ReturnOp op);

private:
  Result<void> decodeBody(mlir::Region &body);
  Result<void> decodeOperation(mlir::Operation *operation);
  void copyTo(Edge &edge, llvm::ArrayRef<uint32_t> from, llvm::ArrayRef<uint32_t> to);
  void placeDynamicShared();

  /// A function that is being decoded: none twice, for it would call itself.
  struct Frame {
    mlir::Operation *function;
    Slots results;
    std::vector<uint32_t> returns; ///< edges behind the call
  };

  const GlobalAddresses &globals;
  DecodedKernel kernel;
  llvm::DenseMap<mlir::Value, Slots> values;
  std::map<uint64_t, uint32_t> constants;
  std::map<mlir::Block *, uint32_t> places;
  std::vector<std::pair<uint32_t, mlir::Block *>> openEdges;
  std::map<std::string, uint32_t> sharedSlots; ///< of globals in shared memory
  uint64_t dynamicAlignment = 16;
  std::vector<uint32_t> dynamicShared; ///< those slots whose address is that of dynamic shared memory
  std::vector<Frame> frames;
};

/// Each decodes the operations that it knows; false of others.
Result<bool> decodeArithmetic(Decoder &decoder, mlir::Operation *operation);
Result<bool> decodeAggregate(Decoder &decoder, mlir::Operation *operation);
Result<bool> decodeMemory(Decoder &decoder, mlir::Operation *operation);
Result<bool> decodeControl(Decoder &decoder, mlir::Operation *operation);
Result<bool> decodeNvvm(Decoder &decoder, mlir::Operation *operation);
Result<bool> decodeMatrix(Decoder &decoder, mlir::Operation *operation);
Result<bool> decodeWarpgroup(Decoder &decoder, mlir::Operation *operation);

/// "'llvm.add' at file:3:4".
std::string nameOf(mlir::Operation *operation);

} // namespace daedalus::cuda
