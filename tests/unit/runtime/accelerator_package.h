// A package that runs: a program for a machine, `tiny` if none is named, that adds a constant to 64 bytes, a
// copy, a kernel for the CPU, and a function of the user's.
//
//   image (int8 [1,1,8,8]) -> accelerator: + 10 -> CPU: + 3 -> external 'double' -> result
#pragma once

#include "elf_image.h"
#include "sample_package.h"

#include "../../support/vector_machine.h"

#include "daedalus/isa/encoding.h"
#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"
#include "daedalus/support/input_file.h"

#include <gtest/gtest.h>

namespace daedalus::test {

inline uint8_t mask(isa::Module module) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(module));
}

/// out[0..64) = arena[from..] + value, to arena[to..).
inline std::vector<isa::Instruction> addProgram(uint32_t from, uint32_t to, int32_t value, uint16_t n = 8) {
  isa::Load load;
  load.signal = mask(isa::Module::Vector);
  load.base = 1;
  load.offset = from;
  load.runBytes = 64;
  load.unbounded = true;
  isa::Vector add;
  add.wait = mask(isa::Module::Load);
  add.signal = mask(isa::Module::Store);
  add.op = isa::VectorOp::Add;
  add.dstScope = isa::Scope::Out;
  add.bScope = isa::Scope::Imm;
  add.immediate = value;
  add.loops[4] = {static_cast<uint16_t>(64 / n), 1, 1, 0};
  isa::Store store;
  store.wait = mask(isa::Module::Vector);
  store.scope = isa::Scope::Out;
  store.base = 1;
  store.offset = to;
  store.runBytes = 64;
  return {load, add, store, isa::Finish{}};
}

inline package::AcceleratorProgram acceleratorProgram(const std::vector<isa::Instruction> &instructions,
                                                      const package::Package &package, uint32_t layer) {
  package::AcceleratorProgram program;
  program.words = isa::encodeWords(instructions);
  program.bases[0] = {static_cast<uint32_t>(package.constants.size()), true};
  program.bases[1] = {static_cast<uint32_t>(package.arenaBytes), false};
  program.layerOfInstruction.assign(instructions.size(), layer);
  return program;
}

/// What the compiler writes: the addresses of the kernels' symbols; 0 where the object does not have one.
inline std::vector<uint64_t> entriesOf(const std::vector<package::Kernel> &kernels,
                                       Span<const uint8_t> object) {
  auto image = runtime::cpu::readElf(object);
  std::vector<uint64_t> entries;
  for (const package::Kernel &kernel : kernels)
    entries.push_back(image && image->functions.count(kernel.symbol) ? image->functions[kernel.symbol] : 0);
  return entries;
}

inline package::Package runnablePackage(const std::string &machineName = "tiny") {
  using namespace package;
  const TensorType image{DType::I8, {1, 1, 8, 8}};
  auto machine = isa::loadMachine(machineName);
  EXPECT_TRUE(machine) << machine.error();
  Package result;
  result.machineName = machine->name;
  result.machineHash = machine->hash();
  result.arenaBytes = 512;
  result.constants.assign(64, 1);
  result.kernels = {{"kernel_minus_one", {reads(image), writes(image)}},
                    {"kernel_plus_three", {reads(image), writes(image)}}};
  result.externals = {"double"};
  auto object = readFile(DAEDALUS_TEST_KERNELS "/kernels.so", input::Package);
  EXPECT_TRUE(object) << object.error();
  result.objects = {{"x86_64-unknown-linux-gnu", "x86-64", {}, entriesOf(result.kernels, *object), *object}};
  result.layers = {{"Add_0", "accelerator", "", 64},
                   {"Add_1", "cpu", "", 0},
                   {"Double_2", "external", "", 0},
                   {"Add_3", "accelerator", "", 32}};
  result.programs = {acceleratorProgram(addProgram(0, 64, 10, machine->n), result, 0)};
  Function main{"main", {{"image", image, 0}}, {{"result", image, 256}, {"copied", image, 320}}, {}};
  main.steps = {{Step::Kind::Start, 0, {arenaRef(0, image)}, {arenaRef(64, image)}, 0},
                {Step::Kind::Wait, 0, {}, {}, 0},
                {Step::Kind::CallKernel, 1, {arenaRef(64, image)}, {arenaRef(128, image)}, 1},
                {Step::Kind::CallExternal, 0, {arenaRef(128, image)}, {arenaRef(256, image)}, 2},
                {Step::Kind::Copy, 0, {constantRef(0, image)}, {arenaRef(320, image)}, noLayer}};
  result.functions = {main};
  return result;
}

/// runnablePackage() with a kernel that shares its work among threads: image -> + 10 -> + index of the
/// element -> 'double'.
inline package::Package sharedPackage(const std::string &machineName = "tiny") {
  package::Package result = runnablePackage(machineName);
  result.kernels.push_back({"kernel_plus_index", result.kernels[0].arguments, 64});
  result.objects[0].entries = entriesOf(result.kernels, result.objects[0].bytes);
  result.functions[0].steps[2].index = 2;
  return result;
}

/// runnablePackage() with a device between accelerator and CPU, whose kernel adds 5 and takes the maximum
/// with -20: image -> + 10 -> copy -> device -> copy -> + 3 -> 'double'.
inline package::Package devicePackage() {
  using namespace package;

  Package result = runnablePackage();
  const TensorType image{DType::I8, {1, 1, 8, 8}};
  const VectorOperand operand{8, 0, {1}};
  result.devices = {
      {vectorMachineName,
       192,
       {{"nothing", {reads(image), writes(image)}}, {"plus_five", {reads(image), writes(image)}}},
       encodeVectorKernels({{{64}, {operand, operand}, {{VectorOperation::Argument, 0}}},
                            {{64},
                             {operand, operand},
                             {{VectorOperation::Argument, 0},
                              {VectorOperation::Constant, 5},
                              {VectorOperation::Add},
                              {VectorOperation::Wrap, 8},
                              {VectorOperation::Constant, -20},
                              {VectorOperation::Max}}}})}};
  const std::vector<Step> between = {
      {Step::Kind::Copy, 0, {arenaRef(64, image)}, {deviceRef(0, image)}, noLayer},
      {Step::Kind::CallDevice, 1, {deviceRef(0, image)}, {deviceRef(64, image)}, 3},
      {Step::Kind::Copy, 0, {deviceRef(64, image)}, {deviceRef(128, image)}, noLayer},
      {Step::Kind::Copy, 0, {deviceRef(128, image)}, {arenaRef(64, image)}, noLayer}};
  std::vector<Step> &steps = result.functions[0].steps;
  steps.insert(steps.begin() + 2, between.begin(), between.end());
  return result;
}

} // namespace daedalus::test
