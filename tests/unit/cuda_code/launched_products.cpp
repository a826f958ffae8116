// See launched_products.h.
#include "launched_products.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/CUDA/ScheduleOps.h"
#include "daedalus/Target/CUDA/Settings.h"

#include "Products/Bands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"

#include <cstdio>
#include <fstream>
#include <optional>

#include <unistd.h>

using namespace mlir;

namespace daedalus::test {
namespace {

uint32_t constantOf(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? static_cast<uint32_t>(number.getZExtValue()) : 0;
}

/// The schedule of the product of these types and sizes; null where the launch is none.
cuda::ProductOp scheduleOf(ModuleOp module, Type element, ArrayRef<int64_t> sizes) {
  cuda::ProductOp found;
  module.walk([&](cuda::ProductOp op) {
    if (op.getElement() == element && op.getSizes() == sizes && op.getTile())
      found = op;
  });
  return found;
}

bool hasBarrier(ModuleOp module, gpu::LaunchFuncOp launch) {
  auto device = *module.getOps<gpu::GPUModuleOp>().begin();
  Operation *function = SymbolTable::lookupSymbolIn(device, launch.getKernelName());
  return function &&
         function->walk([](NVVM::Barrier0Op) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Columns are the last dimension of the result, and one of the second factor's.
std::optional<LaunchedProduct> productOf(ModuleOp module, gpu::LaunchFuncOp launch) {
  LaunchedProduct made{launch.getKernelName().str(), constantOf(launch.getGridSizeX()),
                       constantOf(launch.getBlockSizeX())};
  SmallVector<MemRefType> types;
  for (Value operand : launch.getKernelOperands()) {
    auto type = cast<MemRefType>(operand.getType());
    types.push_back(type);
    made.elementBytes.push_back(type.getElementTypeBitWidth() / 8);
    made.operandBytes.push_back(uint64_t(type.getNumElements()) * made.elementBytes.back());
  }
  if (types.size() < 3 || types.back().getRank() < 2 || !hasBarrier(module, launch))
    return std::nullopt;
  made.n = types.back().getShape().back();
  made.m = types.back().getNumElements() / made.n;
  made.k = types[1].getNumElements() / made.n;
  cuda::ProductOp schedule = scheduleOf(module, types[1].getElementType(), {1, made.m, made.n, made.k});
  if (!schedule)
    return std::nullopt;
  const ArrayRef<int64_t> tile = *schedule.getTile();
  made.tileM = tile[0], made.tileN = tile[1], made.tileK = tile[2];
  const bool isByWarpgroups = schedule.getWay() == cuda::Way::Warpgroups;
  made.hasTensorCores = isByWarpgroups || schedule.getWay() == cuda::Way::TensorCores;
  made.groupColumns = isByWarpgroups ? made.tileN / (*schedule.getWarps())[1] : 0;
  made.sharedBytes =
      launch.getDynamicSharedMemorySize() ? constantOf(launch.getDynamicSharedMemorySize()) : 0;
  return made;
}

void add(cuda::EmulationCounts &sum, const cuda::EmulationCounts &more, uint64_t times) {
  sum.instructions += times * more.instructions;
  sum.globalBytesLoaded += times * more.globalBytesLoaded;
  sum.globalBytesStored += times * more.globalBytesStored;
  sum.globalSectors += times * more.globalSectors;
  sum.sharedAccesses += times * more.sharedAccesses;
  sum.bankConflicts += times * more.bankConflicts;
  sum.barriers += times * more.barriers;
  sum.asyncCopies += times * more.asyncCopies;
  sum.tensorInstructions += times * more.tensorInstructions;
}

/// Blocks that do the same: one of them, and how many they are.
struct Kind {
  uint64_t block, times;
};

std::vector<Kind> kindsOf(const LaunchedProduct &product) {
  const int64_t down = product.down(), across = product.across();
  const int64_t rowsInside = product.m / product.tileM, columnsInside = product.n / product.tileN;
  const cuda::TileOrder order = cuda::tileOrder(down, across, product.tileM, product.tileN);
  std::vector<Kind> kinds;
  for (const auto &[row, rows] :
       {std::pair(rowsInside - 1, rowsInside), std::pair(down - 1, down - rowsInside)})
    for (const auto &[column, columns] :
         {std::pair(columnsInside - 1, columnsInside), std::pair(across - 1, across - columnsInside)})
      if (rows > 0 && columns > 0)
        kinds.push_back({uint64_t(order.blockOf(row, column)), uint64_t(rows * columns)});
  return kinds;
}

} // namespace

uint64_t LaunchedProduct::leastBytes() const {
  return elementBytes[0] * k * (m * across() + n * down()) + operandBytes.back();
}

uint64_t LaunchedProduct::otherBytes() const {
  uint64_t bytes = 0;
  for (size_t i = 2; i + 1 < elementBytes.size(); ++i)
    bytes += elementBytes[i] * uint64_t(m * n);
  return bytes;
}

/// 16 rows, 8 columns and 32 bytes along K each; of groups of warps 64 rows, and all of their columns.
uint64_t LaunchedProduct::leastInstructions() const {
  const int64_t steps = (k + tileK - 1) / tileK;
  const int64_t tiles = groupColumns ? tileM / 64 * (tileN / groupColumns) : tileM / 16 * (tileN / 8);
  return hasTensorCores ? blocks * tiles * steps * (tileK * int64_t(elementBytes[0]) / 32) : 0;
}

Result<LaunchedProducts> LaunchedProducts::ofFile(const std::string &path, const std::string &architecture) {
  CompileOptions options;
  options.target = cuda::Settings::target;
  options.settings.of<cuda::Settings>().architectures = architecture;
  Result<std::string> text = emitLevel(path, options, "nvvm");
  if (!text)
    return error(text.error());
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect, memref::MemRefDialect,
                      LLVM::LLVMDialect, NVVM::NVVMDialect, cuda::CudaDialect>();
  auto module = parseSourceString<ModuleOp>(*text, &context);
  if (!module)
    return error("the text of level nvvm is no module");
  LaunchedProducts made;
  module->walk([&](gpu::LaunchFuncOp launch) {
    if (std::optional<LaunchedProduct> product = productOf(*module, launch))
      made.products.push_back(*product);
  });
  auto emulator = cuda::Emulator::create(*module->getOps<gpu::GPUModuleOp>().begin());
  if (!emulator)
    return error(emulator.error());
  made.emulator = std::move(*emulator);
  return made;
}

Result<LaunchedProducts> LaunchedProducts::ofModel(const std::string &bytes,
                                                   const std::string &architecture) {
  const std::string path = "/tmp/daedalus_launched_products_" + std::to_string(getpid()) + ".onnx";
  std::ofstream(path, std::ios::binary) << bytes;
  Result<LaunchedProducts> products = ofFile(path, architecture);
  std::remove(path.c_str());
  return products;
}

Result<cuda::EmulationCounts> LaunchedProducts::count(const LaunchedProduct &product) {
  cuda::EmulatedLaunch launch{
      product.function, {product.blocks, 1, 1}, {product.threads, 1, 1}, product.sharedBytes, {}};
  for (size_t i = 0; i < product.operandBytes.size(); ++i) {
    launch.arguments.push_back(emulator->allocateUnwatched(product.operandBytes[i]));
    const bool isBesides = i > 1 && i + 1 < product.operandBytes.size();
    const std::vector<uint8_t> ones(isBesides ? product.operandBytes[i] : 0,
                                    1); // shifts have to be 1 or more
    (void)emulator->write(launch.arguments.back(), ones);
  }
  cuda::EmulationCounts sum;
  for (const Kind &kind : kindsOf(product)) {
    launch.blocks = {kind.block};
    const Result<cuda::EmulationCounts> counts = emulator->run(launch);
    if (!counts)
      return counts;
    add(sum, *counts, kind.times);
  }
  return sum;
}

} // namespace daedalus::test
