// What `daedalus info` says of an ONNX model.
#pragma once

#include <string>

namespace daedalus::cli {

/// Prints inputs, outputs, opsets and operators. Failed where the file is no model.
void describeModel(const std::string &path, bool asJson);

} // namespace daedalus::cli
