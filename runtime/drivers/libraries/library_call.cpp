#include "library_call.h"

#include "daedalus/runtime/libraries.h"

namespace daedalus::runtime::libraries {

Result<ExternalFunction> makeReady(const LibraryCall &call) {
  const bool isOpenBlas = package::libraryOf(call.function)->name == "openblas";
  return isOpenBlas ? openBlasCall(call) : oneDnnCall(call);
}

} // namespace daedalus::runtime::libraries

namespace daedalus::runtime {

Result<std::string> describeLibrary(const package::Library &library) {
  return library.name == "openblas" ? libraries::describeOpenBlas() : libraries::describeOneDnn();
}

} // namespace daedalus::runtime
