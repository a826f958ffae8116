// The body of a structured operation as an expression of its elements.

#ifndef DAEDALUS_ANALYSIS_BODY_H
#define DAEDALUS_ANALYSIS_BODY_H

#include "daedalus/Analysis/Expression.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

namespace daedalus {

/// What the values that `body` computes are of its arguments; constants from outside count, all else from
/// outside is Other. Nothing where the body is no expression: it has regions, may do more than compute, or
/// has more than 1024 operations.
std::optional<llvm::DenseMap<mlir::Value, ExprId>> expressionsOf(mlir::Block &body, Expressions &all);

/// The same of one of its values, or of one from outside that it yields.
std::optional<ExprId> expressionOf(mlir::Value value, mlir::Block &body, Expressions &all);

} // namespace daedalus

#endif
