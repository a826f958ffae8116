#include "one_dnn.h"

#ifdef DAEDALUS_ONEDNN_HEADERS

#include "host_library.h"

namespace daedalus::runtime::libraries {

Result<OneDnnFunctions> OneDnnFunctions::load() {
  const package::Library &known = *package::findLibrary("onednn");
  auto file = HostLibrary::open(known);
  if (!file)
    return error(file.error());
  OneDnnFunctions found;
  bool isWhole = true;
#define DAEDALUS_FIND(name)                                                                                  \
  file->find(found.name, "dnnl_" #name);                                                                     \
  isWhole &= found.name != nullptr;
  DAEDALUS_ONEDNN_FUNCTIONS(DAEDALUS_FIND)
#undef DAEDALUS_FIND
  file->find(found.setThreads, "omp_set_num_threads");
  file->find(found.threads, "omp_get_max_threads");
  if (isWhole && found.setThreads && found.threads && found.version()->major == DNNL_VERSION_MAJOR)
    return found;
  return error("the file of oneDNN lacks functions of oneDNN 2 on OpenMP: install Debian's " + known.debian);
}

} // namespace daedalus::runtime::libraries

#endif
