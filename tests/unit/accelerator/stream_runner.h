// Compiles kernels into one stream, proves it with the verifier and runs it on an engine.
#pragma once

#include "kernel_model.h"

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Target/Accelerator/Accelerator.h"
#include "daedalus/Target/Accelerator/Planning.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/verify.h"
#include "daedalus/simulator/device.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseMap.h"

#include <gtest/gtest.h>

#include <optional>

namespace daedalus::testing {

/// A chain of kernels; the second operand of an Add is the input of the kernel before.
class StreamRunner {
public:
  StreamRunner() {
    mlir::DialectRegistry registry;
    registry.insert<dae::DaeDialect, qnn::QnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                    mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect>();
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
  }

  /// Compiles the chain; false (with a failed expectation) where that or the proof fails. With a lag the
  /// kernels that have decisions are a group.
  bool compile(const std::vector<KernelModel> &chain, const isa::Machine &target,
               std::optional<int64_t> lag = std::nullopt) {
    return compileText(moduleText(chain, lag), target);
  }

  /// The same for kernels and @main as text.
  bool compileText(const std::string &text, const isa::Machine &target) {
    machine = target;
    constants.clear();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(bool(module));
    if (!module)
      return false;
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    auto calls = llvm::to_vector(main.getOps<mlir::func::CallOp>());
    place(main);
    std::vector<uint32_t> layers;
    for (size_t k = 0; k < calls.size(); ++k)
      layers.push_back(k);
    accelerator::Planning planning;
    for (dae::PlanOp plan : module->getOps<dae::PlanOp>())
      EXPECT_TRUE(succeeded(planning.give(plan, machine)));
    auto compiled = accelerator::compileStream(*module, calls, layers, machine,
                                               {[&](mlir::Value v) { return Slot{offsets.lookup(v)}; }},
                                               constants, &planning);
    EXPECT_TRUE(succeeded(compiled) || !mustCompile);
    if (failed(compiled))
      return false;
    stream = std::move(*compiled);
    EXPECT_EQ(stream.instructions.size(), stream.layerOfInstruction.size());
    return prove();
  }

  /// Whether the chain compiles; none of it fails an expectation.
  bool tryToCompile(const std::vector<KernelModel> &chain, const isa::Machine &target) {
    return refusal(chain, target).empty();
  }

  /// Why the chain does not compile, in one sentence.
  std::string refusal(const std::vector<KernelModel> &chain, const isa::Machine &target,
                      std::optional<int64_t> lag = std::nullopt) {
    std::string first;
    const mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      first = first.empty() ? diagnostic.str() : first;
      return mlir::success();
    });
    mustCompile = false;
    compile(chain, target, lag);
    mustCompile = true;
    return first;
  }

  /// The result of the last kernel on `inputs`, the arguments of the first.
  std::vector<int8_t> run(const std::string &engine, const std::vector<std::vector<int8_t>> &inputs) {
    constexpr uint64_t Guard = 4096;
    uint64_t arena = (constants.size() + Guard) / 64 * 64, code = (arena + arenaBytes + Guard) / 64 * 64;
    std::vector<uint8_t> words = isa::encodeWords(stream.instructions);
    sim::DeviceOptions options;
    options.dramBytes = (code + words.size() + Guard) / 64 * 64;
    auto created = sim::createDevice(engine, machine, options);
    EXPECT_TRUE(bool(created));
    if (!created)
      return {};
    device = std::move(*created);
    auto write = [&](uint64_t at, const void *data, size_t size) {
      std::copy_n(static_cast<const uint8_t *>(data), size, device->dram().data() + at);
    };
    write(0, constants.data(), constants.size());
    for (size_t k = 0; k < inputs.size(); ++k)
      write(arena + inputOffsets[k], inputs[k].data(), inputs[k].size());
    write(code, words.data(), words.size());
    setBase(0, 0, constants.size());
    setBase(1, arena, arenaBytes);
    device->writeRegister(isa::reg::ProgramLo, code);
    device->writeRegister(isa::reg::ProgramHi, 0);
    device->writeRegister(isa::reg::ProgramLength, stream.instructions.size());
    device->writeRegister(isa::reg::ProgramLimit, words.size());
    device->writeRegister(isa::reg::Control, 1);
    device->waitForInterrupt();
    EXPECT_EQ(device->readRegister(isa::reg::Status), static_cast<uint32_t>(isa::DeviceStatus::Done))
        << device->faultDetail();
    auto *result = reinterpret_cast<const int8_t *>(device->dram().data() + arena + outputOffset);
    return {result, result + outputBytes};
  }

  uint64_t cycles() { return device->readRegister(isa::reg::CyclesLo); }
  uint64_t counter(isa::CounterModule module, isa::CounterClass what) {
    uint32_t index = static_cast<uint32_t>(module) * isa::CounterClassCount + static_cast<uint32_t>(what);
    return device->readRegister(isa::reg::CounterLo + index * isa::reg::CounterLoStep);
  }

  mlir::MLIRContext context; // outlives the modules
  isa::Machine machine;
  accelerator::AcceleratorStream stream;
  std::vector<uint8_t> constants;
  mlir::OwningOpRef<mlir::ModuleOp> module;

