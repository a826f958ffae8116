// An intrinsic in an expression, within Cover.cpp and PackedCover.cpp.

#ifndef DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_COVER_H
#define DAEDALUS_LIB_DIALECT_DAE_TRANSFORMS_COVER_H

#include "daedalus/Dialect/Dae/Transforms/Intrinsics.h"

#include <map>

namespace daedalus::dae {

/// Whether a source lies in PARAM as rows of int8, which are constants.
bool isConstantRow(const IntrinsicOperand &operand);

/// As cover, where the sources of these numbers are one int8 each.
std::optional<Cover> coverOfConstants(const Intrinsic &intrinsic, Expressions &all, ExprId root,
                                      const std::map<unsigned, int8_t> &constants);

/// As cover, of an intrinsic with rows of constants.
std::optional<Cover> coverOfRows(const Intrinsic &intrinsic, Expressions &all, ExprId root,
                                 const ChannelConstants &channels);

} // namespace daedalus::dae

#endif
