// The package: everything that a compiled model needs to run, as one value and as one file.
//
// The compiler writes it, the runtime reads it, and they meet nowhere else. Memory is described by spaces:
// the constants (read-only, base register 0 of the accelerator) and the arena (inputs, outputs and
// intermediates at static offsets, base register 1). Both lie in the accelerator's DRAM, at multiples of
// 4096 for it and for the host; kernels on the CPU get host pointers into them. Each further device has a
// space of its own, which the host reaches by copies alone. The file form is described in
// lib/package/format.h.
#pragma once

#include "daedalus/support/base_limit.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace daedalus::package {

/// In the order of their codes in a file; new ones go behind the last.
enum class DType : uint8_t { I8, U8, I32, I64, F32, Bool, F64, I16, U16, U32, U64, F16, BF16, Last = BF16 };

/// "int8", "uint8", ..., "float16", "bfloat16", "float32", "float64" or "bool".
const char *name(DType dtype);
/// Bytes of one element.
uint64_t byteSize(DType dtype);

/// A dense row-major tensor. No dimension is negative; no dimensions at all is a scalar.
struct TensorType {
  DType dtype = DType::I8;
  std::vector<int64_t> shape;

  bool operator==(const TensorType &other) const { return dtype == other.dtype && shape == other.shape; }
  bool operator!=(const TensorType &other) const { return !(*this == other); }
};

/// Elements, and bytes, of a tensor. Types that come out of readPackage are known not to overflow.
uint64_t elementCount(const TensorType &type);
uint64_t byteSize(const TensorType &type);
/// As users read it: "int8 [1,1,8,8]".
std::string toString(const TensorType &type);

/// An input or output of a function: a tensor in the arena, at a multiple of its element's size. No two
/// inputs overlap.
struct Value {
  std::string name;
  TensorType type;
  uint64_t offset = 0; // bytes from the start of the arena
};

/// A memory space: the constants, the arena, or from FirstDevice on the memory of a device, in the order of
/// Package::devices.
enum class Space : uint8_t { Constants, Arena, FirstDevice };
constexpr size_t mostDevices = 16;

/// Whether kernels on the CPU, external functions and the accelerator reach it.
constexpr bool isShared(Space space) {
  return space == Space::Constants || space == Space::Arena;
}
/// The number of the device whose memory it is, and the other way round.
constexpr size_t deviceOf(Space space) {
  return static_cast<size_t>(space) - static_cast<size_t>(Space::FirstDevice);
}
constexpr Space memoryOf(size_t device) {
  return static_cast<Space>(static_cast<size_t>(Space::FirstDevice) + device);
}

/// An operand of a step. `bytes` is the size of `type`; `offset` is a multiple of its element's size.
struct Ref {
  Space space = Space::Arena;
  uint64_t offset = 0; // bytes from the start of the space
  uint64_t bytes = 0;
  TensorType type;
};

/// The layer of what belongs to none.
constexpr uint32_t noLayer = 0xffffffffu;

/// One entry of a function's executor table. Outputs lie in the arena, of a Copy or CallDevice also in the
/// memory of a device. Only these two name the memory of devices.
///   CallKernel    index into Package::kernels; runs on the CPU. Its operands are what the kernel's signature
///                 says, and no output shares a byte with another operand
///   CallExternal  index into Package::externals; calls the function registered under that name
///   Copy          bytes of inputs[0] to outputs[0], which have the same size and do not overlap
///   Start, Wait   index into Package::programs; a Start is followed by its Wait before the next Start
///                 and before the end of the function. Operands of a Start are for the reader only.
///   CallDevice    index into the kernels of the device in whose memory all of its operands lie; as
///   CallKernel
struct Step {
  enum class Kind : uint8_t { CallKernel, CallExternal, Copy, Start, Wait, CallDevice };
  Kind kind = Kind::Copy;
  uint32_t index = 0;
  std::vector<Ref> inputs, outputs;
  uint32_t layer = noLayer; // index into Package::layers
};

/// What a kernel does with one of its pointers: it reads, or writes and reads, at most the bytes of `type`.
struct KernelArgument {
  enum class Access : uint8_t { Read, Write };
  Access access = Access::Read;
  TensorType type;
  uint32_t alignment = 1; // of the address: a power of two, at most 4096

  bool operator==(const KernelArgument &other) const {
    return access == other.access && type == other.type && alignment == other.alignment;
  }
};

