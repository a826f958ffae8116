// Loads a kernel object without a file: its bytes go to an anonymous one (memfd), which the dynamic linker
// opens by its name under /proc. That file stays open as long as the library is loaded, because the linker
// recognises libraries by their path and the number would be given to the next one.

#include "kernels.h"

#include "elf_check.h"
#include "host.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace daedalus::runtime::cpu {
namespace {

Result<const package::ElfObject *> choose(const package::Package &package) {
  std::string reasons;
  for (const package::ElfObject &object : package.objects) {
    auto runs = checkHost(object);
    if (runs)
      return &object;
    reasons += (reasons.empty() ? "its code " : ", and other code ") + runs.error();
  }
  return error("the package's CPU kernels cannot run here: " + reasons + ", this host is " + hostName() +
               "; compile the model for this host");
}

bool writeAll(int file, const std::vector<uint8_t> &bytes) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t count = write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR)
      return false;
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
  return true;
}

} // namespace

Result<void> Kernels::open(const package::ElfObject &object) {
  if (auto ok = checkElf(object.bytes); !ok)
    return error("the package's CPU code for " + object.triple + " cannot be loaded: it " + ok.error() +
                 "; compile the model again");
  file = memfd_create("daedalus-kernels", MFD_CLOEXEC);
  if (file < 0 || !writeAll(file, object.bytes))
    return error(std::string("cannot hold the package's CPU code in memory: ") + std::strerror(errno));
  library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return error(std::string("the system refuses to load the package's CPU code: ") + dlerror());
  return {};
}

Result<void> Kernels::resolve(const std::vector<package::Kernel> &kernels) {
  for (const package::Kernel &kernel : kernels) {
    void *address = dlsym(library, kernel.symbol.c_str());
    if (!address)
      return error("the package's CPU code does not define its kernel '" + kernel.symbol +
                   "'; compile the model again");
    entries.push_back(reinterpret_cast<int32_t (*)(void *const *)>(address));
  }
  return {};
}

Result<std::unique_ptr<Kernels>> Kernels::load(const package::Package &package) {
  std::unique_ptr<Kernels> kernels(new Kernels);
  if (package.kernels.empty())
    return kernels;
  auto object = choose(package);
  if (!object)
    return error(object.error());
  if (auto ok = kernels->open(**object); !ok)
    return error(ok.error());
  if (auto ok = kernels->resolve(package.kernels); !ok)
    return error(ok.error());
  return kernels;
}

Kernels::~Kernels() {
  if (library)
    dlclose(library);
  if (file >= 0)
    close(file);
}

} // namespace daedalus::runtime::cpu
