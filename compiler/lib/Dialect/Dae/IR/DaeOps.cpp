// Verifiers of the dae operations.

#include "daedalus/Dialect/Dae/IR/Dae.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "daedalus/Dialect/Dae/IR/DaeOps.cpp.inc"

namespace daedalus::dae {

mlir::LogicalResult RequantOp::verify() {
  if (getLo() > getHi())
    return emitOpError("has lo ") << int(getLo()) << " above hi " << int(getHi());
  return mlir::success();
}

} // namespace daedalus::dae
