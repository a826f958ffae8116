// Names that kernels, and @main around them, have at every level.

#ifndef DAEDALUS_KERNELS_NAMES_H
#define DAEDALUS_KERNELS_NAMES_H

namespace daedalus::kernel {

constexpr const char *externalTarget = "external"; ///< the target of calls of functions of the user's
constexpr const char *valueName = "daedalus.name"; ///< of arguments and results of main
constexpr const char *dtype = "daedalus.dtype";    ///< of them too: "uint8"

} // namespace daedalus::kernel

#endif
