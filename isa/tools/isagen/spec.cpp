// Loads isa.yaml: one function a section. yaml-cpp throws; the exceptions end in loadSpec. Fields get their
// bit positions here and nowhere else: packed in the order given, least significant bit first.
#include "yaml.h"

#include <algorithm>

namespace isagen {
namespace {

EnumValue loadValue(const YAML::Node &node, unsigned position) {
  EnumValue value;
  value.name = need<std::string>(node, "name");
  value.code = get<unsigned>(node, "code", position);
  value.doc = get<std::string>(node, "doc", "");
  return value;
}

} // namespace

std::vector<EnumValue> loadValues(const YAML::Node &list) {
  std::vector<EnumValue> values;
  for (const YAML::Node &node : list) {
    if (node.IsScalar()) {
      values.push_back({node.as<std::string>(), static_cast<unsigned>(values.size()), ""});
      continue;
    }
    checkKeys(node, {"name", "code", "doc"});
    values.push_back(loadValue(node, static_cast<unsigned>(values.size())));
    if (values.back().code != values.size() - 1)
      fail(node, "codes must count up from 0");
  }
  return values;
}

namespace {

std::vector<Scope> loadScopes(const YAML::Node &list) {
  std::vector<Scope> scopes;
  for (const YAML::Node &node : list) {
    checkKeys(node, {"name", "code", "row", "element", "doc"});
    Scope scope;
    static_cast<EnumValue &>(scope) = loadValue(node, static_cast<unsigned>(scopes.size()));
    scope.row = get<std::string>(node, "row", "");
    scope.element = get<std::string>(node, "element", "");
    scopes.push_back(scope);
  }
  return scopes;
}

Field loadField(const Spec &spec, const YAML::Node &node) {
  checkKeys(node, {"name", "bits", "kind", "signed", "min", "max", "default", "allowed", "mode", "doc"});
  Field field;
  field.name = need<std::string>(node, "name");
  field.bits = need<unsigned>(node, "bits");
  field.kind = get<bool>(node, "mode", false) ? "flag" : get<std::string>(node, "kind", "");
  field.doc = need<std::string>(node, "doc");
  field.isSigned = get<bool>(node, "signed", false);
  field.minimum = get<int64_t>(node, "min", field.isSigned ? -(int64_t(1) << (field.bits - 1)) : 0);
  if (node["max"])
    field.limit = need<int64_t>(node, "max");
  field.allowed = get<std::vector<std::string>>(node, "allowed", {});
  for (const std::string &scope : field.allowed)
    if (!spec.findScope(scope))
      fail(node, "no scope is named '" + scope + "'");
  int64_t initial = field.minimum > 0 ? field.minimum : 0;
  if (!field.allowed.empty())
    initial = spec.findScope(field.allowed.front())->code;
  field.initial = get<int64_t>(node, "default", initial);
  if (field.bits == 0 || field.bits > 32)
    fail(node, "a field has 1 to 32 bits");
  if (field.maximum() >= int64_t(1) << field.bits)
    fail(node, "the field's max does not fit its bits");
  return field;
}

/// The header's fields of an instruction: token masks and flags.
std::vector<Field> loadHeader(const Spec &spec, const YAML::Node &header, const YAML::Node &node) {
  std::vector<Field> fields;
  const bool tokens = need<std::string>(node, "module") != "fetch";
  unsigned bit = 0;
  for (const YAML::Node &part : header) {
    const std::string name = need<std::string>(part, "name");
    if (part["kind"] && tokens) {
      Field field = loadField(spec, part);
      field.firstBit = bit;
      fields.push_back(field);
    }
    for (const YAML::Node &flag : name == "flags" ? node["flags"] : YAML::Node()) {
      checkKeys(flag, {"name", "bit", "kind", "doc"});
      Field field;
      field.name = need<std::string>(flag, "name");
      field.kind = get<std::string>(flag, "kind", "flag");
      field.doc = need<std::string>(flag, "doc");
      field.bits = 1;
      field.firstBit = bit + need<unsigned>(flag, "bit");
      fields.push_back(field);
    }
    bit += need<unsigned>(part, "bits");
  }
  return fields;
}

void loadLoops(const Spec &spec, const YAML::Node &node, Instruction &instruction, unsigned &bit) {
  checkKeys(node, {"name", "count", "doc", "fields"});
  instruction.loopCount = need<unsigned>(node, "count");
  instruction.loopDoc = need<std::string>(node, "doc");
  for (unsigned loop = 0; loop < instruction.loopCount; ++loop)
    for (const YAML::Node &part : node["fields"]) {
      Field field = loadField(spec, part);
      field.loop = static_cast<int>(loop);
      field.firstBit = bit;
      bit += field.bits;
      instruction.fields.push_back(field);
      if (loop == 0)
        instruction.loopFields.push_back(field);
    }
}

Instruction loadInstruction(const Spec &spec, const YAML::Node &header, const YAML::Node &node) {
  checkKeys(node, {"name", "opcode", "module", "doc", "flags", "fields"});
  Instruction instruction;
  instruction.name = need<std::string>(node, "name");
  instruction.opcode = need<unsigned>(node, "opcode");
  instruction.module = need<std::string>(node, "module");
  instruction.doc = need<std::string>(node, "doc");
  instruction.fields = loadHeader(spec, header, node);
  unsigned bit = 0;
  for (const YAML::Node &part : header)
    bit += need<unsigned>(part, "bits");
  for (const YAML::Node &part : node["fields"]) {
    if (part["count"]) {
      loadLoops(spec, part, instruction, bit);
      continue;
    }
    Field field = loadField(spec, part);
    field.firstBit = bit;
    bit += field.bits;
    instruction.fields.push_back(field);
  }
  if (bit > spec.instructionBytes * 8)
    fail(node, instruction.name + " takes " + std::to_string(bit) + " bits, more than an instruction has");
  return instruction;
}

std::vector<VectorForm> loadForms(const YAML::Node &list) {
  std::vector<VectorForm> forms;
  for (const YAML::Node &node : list) {
    checkKeys(node, {"ops", "reducing", "a", "b", "dst"});
    VectorForm form;
    form.ops = need<std::vector<std::string>>(node, "ops");
    form.reducing = need<std::string>(node, "reducing");
    form.a = need<std::vector<std::string>>(node, "a");
    form.b = need<std::vector<std::string>>(node, "b");
    form.dst = need<std::vector<std::string>>(node, "dst");
    forms.push_back(form);
  }
  return forms;
}

/// An operation without a form would be an encoding that is always illegal.
void checkForms(const YAML::Node &list, const Spec &spec) {
  for (const EnumValue &op : spec.findEnum("vector_op")->values) {
    const auto names = [&](const VectorForm &form) {
      return std::find(form.ops.begin(), form.ops.end(), op.name) != form.ops.end();
    };
    if (std::none_of(spec.vectorForms.begin(), spec.vectorForms.end(), names))
      fail(list, "the operation '" + op.name + "' has no form");
  }
}

} // namespace

std::vector<Register> loadRegisters(const YAML::Node &list) {
  std::vector<Register> registers;
  for (const YAML::Node &node : list) {
    checkKeys(node, {"name", "offset", "access", "count", "step", "bits", "doc"});
    Register reg;
    reg.name = need<std::string>(node, "name");
    reg.offset = need<unsigned>(node, "offset");
    reg.access = need<std::string>(node, "access");
    reg.count = get<unsigned>(node, "count", 1);
    reg.step = get<unsigned>(node, "step", 0);
    reg.doc = need<std::string>(node, "doc");
    for (const YAML::Node &bit : node["bits"])
      reg.bits.push_back({need<std::string>(bit, "name"), need<unsigned>(bit, "bit")});
    registers.push_back(reg);
  }
  return registers;
}

namespace {

std::vector<MachineKey> loadMachineKeys(const YAML::Node &list) {
  std::vector<MachineKey> keys;
  for (const YAML::Node &node : list) {
    checkKeys(node, {"name", "min", "max", "power_of_two", "at_most", "at_least", "default", "optional",
                     "hash", "doc"});
    MachineKey key;
    key.name = need<std::string>(node, "name");
    key.minimum = need<uint32_t>(node, "min");
    key.maximum = need<uint32_t>(node, "max");
    key.powerOfTwo = get<bool>(node, "power_of_two", false);
    key.atMost = get<std::string>(node, "at_most", "");
    key.atLeast = get<std::string>(node, "at_least", "");
    if (node["default"])
      key.initial = node["default"].as<uint32_t>();
    if (node["hash"] && (need<std::string>(node, "hash") != "unless_default" || !key.initial))
      fail(node, "'hash' is 'unless_default', of a key with a default");
    key.isOptional = get<bool>(node, "optional", false);
    if (key.isOptional && (key.initial || key.minimum == 0))
      fail(node, "'optional' is of a key without a default whose minimum is at least 1");
    key.hashedAtDefault = !node["hash"];
    key.doc = need<std::string>(node, "doc");
    keys.push_back(key);
  }
  return keys;
}

std::vector<DramModel> loadDramModels(const YAML::Node &list, const std::vector<MachineKey> &keys) {
  std::vector<DramModel> models;
  std::set<std::string> names;
  for (const MachineKey &key : keys)
    names.insert(key.name);
  for (const YAML::Node &node : list) {
    checkKeys(node, {"name", "doc", "values"});
    checkKeys(node["values"], names);
    DramModel model{need<std::string>(node, "name"), need<std::string>(node, "doc"), {}};
    for (const MachineKey &key : keys)
      model.values.push_back(need<uint32_t>(node["values"], key.name.c_str()));
    models.push_back(model);
  }
  return models;
}

Spec load(const YAML::Node &root) {
  checkKeys(root, {"version", "instruction_bytes", "modules", "scopes", "enums", "header", "instructions",
                   "vector_forms", "faults", "token_counter_max", "base_registers", "counter_classes",
                   "counter_modules", "status", "registers", "machine"});
  Spec spec;
  spec.version = need<unsigned>(root, "version");
  spec.instructionBytes = need<unsigned>(root, "instruction_bytes");
  spec.tokenCounterMax = need<unsigned>(root, "token_counter_max");
  spec.baseRegisters = need<unsigned>(root, "base_registers");
  spec.modules = loadValues(root["modules"]);
  spec.scopes = loadScopes(root["scopes"]);
  for (const auto &entry : root["enums"])
    spec.enums.push_back({entry.first.as<std::string>(), loadValues(entry.second)});
  spec.opcodeBits = need<unsigned>(root["header"][0], "bits");
  for (const YAML::Node &node : root["instructions"])
    spec.instructions.push_back(loadInstruction(spec, root["header"], node));
  spec.vectorForms = loadForms(root["vector_forms"]);
  checkForms(root["vector_forms"], spec);
  spec.faults = loadValues(root["faults"]);
  spec.status = loadValues(root["status"]);
  spec.counterClasses = loadValues(root["counter_classes"]);
  spec.counterModules = loadValues(root["counter_modules"]);
  spec.registers = loadRegisters(root["registers"]);
  checkKeys(root["machine"], {"core", "memory", "dram", "constraints"});
  spec.core = loadMachineKeys(root["machine"]["core"]);
  spec.memory = loadMachineKeys(root["machine"]["memory"]);
  checkKeys(root["machine"]["dram"], {"keys", "models"});
  spec.dramKeys = loadMachineKeys(root["machine"]["dram"]["keys"]);
  spec.dramModels = loadDramModels(root["machine"]["dram"]["models"], spec.dramKeys);
  spec.machineConstraints = root["machine"]["constraints"].as<std::vector<std::string>>();
  return spec;
}

} // namespace

unsigned Instruction::usedBits() const {
  unsigned bits = 32;
  for (const Field &field : fields)
    bits = std::max(bits, field.firstBit + field.bits);
  return bits;
}

const Scope *Spec::findScope(const std::string &name) const {
  for (const Scope &scope : scopes)
    if (scope.name == name)
      return &scope;
  return nullptr;
}

const Enumeration *Spec::findEnum(const std::string &name) const {
  for (const Enumeration &enumeration : enums)
    if (enumeration.name == name)
      return &enumeration;
  return nullptr;
}

bool Spec::isMachineKey(const std::string &name) const {
  auto named = [&](const MachineKey &key) { return key.name == name; };
  return std::any_of(core.begin(), core.end(), named) || std::any_of(memory.begin(), memory.end(), named);
}

daedalus::Result<Spec> loadSpec(const std::string &path) {
  try {
    return load(YAML::LoadFile(path));
  } catch (const std::exception &problem) {
    return daedalus::error(path + ": " + problem.what());
  }
}

} // namespace isagen
