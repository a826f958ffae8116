// Kernels in the LLVM dialect: the entries of their ABI.

#include "Passes.h"

#include "daedalus/Target/CPU/ScheduleOps.h"
#include "daedalus/package/kernel_abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

/// The pointers that `args` points to, to be given to a body.
SmallVector<Value> loadArguments(OpBuilder &b, Location loc, Value args, unsigned count) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < count; ++i) {
    Value at =
        b.create<LLVM::GEPOp>(loc, pointer, pointer, args, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    arguments.push_back(b.create<LLVM::LoadOp>(loc, pointer, at));
  }
  return arguments;
}

void promiseNoAliases(LLVM::LLVMFuncOp body, unsigned pointers) {
  for (unsigned i = 0; i < pointers; ++i)
    body.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), UnitAttr::get(body.getContext()));
}

/// `void symbol(ptr args, i64 task, ptr scratch)` (package/kernel_abi.h) of a task's body, behind the
/// pointers of whose kernel these come.
LLVM::LLVMFuncOp addTaskEntry(LLVM::LLVMFuncOp body) {
  OpBuilder b(body);
  Location loc = body.getLoc();
  const std::string symbol = body.getName().str();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                          {pointer, b.getI64Type(), pointer});
  auto entry = b.create<LLVM::LLVMFuncOp>(loc, symbol + ".entry", type, LLVM::Linkage::Internal);
  b.setInsertionPointToEnd(entry.addEntryBlock(b));
  const unsigned pointers = body.getNumArguments() - 2;
  SmallVector<Value> arguments = loadArguments(b, loc, entry.getArgument(0), pointers);
  arguments.append({entry.getArgument(1), entry.getArgument(2)});
  b.create<LLVM::CallOp>(loc, body, arguments);
  b.create<LLVM::ReturnOp>(loc, ValueRange());
  promiseNoAliases(body, pointers);
  body.setArgAttr(pointers + 1, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
  return entry;
}

SmallVector<RunOp> runsOf(LLVM::LLVMFuncOp body) {
  SmallVector<RunOp> runs;
  body.walk([&](RunOp run) { runs.push_back(run); });
  return runs;
}

/// Calls KernelContext::parallelFor, of which `context` points to the first member.
void callThreads(RunOp run, const SymbolTable &symbols, Value args, Value context) {
  LLVM::LLVMFuncOp entry = addTaskEntry(symbols.lookup<LLVM::LLVMFuncOp>(run.getTask()));
  OpBuilder b(run);
  Location loc = run.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value parallelFor = b.create<LLVM::LoadOp>(loc, pointer, context);
  Value body = b.create<LLVM::AddressOfOp>(loc, entry);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                          {pointer, pointer, pointer, b.getI64Type()});
  b.create<LLVM::CallOp>(loc, type, ValueRange{parallelFor, context, body, args, run.getCount()});
  run.erase();
}

/// Returns kernelLacksScratch where workers have less than `bytes`.
void checkWorkers(OpBuilder &b, LLVM::LLVMFuncOp entry, uint64_t bytes) {
  Location loc = entry.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value at =
      b.create<LLVM::GEPOp>(loc, pointer, b.getI64Type(), entry.getArgument(1), ArrayRef<LLVM::GEPArg>{1});
  Value there = b.create<LLVM::LoadOp>(loc, b.getI64Type(), at);
  Value needed = b.create<LLVM::ConstantOp>(loc, b.getI64IntegerAttr(bytes));
  Value isLess = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::ult, there, needed);
  Block *first = b.getInsertionBlock();
  Block *lacking = b.createBlock(&entry.getBody()), *enough = b.createBlock(&entry.getBody());
  b.setInsertionPointToEnd(first);
  b.create<LLVM::CondBrOp>(loc, isLess, lacking, enough);
  b.setInsertionPointToEnd(lacking);
  Value status = b.create<LLVM::ConstantOp>(loc, b.getI32IntegerAttr(package::kernelLacksScratch));
  b.create<LLVM::ReturnOp>(loc, status);
  b.setInsertionPointToEnd(enough);
}

/// Of a body that runs tasks: the pointers `args` and `context` behind its own.
void addContext(LLVM::LLVMFuncOp body) {
  auto pointer = LLVM::LLVMPointerType::get(body.getContext());
  SmallVector<Type> types(body.getFunctionType().getParams());
  types.append({pointer, pointer});
  body.setFunctionType(LLVM::LLVMFunctionType::get(body.getFunctionType().getReturnType(), types));
  body.getBody().front().addArguments({pointer, pointer}, {body.getLoc(), body.getLoc()});
}

/// `i32 symbol(ptr args, ptr context)` (package/kernel_abi.h): loads the pointers and calls the body, which
/// keeps the kernel's name with a suffix. Only the body of a kernel without tasks may take its pointers for
/// those of memory that nothing else reaches: tasks get them from `args`.
void addEntry(LLVM::LLVMFuncOp body, const SymbolTable &symbols) {
  OpBuilder builder(body);
  Location loc = body.getLoc();
  std::string symbol = body.getName().str();
  body.setName(symbol + ".body");
  body.setLinkage(LLVM::Linkage::Internal);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), {pointer, pointer});
  auto entry = builder.create<LLVM::LLVMFuncOp>(loc, symbol, type);
  builder.setInsertionPointToEnd(entry.addEntryBlock(builder));
  const SmallVector<RunOp> runs = runsOf(body);
  uint64_t workerBytes = 0;
  for (RunOp run : runs)
    workerBytes = std::max<uint64_t>(workerBytes, run.getWorkerBytes());
  if (workerBytes)
    checkWorkers(builder, entry, workerBytes);
  const unsigned pointers = body.getNumArguments();
  SmallVector<Value> arguments = loadArguments(builder, loc, entry.getArgument(0), pointers);
  if (runs.empty()) {
    promiseNoAliases(body, pointers);
  } else {
    addContext(body);
    arguments.append({entry.getArgument(0), entry.getArgument(1)});
  }
  for (RunOp run : runs)
    callThreads(run, symbols, body.getArgument(pointers), body.getArgument(pointers + 1));
  auto call = builder.create<LLVM::CallOp>(loc, body, arguments);
  builder.create<LLVM::ReturnOp>(loc, call.getResult());
}

} // namespace

void addEntries(ModuleOp module) {
  const SymbolTable symbols(module);
  SmallVector<LLVM::LLVMFuncOp> entries;
  for (auto body : module.getOps<LLVM::LLVMFuncOp>()) {
    if (SymbolTable::getSymbolVisibility(body) == SymbolTable::Visibility::Private)
      body.setLinkage(LLVM::Linkage::Internal);
    else
      entries.push_back(body);
  }
  for (LLVM::LLVMFuncOp body : entries)
    addEntry(body, symbols);
}

} // namespace daedalus::cpu
