// The package reader behind mended checksums: whatever it accepts it writes back to the same bytes; a package
// without native code and programs is run, too.
#include "fuzz.h"

#include "../unit/runtime/sample_package.h"

#include "daedalus/package/package.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/hash.h"

#include <cstring>

using namespace daedalus;

namespace {

using Bytes = std::vector<uint8_t>;

uint64_t number(const Bytes &file, uint64_t at, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, file.data() + at, size);
  return value;
}

void put(Bytes &file, uint64_t at, uint64_t value) {
  std::memcpy(file.data() + at, &value, sizeof value);
}

/// Of every section that lies in the file, of the table and of the header (lib/package/format.h).
void mend(Bytes &file) {
  if (file.size() < 64)
    return;
  const Span<const uint8_t> bytes = file;
  const uint64_t sections = number(file, 12, 4);
  put(file, 16, file.size());
  if (sections > (file.size() - 64) / 32)
    return;
  for (uint64_t entry = 64; entry < 64 + 32 * sections; entry += 32) {
    const uint64_t offset = number(file, entry + 8, 8), size = number(file, entry + 16, 8);
    if (offset <= file.size() && size <= file.size() - offset)
      put(file, entry + 24, fnv1a(bytes.subspan(offset, size)));
  }
  put(file, 24, fnv1a(bytes.subspan(64, 32 * sections)));
  put(file, 56, fnv1a(bytes.subspan(0, 56)));
}

/// The table alone: copies and external functions.
void run(const package::Package &package) {
  constexpr uint64_t most = 1 << 24;
  if (!package.programs.empty() || hasNativeCode(package) || package.arenaBytes > most)
    return;
  auto session = runtime::Session::create(package, {});
  if (!session)
    return;
  for (const std::string &name : package.externals)
    fuzz::require(bool((*session)->registerExternal(name, [](auto, auto) { return Result<void>(); })),
                  "an external function of the package is not known to the session");
  for (size_t i = 0; i < package.functions.size(); ++i) {
    std::vector<runtime::Tensor> inputs;
    for (const package::Value &value : package.functions[i].inputs)
      inputs.push_back({value.name, value.type, Bytes(byteSize(value.type))});
    (void)(*session)->run(i, inputs);
  }
}

package::Package tableOnly() {
  package::Package package = test::samplePackage();
  package.programs.clear();
  package.kernels.clear();
  package.objects.clear();
  auto &steps = package.functions[0].steps;
  steps.erase(steps.begin() + 3);
  steps.erase(steps.begin(), steps.begin() + 2);
  return package;
}

} // namespace

std::vector<Bytes> fuzz::seeds() {
  return {package::writePackage({}), package::writePackage(test::samplePackage()),
          package::writePackage(tableOnly())};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes file(data, data + size);
  mend(file);
  auto package = package::readPackage(file);
  if (!package) {
    fuzz::require(!package.error().empty(), "a package is refused without a word");
    return 0;
  }
  fuzz::require(writePackage(*package) == file, "a package that was read is written as other bytes");
  run(*package);
  return 0;
}
