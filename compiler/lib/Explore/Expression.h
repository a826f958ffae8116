// Arithmetic on the keys of a machine, as space files have it: "2048 * n", "n <= 32 && bus_bytes <= n".
#pragma once

#include "daedalus/support/result.h"

#include <map>
#include <string>

namespace daedalus::explore {

using Variables = std::map<std::string, double>;

/// The value of the expression, by muParser's rules: + - * / ^, comparisons, && and ||, ?:, min, max, and its
/// functions of numbers. Errors are what is wrong with it, without its text.
Result<double> evaluate(const std::string &expression, const Variables &variables);

} // namespace daedalus::explore
