#include "cuda_code.h"

#include "daedalus/support/byte_stream.h"

#include <algorithm>

namespace daedalus::cuda {
namespace {

constexpr uint8_t magic[8] = {'D', 'A', 'E', 'C', 'U', 'D', 'A', '3'};
// What every GPU from sm_80 on takes (CUDA C++ Programming Guide, Compute Capabilities).
constexpr uint32_t mostThreads = 1024, mostBlockZ = 64, mostGridX = 0x7fffffff, mostGridYz = 65535;
constexpr uint32_t mostSharedBytes = 227 << 10;

void write(ByteWriter &out, const std::array<uint32_t, 3> &sizes) {
  for (uint32_t size : sizes)
    out.u32(size);
}

void write(ByteWriter &out, const Launch &launch) {
  out.string(launch.function);
  out.u8(launch.call ? static_cast<uint8_t>(1 + launch.call->index()) : 0);
  if (launch.call) {
    std::visit([&](const auto &call) { write(out, call); }, *launch.call);
  } else {
    write(out, launch.grid);
    write(out, launch.block);
    out.u32(launch.sharedBytes);
  }
  out.list(launch.parameters, [&](const Parameter &parameter) {
    out.u8(static_cast<uint8_t>(parameter.kind));
    out.u32(parameter.operand);
    out.u64(parameter.offset);
  });
}

Launch readLaunch(ByteReader &in) {
  Launch launch;
  launch.function = in.string();
  const uint8_t kind = in.u8();
  if (kind == 1) {
    launch.call = readGemm(in);
  } else if (kind == 2) {
    launch.call = readConv(in);
  } else if (kind != 0) {
    in.fail();
  } else {
    for (std::array<uint32_t, 3> *sizes : {&launch.grid, &launch.block})
      for (uint32_t &size : *sizes)
        size = in.u32();
    launch.sharedBytes = in.u32();
  }
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
      in.list<Kernel>(4, [&] { return Kernel{in.list<Launch>(37, [&] { return readLaunch(in); })}; });
  return image;
}

/// How many bytes there are from where it points to; nothing where it points to no byte of the package's.
std::optional<uint64_t> bytesBehind(const Parameter &parameter, const std::vector<uint64_t> &operands,
                                    const Code &code) {
  const auto rest = [&](uint64_t bytes) {
    return parameter.offset < bytes ? std::optional<uint64_t>(bytes - parameter.offset) : std::nullopt;
  };
  const auto first = [&](uint64_t bytes) {
    return parameter.offset == 0 ? std::optional<uint64_t>(bytes) : std::nullopt;
  };
  switch (parameter.kind) {
  case Parameter::Kind::Operand:
    return parameter.operand < operands.size() ? first(operands[parameter.operand]) : std::nullopt;
  case Parameter::Kind::Scratch:
    return rest(code.scratchBytes);
  case Parameter::Kind::Constant:
    return rest(code.constants.size());
  case Parameter::Kind::Status:
    return first(statusBytes);
  }
  return std::nullopt;
}

/// A library's call, which stays within its operands.
bool isLegalCall(const Launch &launch, const std::vector<uint64_t> &operands, const Code &code) {
  if (!computes(launch.function, *launch.call) || !isLegal(*launch.call) || launch.parameters.size() != 3)
    return false;
  const std::array<uint64_t, 3> bytes = bytesOf(*launch.call);
  for (size_t i = 0; i < bytes.size(); ++i)
    if (launch.parameters[i].kind == Parameter::Kind::Status ||
        bytes[i] > bytesBehind(launch.parameters[i], operands, code).value_or(0))
      return false;
  return launch.parameters[2].kind != Parameter::Kind::Constant;
}

/// Whether a GPU can run it, and its pointers lie within what they point into.
bool isLegal(const Launch &launch, const std::vector<uint64_t> &operands, const Code &code) {
  if (launch.call)
    return isLegalCall(launch, operands, code);
  const auto &[gx, gy, gz] = launch.grid;
  const auto &[bx, by, bz] = launch.block;
  const bool hasSizes = gx >= 1 && gx <= mostGridX && gy >= 1 && gy <= mostGridYz && gz >= 1 &&
                        gz <= mostGridYz && bx >= 1 && by >= 1 && bz >= 1 && bx <= mostThreads &&
                        by <= mostThreads && bz <= mostBlockZ && uint64_t(bx) * by * bz <= mostThreads;
  return hasSizes && launch.sharedBytes <= mostSharedBytes && !launch.function.empty() &&
         launch.function.find('\0') == std::string::npos &&
         std::all_of(launch.parameters.begin(), launch.parameters.end(), [&](const Parameter &parameter) {
           return bytesBehind(parameter, operands, code).has_value();
         });
}

Result<void> check(const Code &code, const std::vector<std::vector<uint64_t>> &operands) {
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

/// A format's number, or the byte in its place.
std::string describe(uint8_t format) {
  return format >= '0' && format <= '9' ? std::string(1, static_cast<char>(format))
                                        : "byte " + std::to_string(format);
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

Result<Code> readCode(Span<const uint8_t> bytes, const std::vector<std::vector<uint64_t>> &operands) {
  const size_t version = sizeof magic - 1;
  if (bytes.size() < sizeof magic || !std::equal(magic, magic + version, bytes.begin()))
    return error("its code is not code for GPUs");
  if (bytes[version] != magic[version])
    return error("its code for GPUs has format " + describe(bytes[version]) + "; expected format " +
                 describe(magic[version]) + "; compile the model again");
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
  std::vector<std::vector<uint64_t>> operands;
  for (const package::Kernel &kernel : device.kernels) {
    operands.emplace_back();
    for (const package::KernelArgument &argument : kernel.arguments)
      operands.back().push_back(package::byteSize(argument.type));
  }
  return readCode(Span<const uint8_t>(device.code.data(), device.code.size()), operands);
}

Result<const Image *> emulatedImage(const Code &code) {
  for (const Image &image : code.images)
    if (image.kind == Image::Kind::Nvvm)
      return &image;
  return error("the package has no code that can be emulated; compile with --cuda-arch emulated");
}

std::string gpusOf(const Code &code) {
  std::string names;
  for (const Image &image : code.images)
    names += (names.empty() ? "sm_" : ", sm_") + std::to_string(image.capability) +
             (image.isExact                    ? "a"
              : image.kind == Image::Kind::Ptx ? " and newer"
                                               : "");
  return names.empty() ? "none" : names;
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
