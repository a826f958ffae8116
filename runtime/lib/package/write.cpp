// Writes a package in the form that format.h describes.

#include "format.h"

#include "daedalus/package/package.h"
#include "daedalus/support/hash.h"

#include <algorithm>

namespace daedalus::package {
namespace {
using namespace format;

struct Payload {
  Section section;
  std::vector<uint8_t> bytes;
};

void writeType(Writer &out, const TensorType &type) {
  out.u8(static_cast<uint8_t>(type.dtype));
  out.list(type.shape, [&](int64_t size) { out.u64(static_cast<uint64_t>(size)); });
}

void writeValue(Writer &out, const Value &value) {
  out.string(value.name);
  writeType(out, value.type);
  out.u64(value.offset);
}

void writeRef(Writer &out, const Ref &ref) {
  out.u8(static_cast<uint8_t>(ref.space));
  out.u64(ref.offset);
  out.u64(ref.bytes);
  writeType(out, ref.type);
}

void writeKernel(Writer &out, const Kernel &kernel) {
  out.string(kernel.symbol);
  out.u64(kernel.workerBytes);
  out.list(kernel.arguments, [&](const KernelArgument &argument) {
    out.u8(static_cast<uint8_t>(argument.access));
    out.u32(argument.alignment);
    writeType(out, argument.type);
  });
}

void writeStep(Writer &out, const Step &step) {
  auto ref = [&](const Ref &operand) { writeRef(out, operand); };
  out.u8(static_cast<uint8_t>(step.kind));
  out.u32(step.index);
  out.u32(step.layer);
  out.list(step.inputs, ref);
  out.list(step.outputs, ref);
}

void writeFunction(Writer &out, const Function &function) {
  auto value = [&](const Value &v) { writeValue(out, v); };
  out.string(function.name);
  out.list(function.inputs, value);
  out.list(function.outputs, value);
  out.list(function.steps, [&](const Step &step) { writeStep(out, step); });
  out.u64(function.certifiedCycles);
}

std::vector<uint8_t> writeManifest(const Package &package) {
  Writer out;
  auto string = [&](const std::string &text) { out.string(text); };
  out.string(package.machineName);
  out.u64(package.machineHash);
  out.string(package.memory);
  out.u64(package.arenaBytes);
  out.list(package.functions, [&](const Function &function) { writeFunction(out, function); });
  out.list(package.kernels, [&](const Kernel &kernel) { writeKernel(out, kernel); });
  out.list(package.externals, string);
  out.list(package.programs, [&](const AcceleratorProgram &program) {
    for (const BaseLimit &base : program.bases) {
      out.u32(base.limit);
      out.u8(base.readOnly);
    }
  });
  out.list(package.objects, [&](const ElfObject &object) {
    out.string(object.triple);
    out.string(object.cpu);
    out.list(object.features, string);
    out.list(object.entries, [&](uint64_t address) { out.u64(address); });
  });
  return out.bytes;
}

std::vector<uint8_t> writeDevice(const Device &device) {
  Writer out;
  out.string(device.name);
  out.u64(device.memoryBytes);
  out.list(device.kernels, [&](const Kernel &kernel) { writeKernel(out, kernel); });
  out.list(device.code, [&](uint8_t byte) { out.u8(byte); });
  return out.bytes;
}

std::vector<uint8_t> writeDebug(const Package &package) {
  Writer out;
  out.list(package.layers, [&](const Layer &layer) {
    out.string(layer.node);
    out.string(layer.target);
    out.string(layer.reason);
    out.u64(layer.macs);
    out.list(layer.least, [&](const auto &number) {
      out.string(number.first);
      out.u64(number.second);
    });
  });
  for (const AcceleratorProgram &program : package.programs)
    out.list(program.layerOfInstruction, [&](uint32_t layer) { out.u32(layer); });
  return out.bytes;
}

std::vector<Payload> payloads(const Package &package) {
  std::vector<Payload> all;
  auto add = [&](SectionKind kind, uint32_t number, std::vector<uint8_t> bytes) {
    all.push_back({{kind, number, 0, bytes.size(), fnv1a(bytes)}, std::move(bytes)});
  };
  add(SectionKind::Manifest, 0, writeManifest(package));
  add(SectionKind::Debug, 0, writeDebug(package));
  add(SectionKind::Constants, 0, package.constants);
  for (uint32_t i = 0; i < package.programs.size(); ++i)
    add(SectionKind::Words, i, package.programs[i].words);
  for (uint32_t i = 0; i < package.objects.size(); ++i)
    add(SectionKind::Object, i, package.objects[i].bytes);
  for (uint32_t i = 0; i < package.devices.size(); ++i)
    add(SectionKind::Device, i, writeDevice(package.devices[i]));
  return all;
}

std::vector<uint8_t> writeTable(const std::vector<Payload> &all) {
  Writer out;
  for (const Payload &payload : all) {
    out.u32(static_cast<uint32_t>(payload.section.kind));
    out.u32(payload.section.number);
    out.u64(payload.section.offset);
    out.u64(payload.section.size);
    out.u64(payload.section.checksum);
  }
  return out.bytes;
}

std::vector<uint8_t> writeHeader(uint64_t sections, uint64_t fileBytes, uint64_t tableChecksum) {
  Writer out;
  out.bytes.assign(std::begin(magic), std::end(magic));
  out.u32(version);
  out.u32(static_cast<uint32_t>(sections));
  out.u64(fileBytes);
  out.u64(tableChecksum);
  for (int i = 0; i < 3; ++i)
    out.u64(0);
  out.u64(fnv1a(out.bytes));
  return out.bytes;
}

} // namespace

std::vector<uint8_t> writePackage(const Package &package) {
  std::vector<Payload> all = payloads(package);
  uint64_t end = headerBytes + all.size() * entryBytes;
  for (Payload &payload : all) {
    payload.section.offset = alignUp(end);
    end = payload.section.offset + payload.section.size;
  }
  std::vector<uint8_t> table = writeTable(all);
  std::vector<uint8_t> file = writeHeader(all.size(), end, fnv1a(table));
  file.insert(file.end(), table.begin(), table.end());
  file.resize(end);
  for (const Payload &payload : all)
    std::copy(payload.bytes.begin(), payload.bytes.end(), file.begin() + payload.section.offset);
  return file;
}

} // namespace daedalus::package
