// Registration of the host dialect: attributes and operations generated from the .td files.

#include "daedalus/Dialect/Host/IR/Host.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "daedalus/Dialect/Host/IR/HostDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "daedalus/Dialect/Host/IR/HostAttributes.cpp.inc"

namespace daedalus::host {

void HostDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "daedalus/Dialect/Host/IR/HostAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "daedalus/Dialect/Host/IR/HostOps.cpp.inc"
      >();
}

} // namespace daedalus::host
