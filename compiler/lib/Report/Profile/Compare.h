// Two profiles beside each other: layers of the same ONNX nodes, and what each change is worth.
#pragma once

#include "Report/Json.h"
#include "Report/Targets/TargetRow.h"

#include "daedalus/support/input_file.h"
#include "daedalus/support/result.h"

#include <string>
#include <vector>

namespace daedalus::report {

constexpr InputKind ProfileFile{"a profile", uint64_t(1) << 30};

/// A profile as `daedalus profile -o` wrote it, read again.
struct SavedProfile {
  std::string path;
  Json json;
};

/// Checks all that is shown of it: version, cycles, and of each layer its names, its cycles and what modules
/// did. The error names the path and what is missing.
Result<SavedProfile> readProfile(const std::string &path, const std::vector<uint8_t> &bytes);

/// Indices of the layers, which belong together where their ONNX nodes are the same.
std::vector<LayerPair> pairsOf(const SavedProfile &before, const SavedProfile &after);

/// A row a pair: the cycles on the path before and after, and how many more or fewer.
std::string compareText(const SavedProfile &before, const SavedProfile &after);

} // namespace daedalus::report
