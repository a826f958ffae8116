// Which of the libraries that packages may call (daedalus/package/libraries.h) this host has, and which ones
// a package calls on a device.
#pragma once

#include "daedalus/package/libraries.h"
#include "daedalus/support/result.h"

#include <string>
#include <vector>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

/// A library as it is loaded, with its version; the error says why it is not, and what to do.
Result<std::string> describeLibrary(const package::Library &library);

/// A library of a device's maker.
struct DeviceLibrary {
  std::string name;               ///< "cublas"
  std::string title;              ///< "cuBLAS"
  std::vector<std::string> files; ///< of its shared object, the first that there is
  std::string variable;           ///< of the environment: another file in their place
};

/// Those that the code of a package's device calls; none of a device without a driver that is built in.
std::vector<DeviceLibrary> librariesOf(const package::Device &device);

} // namespace daedalus::runtime
#pragma GCC visibility pop
