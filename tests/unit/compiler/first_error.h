// What the compiler's front says of a model that it refuses.
#pragma once

#include "daedalus/Import/ONNX/GivenInputs.h"

#include <string>

namespace daedalus::test {

/// "node: message" of the first error of importing and converting; "" where there is none.
std::string errorOf(const std::string &bytes, const GivenInputs &given = {});

} // namespace daedalus::test
