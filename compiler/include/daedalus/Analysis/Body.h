// The body of a structured operation as an expression of its elements.

#ifndef DAEDALUS_ANALYSIS_BODY_H
#define DAEDALUS_ANALYSIS_BODY_H

#include "daedalus/Analysis/Expression.h"

#include "mlir/IR/Block.h"

namespace daedalus {

/// What `value`, which `body` computes, is of the arguments of the body; constants from outside count, all
/// else from outside is Other. Nothing where the body is no expression: it has regions, may do more than
/// compute, or has more than 1024 operations.
std::optional<ExprId> expressionOf(mlir::Value value, mlir::Block &body, Expressions &all);

} // namespace daedalus

#endif
