// A small package with one of everything, for the tests of format and validation. Its program and its
// object are not meant to run.
#pragma once

#include "daedalus/package/package.h"

namespace daedalus::test {

inline package::Ref arenaRef(uint64_t offset, package::TensorType type) {
  return {package::Space::Arena, offset, package::byteSize(type), type};
}
inline package::Ref constantRef(uint64_t offset, package::TensorType type) {
  return {package::Space::Constants, offset, package::byteSize(type), type};
}

inline package::Ref deviceRef(uint64_t offset, package::TensorType type, size_t device = 0) {
  return {package::memoryOf(device), offset, package::byteSize(type), type};
}

inline package::KernelArgument reads(package::TensorType type) {
  return {package::KernelArgument::Access::Read, type, static_cast<uint32_t>(package::byteSize(type.dtype))};
}
inline package::KernelArgument writes(package::TensorType type) {
  return {package::KernelArgument::Access::Write, type, static_cast<uint32_t>(package::byteSize(type.dtype))};
}

inline package::Package samplePackage() {
  using namespace package;
  const TensorType image{DType::I8, {1, 1, 8, 8}}, sums{DType::I32, {16}};
  Package sample;
  sample.machineName = "tiny";
  sample.machineHash = 0x0123456789abcdefu;
  sample.arenaBytes = 256;
  sample.constants = {1, 2, 3, 4, 5, 6, 7, 8};
  sample.kernels = {{"pool_1", {reads(image), writes(sums)}, 4096}};
  sample.externals = {"my_softmax"};
  sample.layers = {{"Conv_0 + Relu_1", "accelerator", "fits the array", 576},
                   {"Softmax_2", "external", "asked", 0}};
  sample.programs.resize(1);
  sample.programs[0].words.assign(128, 0);
  sample.programs[0].bases[0] = {8, true};
  sample.programs[0].bases[1] = {256, false};
  sample.programs[0].layerOfInstruction = {0, noLayer};
  sample.objects = {
      {"x86_64-unknown-linux-gnu", "x86-64-v3", {"avx512vnni"}, {0x1000}, {0x7f, 'E', 'L', 'F'}}};
  sample.devices = {{"npu", 128, {{"twice", {reads(image), writes(image)}}}, {1, 2, 3}}};
  Function main{"main", {{"image", image, 0}}, {{"logits", sums, 128}}, {}};
  main.steps = {
      {Step::Kind::Start, 0, {arenaRef(0, image)}, {arenaRef(64, image)}, 0},
      {Step::Kind::Wait, 0, {}, {}, 0},
      {Step::Kind::Copy, 0, {constantRef(0, {DType::I8, {8}})}, {arenaRef(192, {DType::U8, {8}})}, noLayer},
      {Step::Kind::CallKernel, 0, {arenaRef(64, image)}, {arenaRef(128, sums)}, 1},
      {Step::Kind::CallExternal, 0, {arenaRef(64, image)}, {arenaRef(128, sums)}, 1},
      {Step::Kind::Copy, 0, {arenaRef(64, image)}, {deviceRef(0, image)}, noLayer},
      {Step::Kind::CallDevice, 0, {deviceRef(0, image)}, {deviceRef(64, image)}, 1},
      {Step::Kind::Copy, 0, {deviceRef(64, image)}, {arenaRef(64, image)}, noLayer},
  };
  sample.functions = {main};
  return sample;
}

} // namespace daedalus::test
