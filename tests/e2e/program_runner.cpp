// See program_runner.h.

#include "program_runner.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/runtime/session.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/bit.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace daedalus::testing {

TemporaryProgram::TemporaryProgram(const std::string &text)
    : path((std::filesystem::temp_directory_path() / ("program." + std::to_string(getpid()) + ".mlir"))
               .string()) {
  std::ofstream(path) << text;
  if (const char *kept = std::getenv("DAEDALUS_PROGRAM_FILE"))
    std::ofstream(kept) << text;
}

TemporaryProgram::~TemporaryProgram() {
  std::filesystem::remove(path);
}

Result<Compiled> compileProgram(const std::string &path, const std::string &machine,
                                const std::string &target) {
  CompileOptions options;
  options.target = target;
  options.settings.of<accelerator::Settings>().machine = *isa::loadMachine(machine);
  return compileModel(path, options);
}

namespace {

std::vector<uint8_t> bytesOf(const TensorValue &value) {
  std::vector<uint8_t> bytes;
  const unsigned each = value.type.getElementTypeBitWidth() / 8;
  for (int64_t element : value.elements)
    for (unsigned k = 0; k < each; ++k)
      bytes.push_back(static_cast<uint64_t>(element) >> (8 * k));
  return bytes;
}

} // namespace

InterpretedProgram::InterpretedProgram(const std::string &text, unsigned seed) : random(seed) {
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                      mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::tensor::TensorDialect,
                      mlir::tosa::TosaDialect, qnn::QnnDialect>();
  const mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (module)
    for (mlir::Type type : main().getArgumentTypes())
      inputs.push_back(randomTensor(mlir::cast<mlir::RankedTensorType>(type)));
}

TensorValue InterpretedProgram::randomTensor(mlir::RankedTensorType type) {
  TensorValue value{type, {}};
  for (int64_t k = 0; k < type.getNumElements(); ++k) {
    const int64_t integer = static_cast<int64_t>(random() % 256) - 128;
    const double real = static_cast<float>(integer) / 7;
    value.elements.push_back(type.getElementType().isF32()
                                 ? llvm::bit_cast<uint32_t>(static_cast<float>(real))
                             : type.getElementType().isF64() ? llvm::bit_cast<int64_t>(real)
                                                             : integer);
  }
  return value;
}

bool InterpretedProgram::isDefined() {
  return testing::isDefined(main(), inputs);
}

std::string InterpretedProgram::difference(const package::Package &package, const std::string &engine) {
  if (expected.empty())
    expected = interpret(main(), inputs);
  runtime::SessionOptions options;
  options.engine = engine;
  auto session = runtime::Session::create(package, options);
  if (!session)
    return session.error();
  std::vector<runtime::Tensor> tensors;
  for (size_t k = 0; k < inputs.size(); ++k)
    tensors.push_back(
        {package.functions[0].inputs[k].name, package.functions[0].inputs[k].type, bytesOf(inputs[k])});
  auto result = (*session)->run(0, tensors);
  if (!result)
    return result.error();
  if (result->outputs.size() != expected.size())
    return std::to_string(result->outputs.size()) + " outputs instead of " + std::to_string(expected.size());
  for (size_t k = 0; k < expected.size(); ++k) {
    const std::vector<uint8_t> bytes = bytesOf(expected[k]), &found = result->outputs[k].data;
    if (found.size() != bytes.size())
      return result->outputs[k].name + " has " + std::to_string(found.size()) + " bytes instead of " +
             std::to_string(bytes.size());
    for (size_t at = 0; at < bytes.size(); ++at)
      if (found[at] != bytes[at])
        return result->outputs[k].name + " has " + std::to_string(found[at]) + " instead of " +
               std::to_string(bytes[at]) + " at byte " + std::to_string(at) + " on " + engine;
  }
  return "";
}

} // namespace daedalus::testing
