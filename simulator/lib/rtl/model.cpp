// dlopen; a model is never unloaded, for Verilator's run time keeps state of its own.
#include "rtl/model.h"

#include <dlfcn.h>

namespace daedalus::sim::rtl {

Result<std::unique_ptr<Model>> Model::load(const std::string &path, uint32_t stateSeed) {
  void *object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object)
    return error(std::string("the Verilated model cannot be loaded: ") + dlerror() +
                 "; delete the file to make it again");
  using Entry = const DaedalusRtlModel *(*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(object, "daedalus_rtl_model"));
  if (!entry || entry()->abi != DAEDALUS_RTL_ABI)
    return error("'" + path + "' is not a Verilated model of this version: delete the file to make it again");
  return std::unique_ptr<Model>(new Model(*entry(), stateSeed));
}

} // namespace daedalus::sim::rtl
