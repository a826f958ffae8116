#include "cuda_code.h"

#include "daedalus/support/byte_stream.h"

#include <algorithm>

namespace daedalus::cuda {
namespace {

constexpr uint8_t magic[8] = {'D', 'A', 'E', 'C', 'U', 'D', 'A', '2'};
// What every GPU from sm_80 on takes (CUDA C++ Programming Guide, Compute Capabilities).
constexpr uint32_t mostThreads = 1024, mostBlockZ = 64, mostGridX = 0x7fffffff, mostGridYz = 65535;
constexpr uint32_t mostSharedBytes = 227 << 10;

void write(ByteWriter &out, const std::array<uint32_t, 3> &sizes) {
  for (uint32_t size : sizes)
    out.u32(size);
}

void write(ByteWriter &out, const Launch &launch) {
  out.string(launch.function);
  write(out, launch.grid);
  write(out, launch.block);
  out.u32(launch.sharedBytes);
  out.list(launch.parameters, [&](const Parameter &parameter) {
    out.u8(static_cast<uint8_t>(parameter.kind));
    out.u32(parameter.operand);
    out.u64(parameter.offset);
  });
}

Launch readLaunch(ByteReader &in) {
  Launch launch;
  launch.function = in.string();
  for (std::array<uint32_t, 3> *sizes : {&launch.grid, &launch.block})
    for (uint32_t &size : *sizes)
      size = in.u32();
  launch.sharedBytes = in.u32();
  launch.parameters = in.list<Parameter>(13, [&] {
    const auto kind = static_cast<Parameter::Kind>(in.u8());
    const uint32_t operand = in.u32();
    return Parameter{kind, operand, in.u64()};
  });
  return launch;
}

Image readImage(ByteReader &in) {
  Image image;
  image.capability = in.u32();
  image.isExact = in.u8() != 0;
  image.kind = static_cast<Image::Kind>(in.u8());
  image.bytes = in.block();
  image.kernels =
      in.list<Kernel>(4, [&] { return Kernel{in.list<Launch>(36, [&] { return readLaunch(in); })}; });
  return image;
}

/// Whether a GPU can run it, and its pointers lie within what they point into.
bool isLegal(const Launch &launch, size_t operands, const Code &code) {
  const auto &[gx, gy, gz] = launch.grid;
  const auto &[bx, by, bz] = launch.block;
  const bool hasSizes = gx >= 1 && gx <= mostGridX && gy >= 1 && gy <= mostGridYz && gz >= 1 &&
                        gz <= mostGridYz && bx >= 1 && by >= 1 && bz >= 1 && bx <= mostThreads &&
                        by <= mostThreads && bz <= mostBlockZ && uint64_t(bx) * by * bz <= mostThreads;
  return hasSizes && launch.sharedBytes <= mostSharedBytes && !launch.function.empty() &&
         launch.function.find('\0') == std::string::npos &&
         std::all_of(launch.parameters.begin(), launch.parameters.end(), [&](const Parameter &parameter) {
           switch (parameter.kind) {
           case Parameter::Kind::Operand:
             return parameter.operand < operands && parameter.offset == 0;
           case Parameter::Kind::Scratch:
             return parameter.offset < code.scratchBytes;
           case Parameter::Kind::Constant:
             return parameter.offset < code.constants.size();
           case Parameter::Kind::Status:
             return parameter.offset == 0;
           }
           return false;
         });
}

Result<void> check(const Code &code, const std::vector<size_t> &operands) {
  for (const Image &image : code.images) {
    if (image.kind > Image::Kind::Nvvm || image.bytes.empty())
      return error("an image of its code is damaged");
    if (image.kernels.size() != operands.size())
      return error("its code has " + std::to_string(image.kernels.size()) + " kernels; expected " +
                   std::to_string(operands.size()));
    for (size_t i = 0; i < operands.size(); ++i)
      for (const Launch &launch : image.kernels[i].launches)
        if (!isLegal(launch, operands[i], code))
          return error("the launch of '" + launch.function + "' in its code is damaged");
  }
  return {};
}

} // namespace

Result<void> outcomeOf(const StatusWords &words) {
  if (words[0])
    return error(
        "inputs that say its output's shape (shape, axes, starts, pads, scales) do not give the one for "
        "which the model was compiled");
  if (words[1])
    return error(
        "it selects by an index or label that is outside of the dimension; expected every one of its "
        "indices within it");
  return {};
}

std::vector<uint64_t> argumentsOf(const Launch &launch, const Places &places) {
  std::vector<uint64_t> arguments;
  for (const Parameter &parameter : launch.parameters) {
    const uint64_t first = parameter.kind == Parameter::Kind::Operand   ? places.operands[parameter.operand]
                           : parameter.kind == Parameter::Kind::Scratch ? places.scratch
                           : parameter.kind == Parameter::Kind::Status  ? places.status
                                                                        : places.constants;
    arguments.push_back(first + parameter.offset);
  }
  return arguments;
}

std::vector<uint8_t> writeCode(const Code &code) {
  ByteWriter out;
  out.bytes.assign(std::begin(magic), std::end(magic));
  out.list(code.images, [&](const Image &image) {
    out.u32(image.capability);
    out.u8(image.isExact);
    out.u8(static_cast<uint8_t>(image.kind));
    out.block(image.bytes);
    out.list(image.kernels, [&](const Kernel &kernel) {
      out.list(kernel.launches, [&](const Launch &launch) { write(out, launch); });
    });
  });
  out.u64(code.scratchBytes);
  out.block(code.constants);
  return out.bytes;
}

Result<Code> readCode(Span<const uint8_t> bytes, const std::vector<size_t> &operands) {
  if (bytes.size() < sizeof magic || !std::equal(std::begin(magic), std::end(magic), bytes.begin()))
    return error("its code is none of a GPU's");
  ByteReader in(bytes.subspan(sizeof magic));
  Code code;
  code.images = in.list<Image>(14, [&] { return readImage(in); });
  code.scratchBytes = in.u64();
  code.constants = in.block();
  if (!in.ok())
    return error("its code is cut off or damaged");
  if (Result<void> good = check(code, operands); !good)
    return error(good.error());
  return code;
}

Result<Code> readCode(const package::Device &device) {
  std::vector<size_t> operands;
  for (const package::Kernel &kernel : device.kernels)
    operands.push_back(kernel.arguments.size());
  return readCode(Span<const uint8_t>(device.code.data(), device.code.size()), operands);
}

Result<const Image *> emulatedImage(const Code &code) {
  for (const Image &image : code.images)
    if (image.kind == Image::Kind::Nvvm)
      return &image;
  return error("the package has no code that can be emulated; compile with --cuda-arch emulated");
}

const Image *imageFor(const Code &code, uint32_t capability) {
  const Image *best = nullptr;
  for (const Image &image : code.images)
    if (image.kind == Image::Kind::Nvvm)
      continue;
    else if (image.isExact ? image.capability == capability
                           : image.capability <= capability && image.kind == Image::Kind::Ptx)
      if (!best || (!best->isExact && (image.isExact || image.capability > best->capability)))
        best = &image;
  return best;
}

} // namespace daedalus::cuda
