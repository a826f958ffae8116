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

std::vector<FileOfFolder> driverFiles(bool math, bool hasLinux) {
  std::vector<FileOfFolder> files;
  for (const Embedded &file : embedded) {
    const auto begins = [name = std::string(file.name)](const char *with) {
      return name.rfind(with, 0) == 0;
    };
    if ((!math && begins("dae_math")) || (!hasLinux && begins("dae_linux")))
      continue;
    const std::string text = file.text;
    files.push_back({file.name, {text.begin(), text.end()}});
  }
  return files;
}

} // namespace daedalus::firmware
