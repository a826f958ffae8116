// Registration of the dae dialect: attributes, types and operations generated from the .td files.

#include "daedalus/Dialect/Dae/IR/Dae.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "daedalus/Dialect/Dae/IR/DaeDialect.cpp.inc"
#include "daedalus/Dialect/Dae/IR/DaeEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "daedalus/Dialect/Dae/IR/DaeAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "daedalus/Dialect/Dae/IR/DaeTypes.cpp.inc"

namespace daedalus::dae {

void DaeDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "daedalus/Dialect/Dae/IR/DaeAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "daedalus/Dialect/Dae/IR/DaeTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "daedalus/Dialect/Dae/IR/DaeOps.cpp.inc"
      >();
}

} // namespace daedalus::dae

namespace daedalus::dae {

// `<` [`reduce`] count `x` `(` strides `)` `>`
mlir::Attribute LoopAttr::parse(mlir::AsmParser &parser, mlir::Type) {
  int64_t count = 0;
  llvm::SmallVector<int64_t> strides;
  if (parser.parseLess())
    return {};
  bool reduce = succeeded(parser.parseOptionalKeyword("reduce"));
  if (parser.parseInteger(count) || parser.parseKeyword("x") ||
      parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Paren,
                                     [&] { return parser.parseInteger(strides.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), reduce, count, strides);
}

void LoopAttr::print(mlir::AsmPrinter &printer) const {
  printer << "<" << (getReduce() ? "reduce " : "") << getCount() << " x (";
  llvm::interleaveComma(getStrides(), printer);
  printer << ")>";
}

mlir::Location withLayer(mlir::Location loc, int64_t layer) {
  return mlir::FusedLoc::get({loc}, mlir::Builder(loc.getContext()).getI64IntegerAttr(layer),
                             loc.getContext());
}

std::optional<std::pair<int64_t, mlir::Location>> layerOf(mlir::Location loc) {
  auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc);
  auto layer = fused ? mlir::dyn_cast_or_null<mlir::IntegerAttr>(fused.getMetadata()) : mlir::IntegerAttr();
  if (!layer || !layer.getType().isSignlessInteger(64) || fused.getLocations().size() != 1)
    return std::nullopt;
  return std::pair(layer.getInt(), fused.getLocations().front());
}

} // namespace daedalus::dae
