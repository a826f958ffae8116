// See Work.h. A thread of a launch stands for all: it goes through every branch that a condition may choose,
// and through loops as often as their bounds say, from 0 on where they begin at a number of its own. A loop
// of stages does nothing but products: what brings their factors is in the price of each.

#include "Work.h"

#include "daedalus/Target/CUDA/CUDA.h"
#include "daedalus/Target/CUDA/ScheduleOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr double warp = 32;

double elementsOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? double(shaped.getNumElements()) : 1;
}

double bytesOf(Type type) {
  const Type element = getElementTypeOrSelf(type);
  const unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return elementsOf(type) * (bits < 8 ? 1 : bits / 8);
}

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional(number.getSExtValue()) : std::nullopt;
}

double runsOf(scf::ForOp loop) {
  const std::optional<int64_t> from = constantOf(loop.getLowerBound()), to = constantOf(loop.getUpperBound()),
                               step = constantOf(loop.getStep());
  return to ? std::ceil(std::max(0.0, double(*to - from.value_or(0))) / double(step.value_or(1))) : 1;
}

/// Buffers are in memory that all blocks share, or in that of one block.
Value bufferBehind(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

bool isFree(Operation &op) {
  return isa<ViewLikeOpInterface, vector::ExtractOp, vector::InsertOp, vector::BitCastOp, gpu::ThreadIdOp,
             gpu::BlockIdOp, gpu::DynamicSharedMemoryOp, nvgpu::DeviceAsyncCreateGroupOp>(op) ||
         op.hasTrait<OpTrait::ConstantLike>() || op.hasTrait<OpTrait::IsTerminator>();
}

class Counter {
public:
  LaunchWork ofFunction(gpu::GPUFuncOp function, double allThreads) {
    threads = allThreads;
    work.steps = count(function.getBody().front(), 1);
    for (auto [buffer, bytes] : accessed)
      work.bytes += std::min(bytes, bytesOf(buffer.getType()));
    return work;
  }

private:
  /// The steps of a block.
  double count(Block &block, double times) {
    double steps = 0;
    for (Operation &op : block)
      steps += count(op, times);
    return steps;
  }

  double count(Operation &op, double times) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      return countLoop(loop, times * runsOf(loop)) * runsOf(loop);
    }
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return countBranch(branch, times);
    for (Region &region : op.getRegions())
      for (Block &block : region)
        count(block, times);
    countOperation(op, times * threads);
    return 0;
  }

  /// The steps of an iteration.
  double countLoop(scf::ForOp loop, double times) {
    const bool outside = std::exchange(isOfStages, isOfStages || hasStages(loop));
    addOperations(threads * times);
    const double steps = count(*loop.getBody(), times);
    isOfStages = outside;
    return std::max(1.0, steps);
  }

  static bool hasStages(scf::ForOp loop) {
    return !loop.getBody()->getOps<nvgpu::DeviceAsyncWaitOp>().empty();
  }

  void addOperations(double count) { work.operations += isOfStages ? 0 : count; }

  double countBranch(scf::IfOp branch, double times) {
    const std::optional<int64_t> known = constantOf(branch.getCondition());
    double steps = 0;
    if (!known || *known)
      steps = count(*branch.thenBlock(), times);
    if (branch.elseBlock() && (!known || !*known))
      steps = std::max(steps, count(*branch.elseBlock(), times));
    return steps;
  }

  void countOperation(Operation &op, double times) {
    if (isFree(op))
      return;
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](math::FmaOp fma) {
          (isOfStages ? work.fmaProducts : work.operations) += times * elementsOf(fma.getType());
        })
        .Case([&](nvgpu::MmaSyncOp mma) {
          const auto [m, n, k] = mma.getMmaShapeAsArray();
          const bool isByte = getElementTypeOrSelf(mma.getMatrixA().getType()).isInteger(8);
          (isByte ? work.byteProducts : work.halfProducts) += times * double(m * n * k) / warp;
        })
        .Case([&](NVVM::WgmmaMmaAsyncOp mma) {
          const NVVM::MMAShapeAttr shape = mma.getShape();
          const bool isByte = mma.getTypeA() == NVVM::WGMMATypes::s8;
          (isByte ? work.byteProducts : work.halfProducts) +=
              times * double(shape.getM()) * shape.getN() * shape.getK() / (4 * warp);
        })
        .Case([&](LLVM::CallIntrinsicOp call) { countIntrinsic(call, times); })
        .Case([&](nvgpu::DeviceAsyncCopyOp copy) {
          access(copy.getSrc(), times * copy.getDstElements().getZExtValue() *
                                    bytesOf(copy.getSrc().getType().getElementType()));
        })
        .Case<memref::LoadOp, vector::LoadOp>(
            [&](auto load) { access(load->getOperand(0), times * bytesOf(load->getResult(0).getType())); })
        .Case<memref::StoreOp, vector::StoreOp>([&](auto store) {
          access(store->getOperand(1), times * bytesOf(store->getOperand(0).getType()));
        })
        .Default([&](Operation *other) {
          addOperations(times * (other->getNumResults() ? elementsOf(other->getResult(0).getType()) : 1));
        });
  }

  /// bfloat16 is multiplied by the intrinsic itself, in matrices of 16 x 8 x 16.
  void countIntrinsic(LLVM::CallIntrinsicOp call, double times) {
    if (call.getIntrin().starts_with("llvm.nvvm.mma."))
      work.halfProducts += times * 16 * 8 * 16 / warp;
    else
      addOperations(times);
  }

  void access(Value memory, double bytes) {
    addOperations(bytes / bytesOf(cast<MemRefType>(memory.getType()).getElementType()));
    Value buffer = bufferBehind(memory);
    if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(cast<MemRefType>(buffer.getType())))
      accessed[buffer] += bytes;
  }

  LaunchWork work;
  double threads = 1;
  bool isOfStages = false;                 ///< what is counted
  llvm::MapVector<Value, double> accessed; ///< bytes of buffers in global memory
};

