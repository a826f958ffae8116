// The driver's sources, which are part of this library.

#include "Plan.h"

namespace daedalus::firmware {
namespace {

struct Embedded {
  const char *name, *text;
};

const Embedded embedded[] = {
#include "driver_files.inc"
};

} // namespace

std::vector<FileOfFolder> driverFiles(bool math) {
  std::vector<FileOfFolder> files;
  for (const Embedded &file : embedded) {
    if (!math && std::string(file.name).rfind("dae_math", 0) == 0)
      continue;
    const std::string text = file.text;
    files.push_back({file.name, {text.begin(), text.end()}});
  }
  return files;
}

} // namespace daedalus::firmware
