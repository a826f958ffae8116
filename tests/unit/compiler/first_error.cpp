#include "first_error.h"

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Import/ONNX/Import.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace daedalus::test {

std::string errorOf(const std::string &bytes) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string first;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (!first.empty())
      return;
    if (auto name = mlir::dyn_cast<mlir::NameLoc>(diagnostic.getLocation()))
      first = name.getName().str() + ": ";
    first += diagnostic.str();
  });
  auto module = importOnnxBytes(bytes, "model.onnx", context);
  return module && succeeded(convertGraphToLinalg(*module)) ? "" : first;
}

} // namespace daedalus::test
