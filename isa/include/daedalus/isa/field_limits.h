// The limits of instruction fields (isa.yaml), for those who choose their values.
#pragma once

#include "daedalus/isa/instruction_fields.h"

#include <string_view>

namespace daedalus::isa {

/// The largest value of a field of instruction I, a constant: maximumOf<Gemm>("lead"). Fields of loops are
/// alike in all loops. A name that no field has does not compile.
template <class I> constexpr int64_t maximumOf(std::string_view name) {
  for (const Field &field : InstructionInfo<I>::fields)
    if (name == field.name)
      return field.maximum;
  __builtin_unreachable();
}

} // namespace daedalus::isa
