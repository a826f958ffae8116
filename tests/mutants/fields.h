// Every field of a package, by name, each with a way to change it: what the mutants are made of.
#pragma once

#include "daedalus/package/package.h"

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace daedalus::mutants {

using Random = std::mt19937;

struct Field {
  std::string where; // such as "functions[0].steps[3].inputs[1].offset"
  std::function<void(Random &)> change;
};

/// By kind, such as "functions.steps.inputs.offset", so that kinds with few fields come as often as others. A
/// field refers to the package, which must stay as it is until one of them is changed.
std::map<std::string, std::vector<Field>> fieldsOf(package::Package &package);

/// The fields of a kernel object's tables: header, program headers, dynamic section, symbols. Its code, its
/// constants and the pointers among them (relocations, of which compiled kernels have none) are not among
/// them: those are the program that one trusts.
void addElfFields(std::vector<uint8_t> &object, const std::string &where,
                  std::map<std::string, std::vector<Field>> &fields);

/// Another number: a neighbour, an extreme, a power of two away, or any.
uint64_t otherNumber(uint64_t value, Random &random);

/// Changes one field; says which.
std::string mutate(package::Package &package, Random &random);

} // namespace daedalus::mutants
