// Which of a layer's multiply-accumulates VECTOR does, where GEMM and VECTOR share a layer.
#pragma once

#include "daedalus/package/package.h"

#include <vector>

namespace daedalus::runtime {

/// One number a layer of the package: of its multiply-accumulates, the part that is VECTOR's by the rows of
/// results of both modules.
std::vector<uint64_t> vectorProducts(const package::Package &package);

} // namespace daedalus::runtime
