// What recognition tests share.
#pragma once

#include "interpreter.h"
#include "stream_runner.h"

namespace daedalus::testing {

/// Kernels as text: whether the accelerator takes them, and whether it then computes what they say.
class RecognitionTest : public ::testing::Test {
protected:
  /// Why the accelerator does not take the kernel; empty where it does.
  std::string reasonFor(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &runner.context);
    EXPECT_TRUE(bool(module)) << text;
    if (!module)
      return "";
    const auto taken =
        accelerator::acceleratorSupports(*module->getOps<mlir::func::FuncOp>().begin(), builtin("default"));
    return taken ? "" : taken.error();
  }

  /// What the accelerator computes against the plain interpreter.
  void compare(const std::string &text, const std::string &what) {
    ASSERT_TRUE(runner.compileText(text + mainOf(text), builtin("default"))) << what;
    auto kernel = *runner.module->getOps<mlir::func::FuncOp>().begin();
    std::vector<std::vector<int8_t>> inputs;
    std::vector<TensorValue> arguments;
    std::mt19937 random(7);
    for (mlir::Type type : kernel.getArgumentTypes()) {
      auto tensor = mlir::cast<mlir::RankedTensorType>(type);
      inputs.push_back(randomBytes(tensor.getNumElements(), random));
      arguments.push_back(tensorOf(tensor, inputs.back()));
    }
    const std::vector<int64_t> expected = interpret(kernel, arguments)[0].elements;
    EXPECT_EQ(runner.run("functional", inputs), std::vector<int8_t>(expected.begin(), expected.end()))
        << what;
  }

  /// @main, which calls the first function with its own arguments.
  std::string mainOf(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &runner.context);
    auto kernel = *module->getOps<mlir::func::FuncOp>().begin();
    std::string parameters, arguments, type;
    llvm::raw_string_ostream(type) << kernel.getFunctionType();
    for (auto [k, argument] : llvm::enumerate(kernel.getArgumentTypes())) {
      std::string name = (k ? ", %a" : "%a") + std::to_string(k);
      arguments += name;
      llvm::raw_string_ostream(parameters) << name << ": " << argument;
    }
    std::string result;
    llvm::raw_string_ostream(result) << kernel.getResultTypes()[0];
    return "\nfunc.func @main(" + parameters + ") -> " + result + " {\n  %r = call @" +
           kernel.getName().str() + "(" + arguments + ") : " + type + "\n  return %r : " + result + "\n}\n";
  }

  StreamRunner runner;
};

} // namespace daedalus::testing
