// Lowered kernels to one shared object: each is compiled by itself, on all processors, or was before.

#include "ObjectCache.h"
#include "Passes.h"
#include "Schedule/Schedule.h"

#include "daedalus/Target/CPU/CPU.h"
#include "daedalus/Target/Processors.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// A kernel on its way to an object.
struct Unit {
  std::string symbol, firmwareSymbol; ///< of the kernel: in the module, and in an object for firmware
  OwningOpRef<ModuleOp> module;       ///< with what it calls and reads
  std::string key;                    ///< in the cache
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> code; ///< null where the object was there
  Result<std::vector<char>> object = std::vector<char>();
};

/// A kernel alone in a module: the function, those that it calls, and the globals that they name.
OwningOpRef<ModuleOp> alone(func::FuncOp kernel, const SymbolTable &symbols) {
  llvm::SetVector<Operation *> all;
  all.insert(kernel);
  for (size_t i = 0; i < all.size(); ++i)
    all[i]->walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        all.insert(symbols.lookup(call.getCallee()));
      else if (auto global = dyn_cast<memref::GetGlobalOp>(op))
        all.insert(symbols.lookup(global.getName()));
    });
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  for (Operation *op : all)
    module->push_back(op->clone());
  return module;
}

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

LogicalResult fail(MLIRContext *context, const std::string &why) {
  return emitError(UnknownLoc::get(context)) << why;
}

/// The code of all units that have a module, which goes; they are lowered by one run of passes.
LogicalResult translateAll(std::vector<Unit> &units, const Level &level, MLIRContext *context,
                           const std::function<LogicalResult(PassManager &)> &configure) {
  OwningOpRef<ModuleOp> all = ModuleOp::create(UnknownLoc::get(context));
  std::vector<std::pair<Unit *, ModuleOp>> parts;
  for (Unit &unit : units)
    if (unit.module) {
      parts.push_back({&unit, *unit.module});
      all->push_back(unit.module.release());
    }
  PassManager passes(context);
  passes.enableVerifier(false); // dae-opt verifies after each pass of the same, here what comes out counts
  addToLlvmDialect(passes.nest<ModuleOp>(), level);
  if (parts.empty())
    return success();
  if (failed(configure(passes)) || failed(passes.run(*all)) || failed(verify(*all)))
    return failure();
  for (auto [unit, module] : parts) {
    unit->context = std::make_unique<llvm::LLVMContext>();
    unit->code = translate(module, *unit->context);
    module.erase();
    if (!unit->code)
      return failure();
    if (!unit->firmwareSymbol.empty())
      unit->code->getFunction(unit->symbol)->setName(unit->firmwareSymbol);
  }
  return success();
}

Result<std::vector<char>> compile(llvm::Module &code, const Level &level) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = machineOf(level);
  if (!machine)
    return error(machine.error());
  optimize(code, **machine);
  return emitObject(code, **machine);
}

Result<std::vector<char>> memoryObject(const Level &level) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> code = memoryFunctions(context);
  return compile(*code, level);
}

/// The objects of kernels, in order.
Result<std::vector<std::vector<char>>> objectsOf(std::vector<Unit> &units, const Level &level,
                                                 const ObjectCache &cache) {
  Processors().forEach(units.size(), [&](size_t i) {
    if (units[i].code)
      units[i].object = compile(*units[i].code, level);
  });
  std::vector<std::vector<char>> objects;
  for (Unit &unit : units) {
    if (!unit.object)
      return error(unit.object.error());
    if (unit.code)
      cache.keep(unit.key, *unit.object);
    objects.push_back(std::move(*unit.object));
  }
  return objects;
}

} // namespace

FailureOr<package::ElfObject> compileKernels(ModuleOp module, const std::vector<std::string> &symbols,
                                             const Level &level, const KernelCode &how) {
  MLIRContext *context = module.getContext();
  const SymbolTable table(module);
  const ObjectCache cache(how.cacheFolder);
  const bool isFirmware = !how.firmwarePrefix.empty();
  std::vector<Unit> units(symbols.size());
  for (auto [index, unit, symbol] : llvm::enumerate(units, symbols)) {
    unit.symbol = symbol;
    unit.firmwareSymbol = isFirmware ? firmwareSymbol(how.firmwarePrefix, index) : "";
    unit.module = alone(table.lookup<func::FuncOp>(symbol), table);
    if (failed(placeBlocks(module, *unit.module, level)))
      return failure();
    if (cache.isKept())
      unit.key = cache.keyOf(unit.firmwareSymbol + textOf(*unit.module), level.name + level.triple);
    if (auto object = cache.find(unit.key)) {
      unit.object = std::move(*object);
      unit.module = nullptr;
    }
  }
  if (failed(translateAll(units, level, context, how.configure)))
    return failure();
  Result<std::vector<std::vector<char>>> objects = objectsOf(units, level, cache);
  if (!objects)
    return fail(context, objects.error());
  cache.prune();
  package::ElfObject object{targetTriple(level), level.cpu, level.features, {}, {}};
  if (isFirmware) {
    Result<std::vector<uint8_t>> linked = linkRelocatable(*objects);
    if (!linked)
      return fail(context, linked.error());
    object.bytes = std::move(*linked);
    object.entries.assign(symbols.size(), 0);
    return object;
  }
  Result<std::vector<char>> memory = memoryObject(level);
  if (!memory)
    return fail(context, memory.error());
  objects->push_back(std::move(*memory));
  Result<std::vector<uint8_t>> shared = linkShared(*objects);
  if (!shared)
    return fail(context, shared.error());
  Result<std::vector<uint64_t>> entries = addressesOf(symbols, *shared);
  if (!entries)
    return fail(context, entries.error());
  object.entries = std::move(*entries);
  object.bytes = std::move(*shared);
  return object;
}

} // namespace daedalus::cpu
