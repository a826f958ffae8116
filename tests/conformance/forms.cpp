// Forms are named by the fields' kinds, so a new field, flag, scope, operation or instruction of isa.yaml is
// a form that is missing until a test runs it.
#include "conformance/forms.h"

#include "daedalus/isa/encoding.h"

#include <algorithm>

namespace daedalus::testing {
namespace {

using namespace isa;
using Forms = std::set<std::string>;

std::string placeOf(const char *instruction, const Field &field) {
  const std::string loop = field.loop < 0 ? "" : "loops[" + std::to_string(field.loop) + "].";
  return std::string(instruction) + " " + loop + field.name;
}

/// The name of a code where the field's kind has names, else nothing.
std::string nameOf(FieldKind kind, unsigned code) {
  switch (kind) {
  case FieldKind::Scope:
    return isa::name(static_cast<Scope>(code));
  case FieldKind::Rounding:
    return isa::name(static_cast<Rounding>(code));
  case FieldKind::VectorOp:
    return isa::name(static_cast<VectorOp>(code));
  case FieldKind::Module:
  case FieldKind::ModuleMask:
    return isa::name(static_cast<Module>(code));
  case FieldKind::LoopMask:
  case FieldKind::Number:
  case FieldKind::Flag:
    break;
  }
  return std::to_string(code);
}

unsigned codesOf(const Field &field) {
  return field.kind == FieldKind::Module ? ModuleCount : field.kind == FieldKind::Flag ? 2 : 1u << field.bits;
}

/// What a field can be asked to have been, beside nothing.
void addFormsOf(Forms &forms, const char *instruction, std::optional<Module> own, const Field &field) {
  const std::string place = placeOf(instruction, field);
  switch (field.kind) {
  case FieldKind::Number:
    forms.insert(place + (field.minimum == 1 ? ">1" : ">0"));
    if (field.isSigned)
      forms.insert(place + "<0");
    return;
  case FieldKind::ModuleMask:
  case FieldKind::LoopMask:
    for (unsigned bit = 0; bit < field.bits; ++bit)
      if (field.kind == FieldKind::LoopMask || own != static_cast<Module>(bit))
        forms.insert(place + "=" + nameOf(field.kind, bit));
    return;
  case FieldKind::Flag:
  case FieldKind::Module:
  case FieldKind::Scope:
  case FieldKind::VectorOp:
  case FieldKind::Rounding:
    for (unsigned code = 0; code < codesOf(field); ++code)
      if (!field.allowed || field.allowed >> code & 1)
        forms.insert(place + "=" + nameOf(field.kind, code));
  }
}

std::string vectorForm(unsigned op, const char *way, unsigned a, unsigned b, unsigned dst) {
  std::string form = std::string("vector ") + isa::name(static_cast<VectorOp>(op)) + " " + way;
  for (unsigned scope : {a, b, dst})
    form += std::string(" ") + isa::name(static_cast<Scope>(scope));
  return form;
}

template <class F> void forEachBit(uint32_t mask, F f) {
  for (; mask; mask &= mask - 1)
    f(static_cast<unsigned>(__builtin_ctz(mask)));
}

void addVectorForms(Forms &forms) {
  for (const VectorForm &form : VectorForms)
    forEachBit(form.ops, [&](unsigned op) {
      forEachBit(form.a, [&](unsigned a) {
        forEachBit(form.b, [&](unsigned b) {
          forEachBit(form.dst, [&](unsigned dst) {
            if (form.plain)
              forms.insert(vectorForm(op, "plain", a, b, dst));
            for (const char *way : {"reducing", "accumulating"})
              if (form.reducing)
                forms.insert(vectorForm(op, way, a, b, dst));
          });
        });
      });
    });
}

/// A stride counts where its loop moves.
template <class I> bool moves(const I &instruction, const Field &field) {
  if constexpr (InstructionInfo<I>::loopCount > 0)
    return field.loop < 0 || instruction.loops[static_cast<unsigned>(field.loop)].count > 1;
  return true;
}

void addShown(Forms &forms, const char *instruction, const Field &field, int64_t value) {
  const std::string place = placeOf(instruction, field);
  switch (field.kind) {
  case FieldKind::Number:
    if (value > (field.minimum == 1 ? 1 : 0))
      forms.insert(place + (field.minimum == 1 ? ">1" : ">0"));
    if (value < 0)
      forms.insert(place + "<0");
    return;
  case FieldKind::ModuleMask:
  case FieldKind::LoopMask:
    forEachBit(static_cast<uint32_t>(value),
               [&](unsigned bit) { forms.insert(place + "=" + nameOf(field.kind, bit)); });
    return;
  case FieldKind::Flag:
  case FieldKind::Module:
  case FieldKind::Scope:
  case FieldKind::VectorOp:
  case FieldKind::Rounding:
    forms.insert(place + "=" + nameOf(field.kind, static_cast<unsigned>(value)));
  }
}

} // namespace

std::set<std::string> allForms() {
  Forms forms;
  for (unsigned opcode = 0; opcode < 256; ++opcode)
    visitOpcode(opcode, [&](auto instruction) {
      using Info = InstructionInfo<decltype(instruction)>;
      forms.insert(Info::name);
      for (const Field &field : Info::fields)
        addFormsOf(forms, Info::name, Info::module, field);
    });
  addVectorForms(forms);
  for (unsigned cause = 0; cause < FaultCauseCount; ++cause)
    forms.insert(formOf(static_cast<FaultCause>(cause)));
  return forms;
}

std::set<std::string> formsOn(const std::string &engine) {
  Forms forms = allForms();
  if (engine == "functional")
    forms.erase(formOf(FaultCause::MemoryTimeout));
  return forms;
}

std::set<std::string> formsOf(const Instruction &instruction) {
  Forms forms;
  std::visit(
      [&](const auto &fields) {
        using Info = InstructionInfo<std::decay_t<decltype(fields)>>;
        forms.insert(Info::name);
        Info::visit(fields, [&](const Field &field, const auto &value) {
          if (moves(fields, field))
            addShown(forms, Info::name, field, static_cast<int64_t>(value));
        });
      },
      instruction);
  if (const Vector *vector = std::get_if<Vector>(&instruction)) {
    const auto code = [](Scope scope) { return static_cast<unsigned>(scope); };
    const char *way = vector->accumulate ? "accumulating" : vector->reduction ? "reducing" : "plain";
    forms.insert(vectorForm(static_cast<unsigned>(vector->op), way, code(vector->aScope),
                            code(vector->bScope), code(vector->dstScope)));
  }
  return forms;
}

std::string formOf(FaultCause cause) {
  return std::string("fault ") + isa::name(cause);
}

FormLog &FormLog::instance() {
  static FormLog log;
  return log;
}

void FormLog::record(const std::string &engine, const std::vector<Instruction> &instructions) {
  for (const Instruction &instruction : instructions)
    for (const std::string &form : formsOf(instruction))
      seen[engine].insert(form);
}

void FormLog::record(const std::string &engine, FaultCause cause) {
  seen[engine].insert(formOf(cause));
}

std::vector<std::string> FormLog::missingOn(const std::string &engine) const {
  const auto found = seen.find(engine);
  std::vector<std::string> missing;
  for (const std::string &form : formsOn(engine))
    if (found == seen.end() || !found->second.count(form))
      missing.push_back(form);
  return missing;
}

} // namespace daedalus::testing
