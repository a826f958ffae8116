// The forms that the tables of isa.yaml allow, by name, and those that an instruction shows: what the
// conformance suite has to run on every engine, and what it did run.
#pragma once

#include "daedalus/isa/instruction_fields.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace daedalus::testing {

/// For example "vector add reducing inp none acc", "load diagonal=1", "gemm loops[2].wgt_stride<0".
std::set<std::string> allForms();
/// Those that an engine has: `functional` has no bus, and so no memory that is silent.
std::set<std::string> formsOn(const std::string &engine);
std::set<std::string> formsOf(const isa::Instruction &instruction);
std::string formOf(isa::FaultCause cause);

/// What ran on each engine and ended as the test expected.
class FormLog {
public:
  static FormLog &instance();
  void record(const std::string &engine, const std::vector<isa::Instruction> &instructions);
  void record(const std::string &engine, isa::FaultCause cause);
  std::vector<std::string> missingOn(const std::string &engine) const;

private:
  std::map<std::string, std::set<std::string>> seen;
};

} // namespace daedalus::testing
