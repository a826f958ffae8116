// What tests of blocks share.
#pragma once

#include "daedalus/Analysis/Block.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace daedalus {

class Blocks : public ::testing::Test {
protected:
  Blocks() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                        mlir::tensor::TensorDialect, qnn::QnnDialect>();
  }

  /// The blocks of a function's structured operations, in order.
  std::vector<Block> of(const std::string &body, const std::string &arguments) {
    std::vector<Block> blocks;
    forEach(body, arguments, [&](Result<Block> block) {
      EXPECT_TRUE(bool(block)) << block.error();
      if (block)
        blocks.push_back(std::move(*block));
    });
    return blocks;
  }

  /// Why the last structured operation is no block; empty where it is one.
  std::string reasonFor(const std::string &body, const std::string &arguments) {
    std::string last;
    forEach(body, arguments, [&](const Result<Block> &block) { last = block ? "" : block.error(); });
    return last;
  }

  /// What the last structured operation's result is everywhere.
  std::optional<int64_t> uniform(const std::string &body, const std::string &arguments = "") {
    std::optional<int64_t> value;
    parse(body, arguments);
    for (mlir::Operation &op : (*module->getOps<mlir::func::FuncOp>().begin()).getBody().front())
      if (op.getNumResults() && mlir::isa<mlir::TensorType>(op.getResult(0).getType()))
        value = uniformValue(op.getResult(0));
    return value;
  }

  void parse(const std::string &body, const std::string &arguments) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}", &context);
    ASSERT_TRUE(bool(module)) << body;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;

private:
  template <class F> void forEach(const std::string &body, const std::string &arguments, F f) {
    parse(body, arguments);
    if (!module)
      return;
    module->walk([&](mlir::linalg::LinalgOp op) { f(blockOf(op)); });
  }
};

} // namespace daedalus
