// Runs tensor programs: compiled as the command does and run by the runtime, beside a plain interpreter.
#pragma once

#include "daedalus/Pipelines/Compile.h"
#include "interpreter.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <random>

namespace daedalus::testing {

/// A file *.mlir that goes with the object.
class TemporaryProgram {
public:
  explicit TemporaryProgram(const std::string &text);
  ~TemporaryProgram();
  const std::string path;
};

Result<Compiled> compileProgram(const std::string &path, const std::string &machine = "default",
                                const std::string &target = "auto");

/// A program, with seeded inputs.
class InterpretedProgram {
public:
  explicit InterpretedProgram(const std::string &text, unsigned seed = 5);

  bool parses() const { return static_cast<bool>(module); }
  /// Whether the results are defined (interpreter.h).
  bool isDefined();
  /// Where the outputs of a package differ from the interpreter's, in a sentence; empty where nowhere.
  std::string difference(const package::Package &package, const std::string &engine);

private:
  mlir::func::FuncOp main() { return module->lookupSymbol<mlir::func::FuncOp>("main"); }
  TensorValue randomTensor(mlir::RankedTensorType type);

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::mt19937 random;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<TensorValue> inputs, expected;
};

} // namespace daedalus::testing
