// Tiles from block to block. MLIR takes them for arrays of vectors there, which LLVM's intrinsics do not
// take. As vectors of all that a tile register holds, between two casts, LLVM keeps them in tile registers:
// this is the form that clang makes.

#include "AmxCode.h"
#include "Passes.h"

#include "daedalus/Target/CPU/ScheduleOps.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "mlir/Target/LLVMIR/ModuleTranslation.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

constexpr unsigned TileNumbers = 256; ///< int32 of a tile register

class TileTranslation : public LLVMTranslationDialectInterface {
public:
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult convertOperation(Operation *op, llvm::IRBuilderBase &builder,
                                 LLVM::ModuleTranslation &translation) const override {
    if (!isa<TileToVectorOp, VectorToTileOp>(op))
      return op->emitError("'") << op->getName() << "' is in code for the CPU; expected none";
    const auto id = isa<TileToVectorOp>(op) ? llvm::Intrinsic::x86_cast_tile_to_vector
                                            : llvm::Intrinsic::x86_cast_vector_to_tile;
    llvm::Type *type = llvm::FixedVectorType::get(builder.getInt32Ty(), TileNumbers);
    llvm::Value *from = translation.lookupValue(op->getOperand(0));
    translation.mapValue(op->getResult(0), builder.CreateIntrinsic(id, {type}, {from}));
    return success();
  }
};

bool isTile(Type type) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(type);
  return array && isa<VectorType>(array.getElementType());
}

bool hasTiles(LLVM::LLVMFuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa_and_nonnull<amx::AMXDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What the blocks in front of a block give for an argument, as vectors.
void giveVectors(mlir::Block &block, unsigned argument, VectorType type) {
  for (auto it = block.pred_begin(); it != block.pred_end(); ++it) {
    auto branch = cast<BranchOpInterface>((*it)->getTerminator());
    SuccessorOperands operands = branch.getSuccessorOperands(it.getSuccessorIndex());
    OpBuilder b(branch);
    Value tile = operands[argument];
    if (tile.getType() != type)
      operands.getMutableForwardedOperands()[argument].set(
          b.create<TileToVectorOp>(branch.getLoc(), type, tile));
  }
}

void carryTile(BlockArgument argument) {
  const Type tile = argument.getType();
  const auto type = VectorType::get({TileNumbers}, IntegerType::get(tile.getContext(), 32));
  giveVectors(*argument.getOwner(), argument.getArgNumber(), type);
  argument.setType(type);
  OpBuilder b = OpBuilder::atBlockBegin(argument.getOwner());
  auto cast = b.create<VectorToTileOp>(argument.getLoc(), tile, argument);
  argument.replaceAllUsesExcept(cast, cast);
}

} // namespace

void addTileTranslation(Dialect &dialect) {
  dialect.addInterface(std::make_unique<TileTranslation>(&dialect));
}

void carryTilesAsVectors(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal() || !hasTiles(function))
      continue;
    for (mlir::Block &block : llvm::drop_begin(function.getBody()))
      for (BlockArgument argument : block.getArguments())
        if (isTile(argument.getType()))
          carryTile(argument);
  }
}

} // namespace daedalus::cpu
