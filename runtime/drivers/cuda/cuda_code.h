// The code of a package's kernels for a GPU of NVIDIA's: what the compiler writes and the driver reads
// (package::Device::code).
//
//   "DAECUDA3" | images | scratch bytes u64 | constants
//   image      capability u32 | whether it is for that one alone u8 | kind u8 | bytes | kernels
//   kernel     launches; each: function | kind u8 | sizes | parameters
//   sizes      by kind, of 0, a function of the image: grid 3 x u32 | block 3 x u32 | shared bytes u32
//              of a library's: of 1 a product (cuda_gemm.h), of 2 a convolution (cuda_conv.h)
//   parameter  kind u8 | operand u32 | offset u64
//
// Numbers are little endian, a list is a u32 count and its elements (support/byte_stream.h).
#pragma once

#include "cuda_call.h"

#include "daedalus/package/package.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::cuda {

constexpr const char *deviceName = "cuda";
/// Of packages whose code is for emulation, by a driver that is loaded (compiler/tools/cuda-emulation).
constexpr const char *emulationName = "cuda-emulation";

/// A pointer into the device's memory that a function takes.
struct Parameter {
  /// Status: two words that are 0 before the kernel; the driver reads them behind it.
  enum class Kind : uint8_t { Operand, Scratch, Constant, Status };
  Kind kind = Kind::Operand;
  uint32_t operand = 0; ///< of Operand: inputs first, then outputs
  uint64_t offset = 0;  ///< bytes behind the operand's, the scratch memory's or the constants' first
};

struct Launch {
  std::string function; ///< of the images, or of a library (cuda_libraries.h)
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t sharedBytes = 0; ///< beyond what the function declares
  std::vector<Parameter> parameters;
  /// What a library computes: of x and y, the first two parameters, to the third; grid and block are of no
  /// use.
  std::optional<Call> call = std::nullopt;
};

/// What a kernel of the package does, one launch behind the other.
struct Kernel {
  std::vector<Launch> launches;
};

/// A module of all kernels for a GPU: PTX, which the driver compiles, a cubin, or, for emulation alone, text
/// of MLIR's in the dialects llvm and nvvm.
struct Image {
  enum class Kind : uint8_t { Ptx, Cubin, Nvvm };
  uint32_t capability = 80; ///< of the GPU that it needs: 80 is sm_80
  bool isExact = false;     ///< for that capability alone, as sm_90a is; else for later ones too
  Kind kind = Kind::Ptx;
  std::vector<uint8_t> bytes;
  std::vector<Kernel> kernels;
};

struct Code {
  std::vector<Image> images;
  uint64_t scratchBytes = 0; ///< which all launches share
  std::vector<uint8_t> constants;
};

/// Of each kernel: whether its shapes, and its indices, were others than it was compiled for (Kind::Status).
using StatusWords = std::array<uint32_t, 2>;
constexpr uint64_t statusBytes = sizeof(StatusWords);
/// The error says what words that are not 0 mean.
Result<void> outcomeOf(const StatusWords &words);

/// Where what parameters point into begins: each operand, and memory of the other kinds.
struct Places {
  std::vector<uint64_t> operands;
  uint64_t scratch = 0, constants = 0, status = 0;
};
/// The addresses that a launch takes.
std::vector<uint64_t> argumentsOf(const Launch &launch, const Places &places);

std::vector<uint8_t> writeCode(const Code &code);

/// The code of kernels with operands of so many bytes each, in order. The bytes may come from anyone: the
/// error says what is damaged.
Result<Code> readCode(Span<const uint8_t> bytes, const std::vector<std::vector<uint64_t>> &operands);

/// That of a package's device.
Result<Code> readCode(const package::Device &device);

/// The image that is for emulation. The error says that there is none.
Result<const Image *> emulatedImage(const Code &code);

/// The GPUs that the images are for, in words: "sm_80 and newer, sm_90a".
std::string gpusOf(const Code &code);

/// The image for a GPU of this capability: the exact one, or that of the highest capability that it has; null
/// where there is none.
const Image *imageFor(const Code &code, uint32_t capability);

} // namespace daedalus::cuda
