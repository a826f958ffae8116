// See Interface.h.

#include "daedalus/Conversion/FormKernels/Interface.h"

#include "daedalus/Kernels/Names.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace daedalus {
namespace {

StringAttr nameOr(Attribute attribute, const Twine &otherwise, MLIRContext *context) {
  auto name = dyn_cast_or_null<StringAttr>(attribute);
  return name ? name : Builder(context).getStringAttr(otherwise);
}

/// `what` is the argument or result whose attributes these are.
LogicalResult checkAttributes(func::FuncOp main, ArrayRef<NamedAttribute> attributes, const Twine &what) {
  for (const NamedAttribute &attribute : attributes) {
    const StringRef name = attribute.getName();
    if (!name.starts_with("daedalus."))
      continue;
    if (name != kernel::valueName && name != kernel::dtype)
      return main.emitError(what) << " has the attribute '" << name << "'; expected '" << kernel::valueName
                                  << "' or '" << kernel::dtype << "'";
    if (auto text = dyn_cast<StringAttr>(attribute.getValue()); !text || text.empty())
      return main.emitError(what) << " has " << name << " = " << attribute.getValue()
                                  << "; expected a string that is not empty";
  }
  return success();
}

LogicalResult checkNames(func::FuncOp main, unsigned count, StringRef kind,
                         function_ref<StringAttr(func::FuncOp, unsigned)> nameOf) {
  DenseMap<StringAttr, unsigned> numbers;
  for (unsigned k = 0; k < count; ++k)
    if (const auto [at, isNew] = numbers.try_emplace(nameOf(main, k), k); !isNew)
      return main.emitError(kind) << "s number " << at->second << " and " << k << " are both called "
                                  << nameOf(main, k) << "; expected a name for each";
  return success();
}

} // namespace

StringAttr argumentName(func::FuncOp main, unsigned number) {
  return nameOr(main.getArgAttr(number, kernel::valueName), "arg" + Twine(number), main.getContext());
}

StringAttr resultName(func::FuncOp main, unsigned number) {
  return nameOr(main.getResultAttr(number, kernel::valueName), "result" + Twine(number), main.getContext());
}

LogicalResult checkInterface(func::FuncOp main) {
  for (unsigned k = 0; k < main.getNumArguments(); ++k)
    if (failed(checkAttributes(main, function_interface_impl::getArgAttrs(main, k),
                               "argument number " + Twine(k))))
      return failure();
  for (unsigned k = 0; k < main.getNumResults(); ++k)
    if (failed(checkAttributes(main, function_interface_impl::getResultAttrs(main, k),
                               "result number " + Twine(k))))
      return failure();
  return success(succeeded(checkNames(main, main.getNumArguments(), "argument", argumentName)) &&
                 succeeded(checkNames(main, main.getNumResults(), "result", resultName)));
}

} // namespace daedalus
