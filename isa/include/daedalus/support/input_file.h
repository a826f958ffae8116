// Files that somebody gives us, read whole, each kind up to a largest size: what has no end stops there.
#pragma once

#include "daedalus/support/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus {

/// A kind of input file, for the sentence that refuses one that is too large.
struct InputKind {
  const char *name;
  uint64_t mostBytes;
};

/// The one list of sizes (docs/limits.md says why they are what they are).
namespace input {
constexpr InputKind MachineFile{"a machine file", uint64_t(1) << 20};
constexpr InputKind SpaceFile{"a space of machines", uint64_t(1) << 20};
constexpr InputKind Calibration{"a calibration", uint64_t(1) << 20};
constexpr InputKind ProgramText{"a program's text", uint64_t(1) << 30};
constexpr InputKind Package{"a package or a program file", uint64_t(1) << 32};
constexpr InputKind Firmware{"firmware of a simulated system", uint64_t(1) << 30};
constexpr InputKind Model{"an ONNX model", (uint64_t(1) << 31) - 1};
constexpr InputKind OnnxTensor{"an ONNX tensor", (uint64_t(1) << 31) - 1};
constexpr InputKind Array{"an array (.npy)", uint64_t(1) << 32};
constexpr InputKind MlirText{"MLIR text", uint64_t(1) << 30};
/// Of any kind, what comes through a pipe or from a device: nothing says its size before it is read.
constexpr uint64_t MostStreamBytes = uint64_t(1) << 28;
} // namespace input

/// The content of a file. The error names the path and what the system said, or the size and the largest one.
Result<std::vector<uint8_t>> readFile(const std::string &path, const InputKind &kind);

/// The same of what is open already, from where it stands; `name` is for errors.
Result<std::vector<uint8_t>> readDescriptor(int descriptor, const std::string &name, const InputKind &kind);

} // namespace daedalus
