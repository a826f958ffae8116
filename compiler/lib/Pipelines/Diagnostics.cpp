// See Diagnostics.h.

#include "Diagnostics.h"

#include "daedalus/support/one_line.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

using namespace mlir;

namespace daedalus {

std::string nodeOf(Location loc) {
  std::string name;
  loc->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    if (!named)
      return WalkResult::advance();
    name = named.getName().str();
    return WalkResult::interrupt();
  });
  return name;
}

/// "node 'conv1' (Conv of opset 13): ", where the second is known; empty of what is no node.
static std::string nodePlace(Location loc) {
  const std::string node = nodeOf(loc);
  std::string kind;
  if (auto named = dyn_cast<NameLoc>(loc); named && isa<NameLoc>(named.getChildLoc()))
    kind = " (" + nodeOf(named.getChildLoc()) + ")";
  return node.empty() ? "" : "node '" + node + "'" + kind + ": ";
}

Diagnostics::Diagnostics(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !first.empty())
          return success();
        std::string where = nodePlace(diagnostic.getLocation());
        if (auto line = dyn_cast<FileLineColLoc>(diagnostic.getLocation()); line && where.empty())
          where = line.getFilename().str() + // the module itself stands at no line
                  (line.getLine() ? ":" + std::to_string(line.getLine()) : "") + ": ";
        first = oneLine(where + diagnostic.str());
        hasPlace = !where.empty();
        return success();
      }) {}

Error Diagnostics::take(const std::string &file) const {
  if (first.empty())
    return error("the compiler failed without a reason; please report this model");
  return error((hasPlace || file.empty() ? "" : file + ": ") + first);
}

} // namespace daedalus
