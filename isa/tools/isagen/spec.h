// isa.yaml in memory, checked: what every emitter of isagen reads. One struct for each section of the file.
#pragma once

#include "daedalus/support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace isagen {

/// One value of an enumeration: enums, scopes, fault causes, device states, modules.
struct EnumValue {
  std::string name;
  unsigned code = 0;
  std::string doc;
};

struct Enumeration {
  std::string name; // as in the file, for example vector_op
  std::vector<EnumValue> values;
};

struct Scope : EnumValue {
  std::string row;     // bytes of a row as an expression of N; empty where the scope has no memory
  std::string element; // int8, int32 or param
};

/// A field of an instruction, or of one of its loops.
struct Field {
  std::string name;
  std::string kind; // empty, flag, module, module_mask, loop_mask, scope, or the name of an enumeration
  std::string doc;
  unsigned bits = 0;
  bool isSigned = false;
  int64_t minimum = 0;
  std::optional<int64_t> limit;     // the largest value, where that is not what the bits hold
  int64_t initial = 0;              // value in a freshly made instruction
  std::vector<std::string> allowed; // scopes
  int loop = -1;                    // index of the loop it belongs to
  unsigned firstBit = 0;            // in the instruction

  int64_t maximum() const { return limit.value_or((int64_t(1) << (isSigned ? bits - 1 : bits)) - 1); }
};

struct Instruction {
  std::string name;
  unsigned opcode = 0;
  std::string module; // load, gemm, vector, store, fetch, or field: the field `module` names it
  std::string doc;
  std::vector<Field> fields; // in encoding order, without the opcode; the fields of loops are repeated
  unsigned loopCount = 0;
  std::string loopDoc;
  std::vector<Field> loopFields; // of loop 0

  bool hasTokens() const { return module != "fetch"; }
  unsigned usedBits() const;
};

struct VectorForm {
  std::vector<std::string> ops, a, b, dst;
  std::string reducing; // true, false or any
};

struct RegisterBit {
  std::string name;
  unsigned bit = 0;
};

struct Register {
  std::string name, access, doc;
  unsigned offset = 0, count = 1, step = 0;
  std::vector<RegisterBit> bits;
};

struct MachineKey {
  std::string name, doc;
  uint32_t minimum = 0, maximum = 0;
  std::optional<uint32_t> initial;
  bool isOptional = false; // 0 in a machine without it
  bool powerOfTwo = false;
  bool hashedAtDefault = true;
  std::string atMost, atLeast; // names of other keys
};

/// A DRAM by its name: a value for each key.
struct DramModel {
  std::string name, doc;
  std::vector<uint32_t> values; ///< in the order of Spec::dramKeys
};

struct Spec {
  unsigned version = 0, instructionBytes = 0, tokenCounterMax = 0, baseRegisters = 0;
  std::vector<EnumValue> modules;
  std::vector<Scope> scopes;
  std::vector<Enumeration> enums;
  unsigned opcodeBits = 0;
  std::vector<Instruction> instructions;
  std::vector<VectorForm> vectorForms;
  std::vector<EnumValue> faults, status, counterClasses, counterModules;
  std::vector<Register> registers;
  std::vector<MachineKey> core, memory, dramKeys;
  std::vector<DramModel> dramModels;
  std::vector<std::string> machineConstraints;

  const Scope *findScope(const std::string &name) const;
  const Enumeration *findEnum(const std::string &name) const;
  bool isMachineKey(const std::string &name) const;
};

/// Reads and checks isa.yaml.
daedalus::Result<Spec> loadSpec(const std::string &path);

} // namespace isagen
