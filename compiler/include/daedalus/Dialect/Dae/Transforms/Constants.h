// The constants of a package: bytes behind base register 0, which lie in the module once.

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_CONSTANTS_H
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_CONSTANTS_H

#include "daedalus/Dialect/Dae/IR/Dae.h"

#include <vector>

namespace daedalus::dae {

/// Sets the constants of a package, as a resource that owns them; without bytes there are none.
void setConstants(PackageOp package, std::vector<uint8_t> bytes);

/// The constants of a package where they lie; an error where the module does not hold them.
mlir::FailureOr<llvm::ArrayRef<uint8_t>> constantsOf(PackageOp package);

} // namespace daedalus::dae

#endif
