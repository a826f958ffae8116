// Reads a package in the form that format.h describes: container, checksums, decoding, validation.

#include "format.h"

#include "daedalus/package/package.h"
#include "daedalus/support/hash.h"

#include <algorithm>

namespace daedalus::package {
namespace {
using namespace format;

Error damaged(const std::string &what) {
  return error("the package is damaged: " + what + "; compile the model again or copy the file again");
}

std::string describe(const Section &section) {
  switch (section.kind) {
  case SectionKind::Manifest:
    return "the section 'manifest'";
  case SectionKind::Debug:
    return "the section 'debug'";
  case SectionKind::Constants:
    return "the section 'constants'";
  case SectionKind::Words:
    return "the section 'words " + std::to_string(section.number) + "'";
  case SectionKind::Object:
    return "the section 'object " + std::to_string(section.number) + "'";
  case SectionKind::Device:
    return "the section 'device " + std::to_string(section.number) + "'";
  }
  return "an unknown section";
}

bool allZero(Span<const uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

/// Header and section table; every section lies inside the file, in order, with zeros between.
Result<std::vector<Section>> readTable(Span<const uint8_t> file) {
  if (file.size() < headerBytes || !std::equal(std::begin(magic), std::end(magic), file.begin()))
    return error(
        "this is not a Daedalus package: expected a file that starts with the package header, found " +
        std::to_string(file.size()) + " bytes of something else; make one with 'daedalus compile'");
  Span<const uint8_t> head = file.subspan(0, headerBytes);
  Reader reader(file.subspan(sizeof magic, headerBytes - sizeof magic));
  uint32_t fileVersion = reader.u32(), count = reader.u32();
  uint64_t fileBytes = reader.u64(), tableChecksum = reader.u64();
  bool reserved = reader.u64() | reader.u64() | reader.u64();
  if (reader.u64() != fnv1a(head.subspan(0, headerBytes - 8)) || reserved)
    return damaged("its header does not match its checksum");
  if (fileVersion != version)
    return error("the package has format version " + std::to_string(fileVersion) +
                 ", this program reads version " + std::to_string(version) + "; compile the model again");
  if (fileBytes != file.size())
    return damaged("its header says " + std::to_string(fileBytes) + " bytes, the file has " +
                   std::to_string(file.size()));
  if (count > (file.size() - headerBytes) / entryBytes)
    return damaged("its section table does not fit into the file");
  Span<const uint8_t> table = file.subspan(headerBytes, count * entryBytes);
  if (fnv1a(table) != tableChecksum)
    return damaged("its section table does not match its checksum");
  Reader entries(table);
  std::vector<Section> sections(count);
  for (Section &section : sections) {
    section.kind = static_cast<SectionKind>(entries.u32());
    section.number = entries.u32();
    section.offset = entries.u64();
    section.size = entries.u64();
    section.checksum = entries.u64();
  }
  return sections;
}

Result<void> checkSections(Span<const uint8_t> file, const std::vector<Section> &sections) {
  uint64_t end = headerBytes + sections.size() * entryBytes;
  for (const Section &section : sections) {
    if (section.offset != alignUp(end) || section.offset > file.size() ||
        section.size > file.size() - section.offset)
      return damaged(describe(section) + " does not lie where it should");
    if (!allZero(file.subspan(end, section.offset - end)))
      return damaged("bytes before " + describe(section) + " are not zero");
    if (fnv1a(file.subspan(section.offset, section.size)) != section.checksum)
      return damaged(describe(section) + " does not match its checksum");
    end = section.offset + section.size;
  }
  if (end != file.size())
    return damaged("it has " + std::to_string(file.size() - end) + " bytes behind its last section");
  return {};
}

template <class E> E readEnum(Reader &in, E last) {
  uint8_t code = in.u8();
  if (code > static_cast<uint8_t>(last))
    return in.fail(), E{};
  return static_cast<E>(code);
}

TensorType readType(Reader &in) {
  TensorType type;
  type.dtype = readEnum(in, DType::Last);
  type.shape = in.list<int64_t>(8, [&] { return static_cast<int64_t>(in.u64()); });
  return type;
}

Value readValue(Reader &in) {
  Value value;
  value.name = in.string();
  value.type = readType(in);
  value.offset = in.u64();
  return value;
}

Ref readRef(Reader &in) {
  Ref ref;
  ref.space = static_cast<Space>(in.u8()); // validate() knows how many there are
  ref.offset = in.u64();
  ref.bytes = in.u64();
  ref.type = readType(in);
  return ref;
}

KernelArgument readKernelArgument(Reader &in) {
  KernelArgument argument;
  argument.access = readEnum(in, KernelArgument::Access::Write);
  argument.alignment = in.u32();
  argument.type = readType(in);
  return argument;
}

Kernel readKernel(Reader &in) {
  Kernel kernel;
  kernel.symbol = in.string();
  kernel.workerBytes = in.u64();
  kernel.arguments = in.list<KernelArgument>(10, [&] { return readKernelArgument(in); });
  return kernel;
}

Step readStep(Reader &in) {
  Step step;
  step.kind = readEnum(in, Step::Kind::CallDevice);
  step.index = in.u32();
  step.layer = in.u32();
  step.inputs = in.list<Ref>(22, [&] { return readRef(in); });
  step.outputs = in.list<Ref>(22, [&] { return readRef(in); });
  return step;
}

Function readFunction(Reader &in) {
  Function function;
  function.name = in.string();
  function.inputs = in.list<Value>(17, [&] { return readValue(in); });
  function.outputs = in.list<Value>(17, [&] { return readValue(in); });
  function.steps = in.list<Step>(17, [&] { return readStep(in); });
  function.certifiedCycles = in.u64();
  return function;
}

AcceleratorProgram readProgramHead(Reader &in) {
  AcceleratorProgram program;
  for (BaseLimit &base : program.bases) {
    base.limit = in.u32();
    uint8_t readOnly = in.u8();
    if (readOnly > 1)
      in.fail();
    base.readOnly = readOnly;
  }
  return program;
}

ElfObject readObjectHead(Reader &in) {
  ElfObject object;
  object.triple = in.string();
  object.cpu = in.string();
  object.features = in.list<std::string>(4, [&] { return in.string(); });
  object.entries = in.list<uint64_t>(8, [&] { return in.u64(); });
  return object;
}

bool readDevice(Reader in, Device &device) {
  device.name = in.string();
  device.memoryBytes = in.u64();
  device.kernels = in.list<Kernel>(16, [&] { return readKernel(in); });
  device.code = in.list<uint8_t>(1, [&] { return in.u8(); });
  return in.ok();
}

bool readManifest(Reader in, Package &package) {
  package.machineName = in.string();
  package.machineHash = in.u64();
  package.memory = in.string();
  package.arenaBytes = in.u64();
  package.functions = in.list<Function>(24, [&] { return readFunction(in); });
  package.kernels = in.list<Kernel>(16, [&] { return readKernel(in); });
  package.externals = in.list<std::string>(4, [&] { return in.string(); });
  package.programs = in.list<AcceleratorProgram>(80, [&] { return readProgramHead(in); });
  package.objects = in.list<ElfObject>(16, [&] { return readObjectHead(in); });
  return in.ok();
}

std::pair<std::string, uint64_t> readLeast(Reader &in) {
  std::string name = in.string();
  return {std::move(name), in.u64()};
}

Layer readLayer(Reader &in) {
  Layer layer;
  layer.node = in.string();
  layer.target = in.string();
  layer.reason = in.string();
  layer.macs = in.u64();
  for (auto &[name, number] : in.list<std::pair<std::string, uint64_t>>(12, [&] { return readLeast(in); }))
    layer.least[name] = number;
  return layer;
}

bool readDebug(Reader in, Package &package) {
  package.layers = in.list<Layer>(24, [&] { return readLayer(in); });
  for (AcceleratorProgram &program : package.programs)
    program.layerOfInstruction = in.list<uint32_t>(4, [&] { return in.u32(); });
  return in.ok();
}

/// Takes the sections in their one legal order.
class SectionCursor {
public:
  SectionCursor(Span<const uint8_t> file, const std::vector<Section> &sections)
      : file(file), sections(sections) {}

  /// The bytes of the next section, which must be this one.
  Result<Span<const uint8_t>> take(SectionKind kind, uint32_t number) {
    if (next == sections.size() || sections[next].kind != kind || sections[next].number != number)
      return damaged("expected " + describe({kind, number}) + " as section " + std::to_string(next));
    const Section &section = sections[next++];
    return file.subspan(section.offset, section.size);
  }
  Result<void> takeInto(SectionKind kind, uint32_t number, std::vector<uint8_t> &target) {
    auto bytes = take(kind, number);
    if (!bytes)
      return error(bytes.error());
    target.assign(bytes->begin(), bytes->end());
    return {};
  }
  bool comes(SectionKind kind) const { return next < sections.size() && sections[next].kind == kind; }
  bool atEnd() const { return next == sections.size(); }

private:
  Span<const uint8_t> file;
  const std::vector<Section> &sections;
  size_t next = 0;
};

Result<void> readBlobs(SectionCursor &cursor, Package &package) {
  if (auto done = cursor.takeInto(SectionKind::Constants, 0, package.constants); !done)
    return done;
  for (uint32_t i = 0; i < package.programs.size(); ++i)
    if (auto done = cursor.takeInto(SectionKind::Words, i, package.programs[i].words); !done)
      return done;
  for (uint32_t i = 0; i < package.objects.size(); ++i)
    if (auto done = cursor.takeInto(SectionKind::Object, i, package.objects[i].bytes); !done)
      return done;
  while (cursor.comes(SectionKind::Device)) {
    auto bytes = cursor.take(SectionKind::Device, static_cast<uint32_t>(package.devices.size()));
    if (!bytes)
      return error(bytes.error());
    if (!readDevice(Reader(*bytes), package.devices.emplace_back()))
      return damaged("its device " + std::to_string(package.devices.size() - 1) + " cannot be decoded");
  }
  if (!cursor.atEnd())
    return damaged("it has more sections than its manifest names");
  return {};
}

} // namespace

Result<Package> readPackage(Span<const uint8_t> file) {
  auto sections = readTable(file);
  if (!sections)
    return error(sections.error());
  if (auto checked = checkSections(file, *sections); !checked)
    return error(checked.error());
  Package package;
  SectionCursor cursor(file, *sections);
  auto manifest = cursor.take(SectionKind::Manifest, 0);
  if (!manifest)
    return error(manifest.error());
  if (!readManifest(Reader(*manifest), package))
    return damaged("its manifest cannot be decoded");
  auto debug = cursor.take(SectionKind::Debug, 0);
  if (!debug)
    return error(debug.error());
  if (!readDebug(Reader(*debug), package))
    return damaged("its debug table cannot be decoded");
  if (auto read = readBlobs(cursor, package); !read)
    return error(read.error());
  if (auto valid = validate(package); !valid)
    return error(valid.error());
  return package;
}

} // namespace daedalus::package
