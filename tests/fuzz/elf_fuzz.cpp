// The reader and the loader of kernel objects: what is read stays inside the image, and loads. Nothing is
// called.
#include "fuzz.h"

#include "elf_image.h"
#include "loaded_code.h"

#include "daedalus/support/input_file.h"

using namespace daedalus;
using namespace daedalus::runtime;

namespace {

void check(const cpu::ElfImage &image, size_t fileBytes) {
  for (const cpu::ElfSegment &segment : image.segments) {
    fuzz::require(segment.address + segment.memoryBytes <= image.bytes, "a segment lies outside the image");
    fuzz::require(segment.offset + segment.fileBytes <= fileBytes, "a segment lies outside the file");
    fuzz::require(!(segment.writable && segment.executable), "a segment is writable and executable");
  }
  for (const cpu::ElfRelocation &relocation : image.relocations)
    fuzz::require(relocation.address + 8 <= image.bytes && relocation.target <= image.bytes,
                  "a relocation leaves the image");
  for (const auto &[name, address] : image.functions)
    fuzz::require(!name.empty() && address < image.bytes, "a function lies outside the image");
}

} // namespace

std::vector<std::vector<uint8_t>> fuzz::seeds() {
  std::vector<std::vector<uint8_t>> all;
  for (const char *variant : {"", "_tags", "_constructor"})
    if (auto bytes =
            readFile(std::string(DAEDALUS_TEST_KERNELS "/kernels") + variant + ".so", input::Package))
      all.push_back(std::move(*bytes));
  fuzz::require(all.size() == 3, "the kernel objects of tests/unit/runtime are not built");
  return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Span<const uint8_t> bytes(data, size);
  auto image = cpu::readElf(bytes);
  if (!image)
    return 0;
  check(*image, size);
  constexpr uint64_t most = 1 << 28;
  if (image->bytes <= most)
    (void)cpu::LoadedCode::load(bytes, *image);
  return 0;
}
