// LLVM IR to a relocatable object for this host.

#include "Passes.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace daedalus::cpu {
namespace {

std::string listOf(const std::vector<std::string> &features) {
  std::string list;
  for (const std::string &feature : features)
    list += (list.empty() ? "+" : ",+") + feature;
  return list;
}

/// What the code generator may call: 32 bytes at a time, then what is left. Loops stay loops: "no-builtins".
const char *memoryText = R"(
define hidden ptr @memset(ptr %to, i32 %value, i64 %size) "no-builtins" nounwind {
entry:
  %byte = trunc i32 %value to i8
  %one = insertelement <32 x i8> poison, i8 %byte, i64 0
  %vector = shufflevector <32 x i8> %one, <32 x i8> poison, <32 x i32> zeroinitializer
  %whole = and i64 %size, -32
  %short = icmp eq i64 %whole, 0
  br i1 %short, label %rest, label %wide
wide:
  %w = phi i64 [ 0, %entry ], [ %wnext, %wide ]
  %wat = getelementptr i8, ptr %to, i64 %w
  store <32 x i8> %vector, ptr %wat, align 1
  %wnext = add i64 %w, 32
  %wmore = icmp ult i64 %wnext, %whole
  br i1 %wmore, label %wide, label %rest
rest:
  %none = icmp eq i64 %whole, %size
  br i1 %none, label %done, label %loop
loop:
  %i = phi i64 [ %whole, %rest ], [ %next, %loop ]
  %at = getelementptr i8, ptr %to, i64 %i
  store i8 %byte, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %loop, label %done
done:
  ret ptr %to
}
define hidden ptr @memcpy(ptr noalias %to, ptr noalias %from, i64 %size) "no-builtins" nounwind {
entry:
  %whole = and i64 %size, -32
  %short = icmp eq i64 %whole, 0
  br i1 %short, label %rest, label %wide
wide:
  %w = phi i64 [ 0, %entry ], [ %wnext, %wide ]
  %wsource = getelementptr i8, ptr %from, i64 %w
  %bytes = load <32 x i8>, ptr %wsource, align 1
  %wat = getelementptr i8, ptr %to, i64 %w
  store <32 x i8> %bytes, ptr %wat, align 1
  %wnext = add i64 %w, 32
  %wmore = icmp ult i64 %wnext, %whole
  br i1 %wmore, label %wide, label %rest
rest:
  %none = icmp eq i64 %whole, %size
  br i1 %none, label %done, label %loop
loop:
  %i = phi i64 [ %whole, %rest ], [ %next, %loop ]
  %source = getelementptr i8, ptr %from, i64 %i
  %byte = load i8, ptr %source
  %at = getelementptr i8, ptr %to, i64 %i
  store i8 %byte, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %loop, label %done
done:
  ret ptr %to
}
define hidden ptr @memmove(ptr %to, ptr %from, i64 %size) "no-builtins" nounwind {
entry:
  %none = icmp eq i64 %size, 0
  br i1 %none, label %done, label %choose
choose:
  %forward = icmp ult ptr %to, %from
  br label %loop
loop:
  %i = phi i64 [ 0, %choose ], [ %next, %loop ]
  %last = sub i64 %size, 1
  %back = sub i64 %last, %i
  %index = select i1 %forward, i64 %i, i64 %back
  %source = getelementptr i8, ptr %from, i64 %index
  %byte = load volatile i8, ptr %source
  %at = getelementptr i8, ptr %to, i64 %index
  store i8 %byte, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %loop, label %done
done:
  ret ptr %to
}
)";

} // namespace

/// Of a processor of firmware. Those without vectors get short ones, which become single operations.
static Features featuresOfFirmware(const Level &level) {
  const Triple triple(level.triple);
  const bool isMve = level.name == "cortex-m55", isA64 = triple.isAArch64();
  Features features;
  features.isX86 = triple.isX86();
  features.vectorBits = features.isX86 || isMve || isA64 ? 128 : 32;
  features.registers = isA64 ? 32 : isMve ? 8 : 16;
  features.hasDoubles = triple.isArch64Bit() || isMve;
  features.hasFma = features.hasDoubles && !features.isX86;
  return features;
}