/// The largest Kernel::workerBytes.
constexpr uint64_t mostWorkerBytes = uint64_t(256) << 20;

/// A kernel for the CPU: `int32_t symbol(void *const *args, const KernelContext *context)` (kernel_abi.h),
/// args = pointers to inputs, then to outputs. The signature says what its code relies on; it assumes besides
/// that nothing it writes is also reached through another pointer.
struct Kernel {
  std::string symbol;
  std::vector<KernelArgument> arguments; // inputs (read), then at least one output (written)
  uint64_t workerBytes = 0; // scratch of each thread that works on it; 0 of the kernels of devices
};

/// The kernels as a freestanding ELF shared object without undefined symbols. All objects of a package
/// define all of its kernels; the runtime takes the first one that the host can execute.
struct ElfObject {
  std::string triple;                // such as "x86_64-unknown-linux-gnu"
  std::string cpu;                   // level, such as "x86-64-v3"
  std::vector<std::string> features; // further features in LLVM's names, such as "avx512vnni"
  std::vector<uint64_t> entries;     // of each kernel: the address in the object where its symbol has to be
  std::vector<uint8_t> bytes;
};

/// A device with a memory of its own, and what it runs. The runtime needs a driver of its name
/// (daedalus/runtime/device_driver.h).
struct Device {
  std::string name;
  uint64_t memoryBytes = 0;
  std::vector<Kernel> kernels;
  std::vector<uint8_t> code; // of all kernels, in a form that its driver knows
};

/// A stream for the accelerator. Base 0 is the constants (read-only), base 1 the arena; their limits are at
/// most the sizes of these. The other bases have limit 0.
struct AcceleratorProgram {
  std::vector<uint8_t> words;               // 64 bytes an instruction
  std::array<BaseLimit, 16> bases{};        // of all base registers
  std::vector<uint32_t> layerOfInstruction; // index into Package::layers or noLayer
};

/// What profiles and errors speak of: one fused group of ONNX nodes on one target.
struct Layer {
  std::string node;                        // names of the ONNX nodes joined by " + "
  std::string target;                      // the name of a target, or "external"
  std::string reason;                      // why it is there
  uint64_t macs = 0;                       // multiply-accumulates
  std::map<std::string, uint64_t> least{}; // what its target says that it needs at least, by its names
};

struct Function {
  std::string name;
  std::vector<Value> inputs, outputs;
  std::vector<Step> steps;
  uint64_t certifiedCycles =
      0; // of all accelerator programs of a call, with Package::memory; 0: nothing is said
};

struct Package {
  std::string machineName;  // of the accelerator programs
  uint64_t machineHash = 0; // isa::Machine::hash() of it
  std::string memory;       // isa::memoryText() of it
  uint64_t arenaBytes = 0;
  std::vector<uint8_t> constants;
  std::vector<Function> functions; // the first one is what `daedalus run` runs
  std::vector<Kernel> kernels;
  std::vector<std::string> externals;
  std::vector<AcceleratorProgram> programs;
  std::vector<ElfObject> objects;
  std::vector<Device> devices;
  std::vector<Layer> layers;
};

/// Whether running the package executes machine code that it carries. Such a package is trusted like an
/// executable; one without comes from anyone (docs/package.md).
inline bool hasNativeCode(const Package &package) {
  return !package.kernels.empty() || !package.objects.empty() || !package.devices.empty();
}

/// Its kernels and what they were compiled for: "3 kernels for x86_64-unknown-linux-gnu at level x86-64-v3, 2
/// kernels for the device 'npu'".
std::string describeNativeCode(const Package &package);

/// A space as users read it: "the constants", "the arena", "the memory of the device 'npu'". It is one of the
/// package's.
std::string describe(const Package &package, Space space);

/// Checks everything that the comments above promise: references inside their space, indices in range, calls
/// that fit their kernels, names unique and not empty, sizes without overflow. The error names the function,
/// step or value.
Result<void> validate(const Package &package);

/// The file form; the same bytes for the same package.
std::vector<uint8_t> writePackage(const Package &package);

/// Reads and validates. Every byte of the file is covered by a checksum or must be zero, so a changed,
/// missing or additional byte is refused with one sentence.
Result<Package> readPackage(Span<const uint8_t> bytes);

} // namespace daedalus::package
