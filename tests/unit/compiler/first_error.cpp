#include "first_error.h"

#include "daedalus/Import/ONNX/Import.h"
#include "daedalus/Pipelines/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

namespace daedalus::test {

std::string errorOf(const std::string &bytes, const GivenInputs &given) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string first;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (!first.empty())
      return;
    if (auto name = mlir::dyn_cast<mlir::NameLoc>(diagnostic.getLocation()))
      first = name.getName().str() + ": ";
    first += diagnostic.str();
  });
  auto module = importOnnxBytes(bytes, "model.onnx", context, given);
  if (!module)
    return first;
  mlir::PassManager passes(&context);
  addKernels(passes);
  return succeeded(passes.run(*module)) ? "" : first;
}

} // namespace daedalus::test
