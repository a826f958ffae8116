// See Locations.h.

#include "daedalus/Analysis/Locations.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace daedalus {
namespace {

constexpr llvm::StringLiteral quantization = "quantization";

bool isOfQuantization(Location loc) {
  auto fused = dyn_cast<FusedLoc>(loc);
  auto kind = fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : StringAttr();
  return kind && kind.getValue() == quantization;
}

using Parts = llvm::SetVector<Location>;

/// The parts of a location that fuse none: those of quantization, or the others.
void collect(Location loc, bool isOf, bool wanted, Parts &parts) {
  isOf |= isOfQuantization(loc);
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused && isOf == wanted)
    parts.insert(loc);
  if (fused)
    for (const Location part : fused.getLocations())
      collect(part, isOf, wanted, parts);
}

Parts partsOf(Location loc, bool areOfQuantization) {
  Parts parts;
  collect(loc, false, areOfQuantization, parts);
  return parts;
}

} // namespace

std::string nodeName(Location loc) {
  llvm::SetVector<StringRef> names;
  std::string place;
  for (const Location computing : partsOf(loc, false))
    computing->walk([&](Location part) {
      if (auto named = dyn_cast<NameLoc>(part))
        names.insert(named.getName());
      else if (auto line = dyn_cast<FileLineColLoc>(part); line && place.empty())
        place = (line.getFilename().getValue() + ":" + Twine(line.getLine())).str();
      return WalkResult::advance();
    });
  return names.empty() ? place : llvm::join(names, " + ");
}

Location withQuantization(Location loc, llvm::ArrayRef<Location> casts) {
  Parts parts;
  for (const Location of : casts) {
    const Parts beside = partsOf(of, true);
    if (beside.empty())
      parts.insert(of);
    parts.insert(beside.begin(), beside.end());
  }
  if (parts.empty())
    return loc;
  MLIRContext *context = loc.getContext();
  const Location beside = FusedLoc::get(parts.getArrayRef(), StringAttr::get(context, quantization), context);
  return FusedLoc::get(context, {loc, beside});
}

Location withoutQuantization(Location loc) {
  return FusedLoc::get(loc.getContext(), partsOf(loc, false).getArrayRef());
}

} // namespace daedalus
