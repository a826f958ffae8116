// Registration of the qnn dialect: attribute and operations generated from the .td files.

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "daedalus/Dialect/Qnn/IR/QnnDialect.cpp.inc"
#include "daedalus/Dialect/Qnn/IR/QnnEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "daedalus/Dialect/Qnn/IR/QnnAttributes.cpp.inc"

namespace daedalus::qnn {

void QnnDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "daedalus/Dialect/Qnn/IR/QnnAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "daedalus/Dialect/Qnn/IR/QnnOps.cpp.inc"
      >();
}

mlir::Operation *QnnDialect::materializeConstant(mlir::OpBuilder &builder, mlir::Attribute value,
                                                 mlir::Type type, mlir::Location loc) {
  return mlir::arith::ConstantOp::materialize(builder, value, type, loc);
}

} // namespace daedalus::qnn
