// What a user wants of a front, as lists with commas: "cycles=1e7,area=5", "a.onnx=2,b.onnx=1".
#pragma once

#include "Explore/Front.h"

#include <string>
#include <vector>

namespace daedalus::explore {

/// The place of a network, by its path or by the name of its file; an error says which there are.
Result<size_t> networkOf(const std::string &name, const std::vector<std::string> &networks);

/// By network, 1 where the list does not name it. Errors: no such network, one named twice, no number above
/// 0.
Result<std::vector<double>> weightsOf(const std::string &list, const std::vector<std::string> &networks);

/// By objective, infinite where the list does not name it. Errors: none of the objectives, one named twice,
/// no number above 0.
Result<std::vector<double>> referenceOf(const std::string &list, const std::vector<Objective> &objectives);

/// Takes points off the front that are not below the reference in every objective.
void leaveOutBeyond(const std::vector<double> &reference, std::vector<Ranked> &all);

} // namespace daedalus::explore
