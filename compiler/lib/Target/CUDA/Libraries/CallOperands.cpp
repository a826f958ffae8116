// See CallOperands.h.

#include "CallOperands.h"

#include "cuda_libraries.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace daedalus::cuda {

package::DType typeOf(Type type) {
  return type.isF16()        ? package::DType::F16
         : type.isBF16()     ? package::DType::BF16
         : type.isInteger(8) ? package::DType::I8
                             : package::DType::F32;
}

LogicalResult verifyCall(Operation *op, const Call &call, StringRef illegal) {
  const std::string function = op->getAttrOfType<StringAttr>("function").str();
  if (!libraryOf(function))
    return op->emitOpError("calls '") << function << "', which no library has";
  if (!computes(function, call))
    return op->emitOpError("calls '") << function << "', which computes something else";
  if (!isLegal(call))
    return op->emitOpError(illegal);
  for (auto [buffer, bytes] : llvm::zip(op->getOperands(), bytesOf(call))) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        bytes > uint64_t(type.getNumElements()) * type.getElementTypeBitWidth() / 8)
      return op->emitOpError("reads or writes beyond its buffers");
  }
  return success();
}

} // namespace daedalus::cuda
