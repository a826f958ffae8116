// dlopen; a model is never unloaded, for Verilator's run time keeps state of its own.
#include "rtl/model.h"

#include "rtl/model_cache.h"

#include <dlfcn.h>
#include <map>
#include <mutex>

namespace daedalus::sim::rtl {
namespace {

/// What was loaded from where.
struct Loaded {
  std::mutex mutex;
  std::map<std::string, const DaedalusRtlModel *> models;
};

Loaded &loaded() {
  static Loaded all;
  return all;
}

} // namespace

bool Model::isLoaded(const std::string &path) {
  const std::lock_guard<std::mutex> lock(loaded().mutex);
  return loaded().models.count(path) != 0;
}

Result<std::unique_ptr<Model>> Model::load(const std::string &path, uint32_t stateSeed) {
  const std::lock_guard<std::mutex> lock(loaded().mutex);
  if (const auto found = loaded().models.find(path); found != loaded().models.end())
    return std::unique_ptr<Model>(new Model(*found->second, stateSeed));
  if (!isIntact(path, false))
    return error("the Verilated model '" + path + "' is damaged: delete the file to make it again");
  void *object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object)
    return error(std::string("the Verilated model cannot be loaded: ") + dlerror() +
                 "; delete the file to make it again");
  using Entry = const DaedalusRtlModel *(*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(object, "daedalus_rtl_model"));
  if (!entry || entry()->abi != DAEDALUS_RTL_ABI)
    return error("'" + path + "' is not a Verilated model of this version: delete the file to make it again");
  loaded().models[path] = entry();
  return std::unique_ptr<Model>(new Model(*entry(), stateSeed));
}

} // namespace daedalus::sim::rtl
