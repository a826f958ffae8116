#include "Emulator.h"

#include "Constants.h"
#include "Decoder.h"
#include "Launch.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <cstring>

using namespace mlir;

namespace daedalus::cuda {

struct Emulator::State {
  GlobalMemory memory;
  GlobalAddresses globals;
  Order order;
  std::map<std::string, DecodedKernel> kernels;
};

namespace {

constexpr uint32_t sharedLimit = 227 * 1024; ///< of a block, of the largest GPU
constexpr uint32_t threadLimit = 1024;

Result<void> checkLaunch(const EmulatedLaunch &launch, const DecodedKernel &kernel) {
  const auto fail = [&](const std::string &what) { return error("kernel '" + kernel.name + "': " + what); };
  if (launch.arguments.size() != kernel.parameters.size())
    return fail("is launched with " + std::to_string(launch.arguments.size()) + " arguments; expected " +
                std::to_string(kernel.parameters.size()));
  uint64_t threads = 1, blocks = 1;
  for (int axis = 0; axis < 3; ++axis) {
    threads *= launch.block[axis];
    blocks *= launch.grid[axis];
  }
  if (threads == 0 || threads > threadLimit || blocks == 0)
    return fail("is launched with " + std::to_string(blocks) + " blocks of " + std::to_string(threads) +
                " threads; expected at least one block, of 1 to 1024 threads");
  for (uint64_t block : launch.blocks)
    if (block >= blocks)
      return fail("is to run block " + std::to_string(block) + " of " + std::to_string(blocks));
  const uint64_t shared = uint64_t(kernel.staticSharedBytes) + launch.sharedBytes;
  if (shared > sharedLimit)
    return fail("takes " + std::to_string(shared) + " bytes of shared memory; no block can have more than " +
                std::to_string(sharedLimit));
  return {};
}

} // namespace

Emulator::Emulator(std::unique_ptr<State> state) : state(std::move(state)) {}
Emulator::~Emulator() = default;

Result<std::unique_ptr<Emulator>> Emulator::create(gpu::GPUModuleOp module) {
  auto state = std::make_unique<State>();
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (auto ok = placeGlobal(global, state->memory, state->globals); !ok)
      return error(ok.error());
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal() || (!function->hasAttr("nvvm.kernel") && !function->hasAttr("gpu.kernel")))
      continue;
    Result<DecodedKernel> kernel = Decoder(state->globals).decode(function);
    if (!kernel)
      return error(kernel.error());
    state->kernels[function.getSymName().str()] = std::move(*kernel);
  }
  return std::unique_ptr<Emulator>(new Emulator(std::move(state)));
}

Result<std::unique_ptr<Emulator>> Emulator::create(const std::string &text) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  const auto modules =
      module ? llvm::to_vector(module->getOps<gpu::GPUModuleOp>()) : SmallVector<gpu::GPUModuleOp>();
  if (modules.empty())
    return error("the text of the code is damaged");
  return create(modules.front());
}

uint64_t Emulator::allocate(uint64_t bytes) {
  return state->memory.allocate(bytes);
}

uint64_t Emulator::allocateUnwatched(uint64_t bytes) {
  return state->memory.allocate(bytes, /*isWatched=*/false);
}

Result<void> Emulator::write(uint64_t address, Span<const uint8_t> bytes) {
  Region *region = state->memory.find(address, bytes.size());
  if (!region)
    return error("the host writes " + std::to_string(bytes.size()) + " bytes that lie in no allocation");
  const auto at = static_cast<ptrdiff_t>(address - region->base);
  std::copy(bytes.begin(), bytes.end(), region->bytes.begin() + at);
  if (!region->isWatched())
    return {};
  std::fill_n(region->flags.begin() + at, bytes.size(), uint8_t(isWritten));
  std::fill_n(region->cells.begin() + at, bytes.size(), Cell());
  return {};
}

Result<void> Emulator::read(uint64_t address, Span<uint8_t> bytes) const {
  const Region *region = std::as_const(state->memory).find(address, bytes.size());
  if (!region)
    return error("the host reads " + std::to_string(bytes.size()) + " bytes that lie in no allocation");
  const uint64_t at = address - region->base;
  for (uint64_t byte = at; byte < at + bytes.size(); ++byte)
    if (region->isWatched() && !(region->flags[byte] & isWritten))
      return error("the host reads byte " + std::to_string(byte) + " of an allocation of " +
                   std::to_string(region->bytes.size()) + " bytes, which was never written");
  std::copy_n(region->bytes.begin() + static_cast<ptrdiff_t>(at), bytes.size(), bytes.begin());
  return {};
}

Result<EmulationCounts> Emulator::run(const EmulatedLaunch &request) {
  const auto found = state->kernels.find(request.function);
  if (found == state->kernels.end())
    return error("the module has no kernel '" + request.function + "'");
  const DecodedKernel &kernel = found->second;
  if (auto ok = checkLaunch(request, kernel); !ok)
    return error(ok.error());
  if (state->order.isOld()) {
    state->memory.forgetAccesses();
    state->order.restart();
  }
  state->order.beginLaunch();
  RunningLaunch launch{kernel,
                       request,
                       state->memory,
                       state->order,
                       Region(0, kernel.staticSharedBytes + request.sharedBytes),
                       {},
                       {},
                       {}};
  if (!runBlocks(launch))
    return error(*launch.fault);
  return launch.counts;
}

} // namespace daedalus::cuda
