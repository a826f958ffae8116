// lld as a library: a shared object without interpreter, libraries or undefined symbols, or one relocatable
// object.

#include "Passes.h"

#include "daedalus/package/package.h"
#include "daedalus/support/file.h"
#include "daedalus/support/temporaries.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace daedalus::cpu {

/// A text without each of a part's places.
static std::string without(std::string text, const std::string &part) {
  for (size_t at; (at = text.find(part)) != std::string::npos;)
    text.erase(at, part.size());
  return text;
}

/// What lld makes of objects with these options.
static Result<std::vector<uint8_t>> link(ArrayRef<std::vector<char>> objects,
                                         ArrayRef<const char *> options) {
  static std::mutex oneAtATime; // lld keeps its state in globals
  std::lock_guard<std::mutex> lock(oneAtATime);
  const auto scratch = ScratchFolder::create(); // also for what lld puts there
  if (!scratch)
    return error(scratch.error());
  const std::string &folder = (*scratch)->path;
  const std::string output = folder + "/kernels";
  std::vector<std::string> inputs;
  for (const std::vector<char> &object : objects) {
    inputs.push_back(folder + "/" + std::to_string(inputs.size()) + ".o");
    const Span<const uint8_t> bytes(reinterpret_cast<const uint8_t *>(object.data()), object.size());
    if (Result<void> written = writeFileAtomically(inputs.back(), bytes); !written)
      return error(written.error());
  }
  std::string messages;
  raw_string_ostream log(messages);
  std::vector<const char *> arguments{"ld.lld", "--build-id=none", "--threads=1", "-o", output.c_str()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  for (const std::string &input : inputs)
    arguments.push_back(input.c_str());
  bool linked = lld::elf::link(arguments, log, log, /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (!linked)
    return error("the linker refuses the kernels for the CPU: " + without(messages, folder + "/"));
  auto file = MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return error("cannot read what the linker wrote: " + file.getError().message());
  StringRef bytes = (*file)->getBuffer();
  return std::vector<uint8_t>(bytes.bytes_begin(), bytes.bytes_end());
}

Result<std::vector<uint8_t>> linkShared(ArrayRef<std::vector<char>> objects) {
  // The style of the hash table says how many symbols there are.
  return link(objects, {"-shared", "--no-undefined", "-Bsymbolic", "--hash-style=sysv", "-z", "noexecstack",
                        "--gc-sections"});
}

Result<std::vector<uint8_t>> linkRelocatable(ArrayRef<std::vector<char>> objects) {
  return link(objects, {"-r"});
}

Result<std::vector<uint64_t>> addressesOf(const std::vector<std::string> &symbols, ArrayRef<uint8_t> shared) {
  auto file = object::ObjectFile::createELFObjectFile(MemoryBufferRef(toStringRef(shared), "kernels"));
  if (!file)
    return error(toString(file.takeError()));
  StringMap<uint64_t> addresses;
  for (const object::ELFSymbolRef &symbol :
       cast<object::ELFObjectFileBase>(**file).getDynamicSymbolIterators()) {
    Expected<StringRef> name = symbol.getName();
    Expected<uint64_t> address = symbol.getAddress();
    if (!name || !address)
      return error(toString(joinErrors(name.takeError(), address.takeError())));
    addresses[*name] = *address;
  }
  std::vector<uint64_t> entries;
  for (const std::string &symbol : symbols) {
    auto found = addresses.find(symbol);
    if (found == addresses.end())
      return error("the linker left out the kernel '" + symbol + "'");
    entries.push_back(found->second);
  }
  return entries;
}

} // namespace daedalus::cpu
