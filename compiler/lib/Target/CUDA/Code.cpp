// See Code.h. What a kernel allocates lies in scratch memory from the first launch that uses it to the last
// one.

#include "Code.h"

#include "Libraries/LibraryCall.h"
#include "Transforms/Transforms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr uint64_t alignment = 256;

bool isLaunch(Operation &op) {
  return isa<gpu::LaunchFuncOp>(op) || isLibraryCall(&op);
}

/// Those that a launch reads and writes.
SmallVector<Value> buffersOf(Operation *launch) {
  auto ofFunction = dyn_cast<gpu::LaunchFuncOp>(launch);
  return ofFunction ? SmallVector<Value>(ofFunction.getKernelOperands())
                    : SmallVector<Value>(launch->getOperands());
}

uint64_t bytesOf(MemRefType type) {
  const uint64_t bits = type.getElementTypeBitWidth();
  return uint64_t(type.getNumElements()) * (bits < 8 ? 1 : bits / 8);
}

class ImageWriter {
public:
  explicit ImageWriter(CodeWriter &writer)
      : code(writer.code), constants(writer.constants), image(code.images.emplace_back()) {}

  LogicalResult add(func::FuncOp kernel) {
    Kernel &made = image.kernels.emplace_back();
    placeScratch(kernel);
    for (Operation &op : kernel.getOps()) {
      auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
      if (launch ? failed(addLaunch(launch, made.launches.emplace_back()))
                 : isLibraryCall(&op) && failed(addCall(&op, made.launches.emplace_back())))
        return failure();
    }
    return success();
  }

private:
  static bool readSizes(ArrayRef<Value> values, std::array<uint32_t, 3> &sizes) {
    for (auto [value, size] : llvm::zip(values, sizes)) {
      APInt number;
      if (!matchPattern(value, m_ConstantInt(&number)))
        return false;
      size = static_cast<uint32_t>(number.getZExtValue());
    }
    return true;
  }

  LogicalResult addLaunch(gpu::LaunchFuncOp launch, Launch &result) {
    result.function = launch.getKernelName().str();
    const gpu::KernelDim3 grid = launch.getGridSizeOperandValues(),
                          block = launch.getBlockSizeOperandValues();
    if (!readSizes({grid.x, grid.y, grid.z}, result.grid) ||
        !readSizes({block.x, block.y, block.z}, result.block))
      return launch.emitOpError("has a number of blocks or threads that is not constant");
    if (Value bytes = launch.getDynamicSharedMemorySize()) {
      std::array<uint32_t, 3> sizes{};
      if (!readSizes({bytes, bytes, bytes}, sizes))
        return launch.emitOpError("has shared memory of a size that is not constant");
      result.sharedBytes = sizes[0];
    }
    return addParameters(launch, result);
  }

  LogicalResult addCall(Operation *call, Launch &result) {
    result.function = functionOf(call);
    result.call = callOf(call);
    return addParameters(call, result);
  }

  LogicalResult addParameters(Operation *launch, Launch &result) {
    for (Value operand : buffersOf(launch))
      if (failed(addParameter(launch, operand, result)))
        return failure();
    return success();
  }

  LogicalResult addParameter(Operation *launch, Value operand, Launch &result) {
    if (auto argument = dyn_cast<BlockArgument>(operand)) {
      auto kernel = cast<func::FuncOp>(argument.getOwner()->getParentOp());
      const bool isStatus = bool(kernel.getArgAttr(argument.getArgNumber(), statusAttribute));
      result.parameters.push_back({isStatus ? Parameter::Kind::Status : Parameter::Kind::Operand,
                                   isStatus ? 0 : argument.getArgNumber(), 0});
    } else if (auto global = operand.getDefiningOp<memref::GetGlobalOp>()) {
      result.parameters.push_back({Parameter::Kind::Constant, 0, placeOf(global)});
    } else if (offsets.count(operand)) {
      result.parameters.push_back({Parameter::Kind::Scratch, 0, offsets.lookup(operand)});
    } else {
      return launch->emitOpError("takes what is not memory of the kernel");
    }
    return success();
  }

  uint64_t placeOf(memref::GetGlobalOp get) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(get, get.getNameAttr());
    auto value = cast<DenseElementsAttr>(global.getConstantInitValue());
    const auto [found, isNew] = constants.try_emplace(value, llvm::alignTo(code.constants.size(), alignment));
    if (!isNew)
      return found->second;
    code.constants.resize(found->second);
    if (value.getElementType().isInteger(1)) {
      llvm::append_range(code.constants, value.getValues<bool>());
      return found->second;
    }
    const ArrayRef<char> data = value.getRawData();
    const uint64_t bytes = bytesOf(get.getType());
    for (uint64_t done = 0; done < bytes; done += data.size()) // one element, where all are the same
      code.constants.insert(code.constants.end(), data.begin(), data.end());
    return found->second;
  }

  /// What is alive at the same time lies apart; the first place that is large enough.
  void placeScratch(func::FuncOp kernel) {
    struct Place {
      uint64_t from, to;
      Operation *last;
    };
    std::vector<Place> alive;
    llvm::DenseMap<Operation *, SmallVector<Value>> begins;
    llvm::DenseMap<Value, Operation *> last;
    for (Operation &launch : llvm::make_filter_range(kernel.getOps(), isLaunch))
      for (Value operand : buffersOf(&launch))
        if (operand.getDefiningOp<memref::AllocOp>()) {
          if (last.insert_or_assign(operand, &launch).second)
            begins[&launch].push_back(operand);
        }
    for (Operation &launch : llvm::make_filter_range(kernel.getOps(), isLaunch)) {
      for (Value value : begins[&launch]) {
        const uint64_t bytes =
            llvm::alignTo(std::max<uint64_t>(bytesOf(cast<MemRefType>(value.getType())), 1), alignment);
        uint64_t at = 0;
        llvm::sort(alive, [](const Place &a, const Place &b) { return a.from < b.from; });
        for (const Place &place : alive)
          if (place.from < at + bytes)
            at = std::max(at, place.to);
        alive.push_back({at, at + bytes, last.lookup(value)});
        offsets[value] = at;
        code.scratchBytes = std::max(code.scratchBytes, at + bytes);
      }
      llvm::erase_if(alive, [&](const Place &place) { return place.last == &launch; });
    }
  }

  Code &code;
  llvm::DenseMap<Attribute, uint64_t> &constants;
  Image &image;
  llvm::DenseMap<Value, uint64_t> offsets; ///< of what kernels allocate
};

} // namespace

LogicalResult CodeWriter::addImage(ArrayRef<func::FuncOp> kernels) {
  ImageWriter writer(*this);
  for (func::FuncOp kernel : kernels)
    if (failed(writer.add(kernel)))
      return failure();
  return success();
}

} // namespace daedalus::cuda
