// Seeded random tensor programs as text: whole ones of one to seven pieces (random_pieces.h), and ones that
// have exactly one form of what the accelerator does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::testing {

/// Any program.
std::string randomProgram(uint64_t seed);

/// The names of the forms that the accelerator does, and a program of one.
const std::vector<std::string> &exactForms();
std::string exactProgram(const std::string &form, uint64_t seed);

} // namespace daedalus::testing
