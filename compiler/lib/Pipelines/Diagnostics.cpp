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

Diagnostics::Diagnostics(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !first.empty())
          return success();
        std::string node = nodeOf(diagnostic.getLocation());
        std::string where = node.empty() ? "" : "node '" + node + "': ";
        if (auto line = dyn_cast<FileLineColLoc>(diagnostic.getLocation()); line && node.empty())
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