double productOf(gpu::KernelDim3 sizes) {
  double product = 1;
  for (Value size : {sizes.x, sizes.y, sizes.z})
    product *= double(constantOf(size).value_or(1));
  return product;
}

LaunchWork ofLaunch(gpu::LaunchFuncOp launch) {
  auto function = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernel());
  return Counter().ofFunction(function, productOf(launch.getGridSizeOperandValues()) *
                                            productOf(launch.getBlockSizeOperandValues()));
}

/// A library's call, which is taken to be as fast as tensor cores, or FMA, are.
LaunchWork ofLibrary(Operation *call, double products) {
  LaunchWork work;
  for (Value buffer : call->getOperands())
    work.bytes += bytesOf(buffer.getType());
  const Type factor = getElementTypeOrSelf(call->getOperand(0).getType());
  (factor.isF32()                ? work.fmaProducts
   : factor.isSignlessInteger(8) ? work.byteProducts
                                 : work.halfProducts) = products;
  return work;
}

LaunchWork ofLibrary(GemmOp gemm) {
  double products = 1;
  for (int64_t size : gemm.getSizes())
    products *= double(size);
  return ofLibrary(gemm, products);
}

/// As many for each element of the result as a filter has numbers.
LaunchWork ofLibrary(ConvOp conv) {
  const double filters = double(conv.getFilters()[0]);
  return ofLibrary(conv, elementsOf(conv.getOut().getType()) * elementsOf(conv.getW().getType()) / filters);
}

} // namespace

std::vector<LaunchWork> worksOf(ModuleOp module) {
  std::vector<LaunchWork> works;
  module.walk([&](Operation *op) {
    if (auto gemm = dyn_cast<GemmOp>(op))
      works.push_back(ofLibrary(gemm));
    else if (auto conv = dyn_cast<ConvOp>(op))
      works.push_back(ofLibrary(conv));
    else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      works.push_back(ofLaunch(launch));
  });
  return works;
}

} // namespace daedalus::cuda
