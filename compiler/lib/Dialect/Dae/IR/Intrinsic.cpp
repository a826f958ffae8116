// dae.intrinsic and the attributes that only it uses: their text, and what their verifiers check. What a
// declaration has to be besides is said where it is read (Transforms/Declaration.cpp).

#include "daedalus/Dialect/Dae/IR/Dae.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

namespace daedalus::dae {

// `<` (scope | `imm`) {`,` ...} `>`
mlir::Attribute WidenedAttr::parse(mlir::AsmParser &parser, mlir::Type) {
  llvm::SmallVector<Scope> scopes;
  bool immediate = false;
  const llvm::SMLoc start = parser.getCurrentLocation();
  const auto place = [&]() -> mlir::ParseResult {
    llvm::StringRef name;
    const llvm::SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return mlir::failure();
    if (name == "imm") {
      immediate = true;
      return mlir::success();
    }
    const std::optional<Scope> scope = symbolizeScope(name);
    if (!scope)
      return parser.emitError(at) << "'" << name << "' is not a scope; expected one of a machine's, or imm";
    scopes.push_back(*scope);
    return mlir::success();
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::LessGreater, place))
    return {};
  const auto error = [&] { return parser.emitError(start); };
  return getChecked(llvm::function_ref<mlir::InFlightDiagnostic()>(error), parser.getContext(),
                    llvm::ArrayRef<Scope>(scopes), immediate);
}

void WidenedAttr::print(mlir::AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getScopes(), printer, [&](Scope scope) { printer << stringifyScope(scope); });
  if (getImmediate())
    printer << (getScopes().empty() ? "imm" : ", imm");
  printer << ">";
}

mlir::LogicalResult WidenedAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> error,
                                        llvm::ArrayRef<Scope> scopes, bool) {
  if (scopes.empty())
    return error() << "#dae.widened expects at least one scope; a constant alone is an i32";
  for (size_t k = 0; k < scopes.size(); ++k) {
    if (scopes[k] == Scope::Wgt || scopes[k] == Scope::Lut)
      return error() << "#dae.widened expects scopes with rows of N values, found "
                     << stringifyScope(scopes[k]);
    if (llvm::is_contained(scopes.take_front(k), scopes[k]))
      return error() << "#dae.widened has " << stringifyScope(scopes[k]) << " twice";
  }
  return mlir::success();
}

mlir::LogicalResult RangeAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> error, int64_t low,
                                      int64_t high) {
  if (low > high)
    return error() << "#dae.range has the minimum " << low << " above its maximum " << high;
  return mlir::success();
}

mlir::ParseResult IntrinsicOp::parse(mlir::OpAsmParser &parser, mlir::OperationState &result) {
  const auto type = [](mlir::Builder &builder, llvm::ArrayRef<mlir::Type> inputs,
                       llvm::ArrayRef<mlir::Type> results, mlir::function_interface_impl::VariadicFlag,
                       std::string &) { return builder.getFunctionType(inputs, results); };
  return mlir::function_interface_impl::parseFunctionOp(
      parser, result, false, getFunctionTypeAttrName(result.name), type, getArgAttrsAttrName(result.name),
      getResAttrsAttrName(result.name));
}

void IntrinsicOp::print(mlir::OpAsmPrinter &printer) {
  mlir::function_interface_impl::printFunctionOp(printer, *this, false, getFunctionTypeAttrName(),
                                                 getArgAttrsAttrName(), getResAttrsAttrName());
}

mlir::LogicalResult IntrinsicOp::verify() {
  if (getBody().empty())
    return emitOpError("has no body; expected a linalg.generic and the operations that compute it");
  if (!getFunctionType().getResults().empty())
    return emitOpError("has results; expected none, as a row is written");
  return mlir::success();
}

} // namespace daedalus::dae
