#include "library_call.h"

#include "daedalus/package/libraries.h"

namespace daedalus::runtime::libraries {

Result<ExternalFunction> makeReady(const LibraryCall &call) {
  const bool isOpenBlas = package::libraryOf(call.function)->name == "openblas";
  return isOpenBlas ? openBlasCall(call) : oneDnnCall(call);
}

} // namespace daedalus::runtime::libraries
