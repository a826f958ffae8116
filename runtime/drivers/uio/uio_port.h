// The accelerator behind Linux's UIO, or behind `daedalus serve`, as a port.
#pragma once

#include "daedalus/runtime/accelerator_port.h"

namespace daedalus::runtime {

/// Of the accelerator that the environment names: DAEDALUS_UIO, a UIO device or the socket of a server
/// (/dev/uio0 without it); DAEDALUS_UIO_MEMORY, its u-dma-buf or the server's memory (/dev/udmabuf0, or
/// `memory` beside the socket); DAEDALUS_UIO_TIMEOUT, milliseconds until a program counts as lost (10000). It
/// is reset.
Result<std::unique_ptr<AcceleratorPort>> openUio(const AcceleratorRequest &request);

} // namespace daedalus::runtime
