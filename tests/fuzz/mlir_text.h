// MLIR text as dae-opt reads it: parsed, verified, and through passes. What MLIR's own parser does not
// survive is left out.
#pragma once

#include "fuzz.h"
#include "parser_copy.h"

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/support/mlir_text.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>

namespace daedalus::fuzz {

struct Parser {
  explicit Parser(const mlir::DialectRegistry &registry)
      : context(registry, mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  mlir::MLIRContext context;
  ParserCopy copy{context};
};

/// Types and attributes live as long as their context, so that now and then there has to be a new one.
inline Parser &parser() {
  static std::unique_ptr<Parser> current;
  static unsigned uses = 0;
  if (uses++ % 1000 == 0) {
    mlir::DialectRegistry registry;
    registry.insert<dae::DaeDialect, qnn::QnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                    mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect, mlir::tensor::TensorDialect>();
    current = std::make_unique<Parser>(registry);
  }
  return *current;
}

/// What parses goes through the passes that `add` adds; diagnostics are thrown away, failures are fine.
inline void runText(const uint8_t *data, size_t size, const std::function<void(mlir::PassManager &)> &add) {
  auto &[context, copy] = parser();
  const mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  const std::string text(data, data + size); // the parser wants a zero behind it
  if (!checkMlirText(text) || !copy.survives(text))
    return;
  const mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return;
  mlir::PassManager passes(&context);
  add(passes);
  (void)passes.run(*module);
}

/// The parts of the tests of the passes.
inline std::vector<std::vector<uint8_t>> partsOfTests() {
  std::vector<std::vector<uint8_t>> parts;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(DAEDALUS_SOURCE_DIR "/tests/lit")) {
    if (entry.path().extension() != ".mlir")
      continue;
    std::ifstream file(entry.path());
    std::string part;
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("// -----", 0) == 0)
        parts.push_back(bytesOf(std::exchange(part, "")));
      else if (line.rfind("//", 0) != 0)
        part += line + "\n";
    }
    parts.push_back(bytesOf(part));
  }
  return parts;
}

} // namespace daedalus::fuzz