private:
  static std::string moduleText(const std::vector<KernelModel> &chain, std::optional<int64_t> lag) {
    bool two = chain[0].kind == Kind::Add;
    std::string text, plan,
        main = "func.func @main(%v0: " + inputType(chain[0]) + (two ? ", %w: " + inputType(chain[0]) : "") +
               ") -> " + outputType(chain.back()) + " {\n";
    for (size_t k = 0; k < chain.size(); ++k) {
      const KernelModel &m = chain[k];
      std::string name = "k" + std::to_string(k), in = inputType(m), first = "%v" + std::to_string(k);
      std::string second = k ? "%v" + std::to_string(k - 1) : "%w";
      text += kernelText(m, name);
      if (!m.decisions.empty())
        plan += "  dae.kernel @" + name + " { " + m.decisions + " }\n";
      main += "  %v" + std::to_string(k + 1) + " = call @" + name + "(" + first +
              (m.kind == Kind::Add ? ", " + second : "") + ") : (" + in +
              (m.kind == Kind::Add ? ", " + in : "") + ") -> " + outputType(m) + "\n";
    }
    if (lag)
      plan = "  dae.group lag " + std::to_string(*lag) + " {\n" + plan + "  }\n";
    return text + (plan.empty() ? "" : "dae.plan format 1 {\n" + plan + "}\n") + main + "  return %v" +
           std::to_string(chain.size()) + " : " + outputType(chain.back()) + "\n}\n";
  }

  /// Tensors without gaps beyond the alignment, behind the padding: what reads outside its tensor shows.
  void place(mlir::func::FuncOp main) {
    arenaBytes = 0;
    for (auto kernel : module->getOps<mlir::func::FuncOp>())
      arenaBytes = std::max(arenaBytes, (accelerator::paddingBefore(kernel) + 63) / 64 * 64);
    offsets.clear();
    inputOffsets.clear();
    auto add = [&](mlir::Value value) {
      offsets[value] = arenaBytes;
      outputOffset = arenaBytes;
      outputBytes = mlir::cast<mlir::ShapedType>(value.getType()).getNumElements();
      arenaBytes = (arenaBytes + outputBytes + 63) / 64 * 64;
    };
    for (mlir::Value argument : main.getArguments()) {
      inputOffsets.push_back(arenaBytes);
      add(argument);
    }
    for (auto call : main.getOps<mlir::func::CallOp>())
      add(call.getResult(0));
  }

  bool prove() {
    isa::Program program;
    program.machineName = machine.name;
    program.machineHash = machine.hash();
    program.bases[0] = {static_cast<uint32_t>(constants.size()), true};
    program.bases[1] = {static_cast<uint32_t>(arenaBytes), false};
    program.instructions = stream.instructions;
    std::vector<isa::Finding> findings = isa::verify(program, machine);
    for (const isa::Finding &finding : findings)
      ADD_FAILURE() << finding.cause << ": " << finding.message;
    return findings.empty();
  }

  void setBase(unsigned base, uint64_t address, uint32_t limit) {
    device->writeRegister(isa::reg::BaseLo + base * isa::reg::BaseLoStep, address);
    device->writeRegister(isa::reg::BaseHi + base * isa::reg::BaseHiStep, 0);
    device->writeRegister(isa::reg::Limit + base * isa::reg::LimitStep, limit);
  }

  llvm::DenseMap<mlir::Value, int64_t> offsets;
  std::vector<uint64_t> inputOffsets;
  uint64_t arenaBytes = 0, outputOffset = 0, outputBytes = 0;
  bool mustCompile = true;
  std::unique_ptr<sim::Device> device;
};

inline std::vector<int8_t> randomBytes(size_t size, std::mt19937 &random) {
  std::vector<int8_t> bytes(size);
  for (int8_t &byte : bytes)
    byte = static_cast<int8_t>(random());
  return bytes;
}

inline isa::Machine builtin(const std::string &name) {
  auto machine = isa::loadMachine(name);
  if (!machine)
    ADD_FAILURE() << machine.error();
  return *machine;
}

/// A built-in machine whose latencies of reads and writes are two of these.
inline isa::Machine randomMachine(std::mt19937 &random, const std::vector<uint32_t> &latencies) {
  constexpr const char *names[] = {"default", "vta", "tiny", "large"};
  isa::Machine machine = builtin(names[random() % std::size(names)]);
  machine.readLatency = latencies[random() % latencies.size()];
  machine.writeLatency = latencies[random() % latencies.size()];
  return machine;
}

} // namespace daedalus::testing
