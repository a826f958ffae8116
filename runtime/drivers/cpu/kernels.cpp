// Chooses the object, reads it, loads it, and finds the kernels among the functions that were read.

#include "kernels.h"

#include "elf_image.h"
#include "host.h"
#include "loaded_code.h"
#include "thread_pool.h"

#include <algorithm>
#include <string>
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

} // namespace

Result<void> Kernels::open(const package::ElfObject &object, const std::vector<package::Kernel> &kernels) {
  auto image = readElf(object.bytes, static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
  if (!image)
    return error("the package's CPU code for " + object.triple + " cannot be loaded: it " + image.error() +
                 "; compile the model again");
  for (size_t i = 0; i < kernels.size(); ++i)
    if (auto found = image->functions.find(kernels[i].symbol);
        found == image->functions.end() || found->second != object.entries.at(i))
      return error("the package's CPU code does not define its kernel '" + kernels[i].symbol +
                   "' where its table says; compile the model again");
  auto loaded = LoadedCode::load(object.bytes, *image);
  if (!loaded)
    return error(loaded.error());
  code = std::move(*loaded);
  for (uint64_t address : object.entries)
    entries.push_back(reinterpret_cast<package::KernelEntry *>(code->at(address)));
  return {};
}

Result<std::unique_ptr<Kernels>> Kernels::load(const package::Package &package, unsigned threads) {
  std::unique_ptr<Kernels> kernels(new Kernels);
  if (package.kernels.empty())
    return kernels;
  auto object = choose(package);
  if (!object)
    return error(object.error());
  if (auto ok = kernels->open(**object, package.kernels); !ok)
    return error(ok.error());
  kernels->chosen = *object;
  uint64_t workerBytes = 0;
  for (const package::Kernel &kernel : package.kernels)
    workerBytes = std::max(workerBytes, kernel.workerBytes);
  auto pool = ThreadPool::create(threads, workerBytes);
  if (!pool)
    return error(pool.error());
  kernels->pool = std::move(*pool);
  return kernels;
}

int32_t Kernels::call(uint32_t index, void *const *args) const {
  return entries[index](args, &pool->context());
}

Kernels::Kernels() = default;
Kernels::~Kernels() = default;

} // namespace daedalus::runtime::cpu