Features featuresOf(const Level &level) {
  if (!level.triple.empty())
    return featuresOfFirmware(level);
  Features features;
  features.hasVnni = is_contained(level.features, "avx512vnni");
  features.emulatesAmx = level.emulatesAmx;
  features.hasAmx = level.emulatesAmx || is_contained(level.features, "amx-int8");
  if (level.cpu == "x86-64-v4") {
    features.vectorBits = 512;
    features.registers = 32;
  } else if (level.cpu == "x86-64-v3") {
    features.vectorBits = 256;
  }
  features.hasFma = features.vectorBits > 128;
  return features;
}

std::string targetTriple(const Level &level) {
  return level.triple.empty() ? sys::getDefaultTargetTriple() : level.triple;
}

/// The code generators of the host and of all processors of firmware.
static bool initializeTargets() {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  return true;
}

Result<std::unique_ptr<TargetMachine>> machineOf(const Level &level) {
  static const bool isReady = initializeTargets();
  const std::string triple = targetTriple(level);
  std::string why;
  const Target *found = isReady ? TargetRegistry::lookupTarget(triple, why) : nullptr;
  if (!found)
    return error("no code generator for " + triple + ": " + why);
  TargetOptions options;
  options.FunctionSections = true; // the linker drops what is not called
  options.EmitStackSizeSection = !level.triple.empty();
  options.MCOptions.ABIName = level.abi;
  const bool isFixed = Triple(triple).isRISCV() || Triple(triple).isARM() || Triple(triple).isThumb();
  const CodeModel::Model model = Triple(triple).isRISCV() ? CodeModel::Medium : CodeModel::Small;
  return std::unique_ptr<TargetMachine>(
      found->createTargetMachine(triple, level.cpu, listOf(level.features), options,
                                 isFixed ? Reloc::Static : Reloc::PIC_, model, CodeGenOptLevel::Default));
}

std::unique_ptr<Module> memoryFunctions(LLVMContext &context) {
  SMDiagnostic diagnostic;
  auto functions = parseAssemblyString(memoryText, diagnostic, context);
  assert(functions && "the memory functions parse");
  return functions;
}

/// LLVM 19 has no code for llvm.roundeven on Arm with an FPU. Where floats are rounded to the nearest, halves
/// to even, llvm.rint is the same.
static void replaceRoundEven(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (function.getIntrinsicID() != Intrinsic::roundeven)
      continue;
    function.replaceAllUsesWith(
        Intrinsic::getDeclaration(&module, Intrinsic::rint, function.getReturnType()));
    function.eraseFromParent();
  }
}

void optimize(Module &module, TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  if (machine.getTargetTriple().isARM() || machine.getTargetTriple().isThumb())
    replaceRoundEven(module);
  for (Function &function : module)
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", machine.getTargetCPU());
      function.addFnAttr("target-features", machine.getTargetFeatureString());
      function.addFnAttr(Attribute::NoUnwind);
    }
  PipelineTuningOptions tuning;
  // Helium's loops with a last vector that is not full gave wrong sums, emulated by QEMU 7.2.
  tuning.LoopVectorization = machine.getTargetCPU() != "cortex-m55";
  // The loops are deep and their inner ones short: copies of their bodies cost compile time and gain nothing.
  tuning.LoopInterleaving = tuning.LoopUnrolling = tuning.SLPVectorization = false;
  PassBuilder builder(&machine, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager calls;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(module, modules);
}

Result<std::vector<char>> emitObject(Module &module, TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    return error("the code generator of " + machine.getTargetTriple().str() + " emits no objects");
  passes.run(module);
  return std::vector<char>(bytes.begin(), bytes.end());
}

} // namespace daedalus::cpu
