// If, where its condition is known before the model runs.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_LOAD_BRANCHES_H
#define DAEDALUS_LIB_IMPORT_ONNX_LOAD_BRANCHES_H

#include "daedalus/support/result.h"

#include <onnx/onnx_pb.h>

#include <functional>
#include <optional>

namespace daedalus::onnximport {

/// What a model's only output holds, a bool; nothing where that is not known before it runs, or where the
/// model cannot be taken.
using Evaluate = std::function<std::optional<bool>(onnx::ModelProto model)>;

/// Puts the nodes of the branch that is taken in the place of each If, Ifs of branches too. A node "f" gives
/// nodes and values "f/NAME". The error names the If whose condition is not known.
Result<void> inlineBranches(onnx::ModelProto &model, const Evaluate &evaluate);

} // namespace daedalus::onnximport

#endif
