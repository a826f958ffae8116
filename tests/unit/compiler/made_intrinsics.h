// Intrinsics that are made in tests, of what no declaration would have together.
#pragma once

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

namespace daedalus::dae {

/// An intrinsic of these sources and immediates to a row of ACC, whose element `make` makes of its arguments.
template <class F>
Intrinsic intrinsicOf(llvm::ArrayRef<IntrinsicOperand> sources, llvm::ArrayRef<IntrinsicImmediate> immediates,
                      F make) {
  Intrinsic intrinsic;
  intrinsic.name = "made";
  intrinsic.operands.assign(sources.begin(), sources.end());
  intrinsic.operands.push_back({"old", Scope::Acc, 32, {0}, nullptr});
  intrinsic.immediates.assign(immediates.begin(), immediates.end());
  std::vector<ExprId> arguments;
  for (const IntrinsicOperand &operand : intrinsic.operands)
    arguments.push_back(
        intrinsic.expressions.argument(arguments.size(), operand.bits > 64 ? 0 : operand.bits));
  for (size_t k = 0; k < immediates.size(); ++k)
    arguments.push_back(intrinsic.expressions.argument(arguments.size(), 32));
  intrinsic.element = make(intrinsic.expressions, arguments);
  intrinsic.steps.emplace_back();
  return intrinsic;
}

inline const IntrinsicOperand byte{"x", Scope::Inp, 8, {0}, nullptr}, sum{"s", Scope::Acc, 32, {0}, nullptr};
inline const IntrinsicImmediate limit{"k", 0, 10, 4};
using Arguments = std::vector<ExprId>;

} // namespace daedalus::dae
