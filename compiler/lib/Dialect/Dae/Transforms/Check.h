// Whether an implementation computes what its description says: both are run on seeded operands, the
// implementation by the functional engine's instructions.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_CHECK_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_CHECK_H

#include "Declaration.h"

namespace daedalus::dae {

/// Runs one intrinsic of a declaration. The diagnostic of one that is wrong has the operands and both values.
mlir::LogicalResult checkIntrinsic(const Declaration &declaration, const Intrinsic &intrinsic);

} // namespace daedalus::dae

#endif
