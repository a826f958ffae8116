// is_legal() of daedalus_isa_pkg.sv: what isa::illegalReason() says, as one expression an instruction. All
// fields are bit ranges of the word, since yosys knows no local structs in functions.
#include "emit.h"

#include <algorithm>
#include <sstream>

namespace isagen {
namespace {

std::string bitsOf(const Field &field) {
  return "word[" + std::to_string(field.firstBit) + " +: " + std::to_string(field.bits) + "]";
}

const Field &fieldNamed(const Instruction &instruction, const std::string &name) {
  return *std::find_if(instruction.fields.begin(), instruction.fields.end(),
                       [&](const Field &field) { return field.name == name; });
}

/// `bits` holds one of the codes.
std::string oneOf(const std::string &bits, const std::vector<unsigned> &codes) {
  std::vector<std::string> terms;
  for (unsigned code : codes)
    terms.push_back(bits + " == " + std::to_string(code));
  return "(" + join(terms, " || ") + ")";
}

std::vector<unsigned> scopeCodes(const Spec &spec, const std::vector<std::string> &scopes) {
  std::vector<unsigned> codes;
  for (const std::string &name : scopes)
    codes.push_back(spec.findScope(name)->code);
  return codes;
}

/// The bits that no field covers are zero.
void reservedTerms(const Spec &spec, const Instruction &instruction, std::vector<std::string> &terms) {
  std::vector<bool> covered(spec.instructionBytes * 8);
  std::fill_n(covered.begin(), spec.opcodeBits, true);
  for (const Field &field : instruction.fields)
    std::fill_n(covered.begin() + field.firstBit, field.bits, true);
  for (size_t bit = 0; bit < covered.size();) {
    const auto last = std::find(covered.begin() + bit, covered.end(), !covered[bit]);
    const size_t next = last - covered.begin();
    if (!covered[bit])
      terms.push_back("word[" + std::to_string(next - 1) + ":" + std::to_string(bit) + "] == '0");
    bit = next;
  }
}

void fieldTerms(const Spec &spec, const Instruction &instruction, std::vector<std::string> &terms) {
  for (const Field &field : instruction.fields) {
    const Enumeration *enumeration = spec.findEnum(field.kind);
    if (!field.allowed.empty())
      terms.push_back(oneOf(bitsOf(field), scopeCodes(spec, field.allowed)));
    else if (enumeration && enumeration->values.size() < size_t(1) << field.bits)
      terms.push_back(bitsOf(field) + " < " + std::to_string(enumeration->values.size()));
    else if (field.minimum == 1 && !field.isSigned)
      terms.push_back(bitsOf(field) + " != '0");
    if (field.limit)
      terms.push_back(bitsOf(field) + " <= " + std::to_string(*field.limit));
  }
}

/// No token from or to the own module.
void tokenTerms(const Spec &spec, const Instruction &instruction, std::vector<std::string> &terms) {
  if (!instruction.hasTokens())
    return;
  const auto own = std::find_if(spec.modules.begin(), spec.modules.end(),
                                [&](const EnumValue &module) { return module.name == instruction.module; });
  for (const char *mask : {"wait", "signal"}) {
    const std::string bits = bitsOf(fieldNamed(instruction, mask));
    const std::string bit = own != spec.modules.end()
                                ? std::to_string(1u << own->code)
                                : "(4'd1 << " + bitsOf(fieldNamed(instruction, "module")) + ")";
    terms.push_back("(" + bits + " & " + (own != spec.modules.end() ? "4'd" : "") + bit + ") == '0");
  }
}

/// The rows of a diagonal tile are whole rows, and a run has at most one byte a lane.
void diagonalTerms(const Spec &spec, const Instruction &load, std::vector<std::string> &terms) {
  std::vector<std::string> diagonal = {bitsOf(fieldNamed(load, "scope")) +
                                           " == " + std::to_string(spec.findScope("wgt")->code),
                                       "!" + bitsOf(fieldNamed(load, "tail_fill")),
                                       "{16'd0, " + bitsOf(fieldNamed(load, "run_bytes")) + "} <= n"};
  for (const Field &field : load.fields)
    if (field.name == "dst" || field.name == "dst_stride")
      diagonal.push_back("({8'd0, " + bitsOf(field) + "} & (n - 32'd1)) == '0");
  terms.push_back("(!" + bitsOf(fieldNamed(load, "diagonal")) + " || (" + join(diagonal, " && ") + "))");
}

/// Without a window its other fields are zero. With one it has a step, its columns are in no reduction, and
/// the rows of a column lie in different memories.
void windowTerms(const Instruction &gemm, std::vector<std::string> &terms) {
  const std::string window = bitsOf(fieldNamed(gemm, "window")), line = bitsOf(fieldNamed(gemm, "line")),
                    lead = bitsOf(fieldNamed(gemm, "lead")), step = bitsOf(fieldNamed(gemm, "step"));
  const unsigned columns = fieldNamed(gemm, "reduction").firstBit + gemm.loopCount - 1;
  terms.push_back("(" + window + " == '0 ? " + line + " == '0 && " + lead + " == '0 && " + step +
                  " == '0\n         : " + step + " != '0 && !word[" + std::to_string(columns) +
                  "] && {29'd0, " + window + "} <= interleave)");
  terms.push_back("(" + window + " < 2 || word[" + std::to_string(fieldNamed(gemm, "line").firstBit) + "])");
}

void formTerms(const Spec &spec, const Instruction &vector, std::vector<std::string> &terms) {
  const std::string reducing = "(" + bitsOf(fieldNamed(vector, "accumulate")) + " != '0 || " +
                               bitsOf(fieldNamed(vector, "reduction")) + " != '0)";
  std::vector<std::string> forms;
  for (const VectorForm &form : spec.vectorForms) {
    std::vector<unsigned> ops;
    for (const EnumValue &op : spec.findEnum("vector_op")->values)
      if (std::count(form.ops.begin(), form.ops.end(), op.name))
        ops.push_back(op.code);
    std::vector<std::string> parts = {oneOf(bitsOf(fieldNamed(vector, "op")), ops)};
    if (form.reducing != "any")
      parts.push_back((form.reducing == "true" ? "" : "!") + reducing);
    parts.push_back(oneOf(bitsOf(fieldNamed(vector, "a_scope")), scopeCodes(spec, form.a)));
    parts.push_back(oneOf(bitsOf(fieldNamed(vector, "b_scope")), scopeCodes(spec, form.b)));
    parts.push_back(oneOf(bitsOf(fieldNamed(vector, "dst_scope")), scopeCodes(spec, form.dst)));
    forms.push_back("(" + join(parts, " && ") + ")");
  }
  terms.push_back("(" + join(forms, "\n       || ") + ")");
}

/// What an instruction's legality depends on beside its word.
std::string machineKey(const Instruction &instruction) {
  return instruction.name == "load" ? "n" : instruction.name == "gemm" ? "interleave" : "";
}

void emitFunction(std::ostream &out, const Spec &spec, const Instruction &instruction) {
  std::vector<std::string> terms;
  reservedTerms(spec, instruction, terms);
  fieldTerms(spec, instruction, terms);
  tokenTerms(spec, instruction, terms);
  if (instruction.name == "load")
    diagonalTerms(spec, instruction, terms);
  if (instruction.name == "gemm")
    windowTerms(instruction, terms);
  if (instruction.name == "vector")
    formTerms(spec, instruction, terms);
  const std::string key = machineKey(instruction);
  out << "  function automatic logic is_legal_" << instruction.name << "(input logic [511:0] word"
      << (key.empty() ? "" : ", input logic [31:0] " + key) << ");\n    is_legal_" << instruction.name
      << " = " << join(terms, "\n      && ") << ";\n  endfunction\n\n";
}

} // namespace

std::string emitLegality(const Spec &spec) {
  std::ostringstream out;
  for (const Instruction &instruction : spec.instructions)
    emitFunction(out, spec, instruction);
  out << "  // Whether the word is an instruction of a machine with N = n and InpInterleave = interleave: "
         "what is "
         "not is the\n  // fault illegal_encoding.\n"
      << "  function automatic logic is_legal(input logic [511:0] word, input logic [31:0] n,\n"
      << "                                    input logic [31:0] interleave);\n"
      << "    case (word[" << spec.opcodeBits - 1 << ":0])\n";
  for (const Instruction &instruction : spec.instructions) {
    const std::string key = machineKey(instruction);
    out << "      " << spec.opcodeBits << "'d" << instruction.opcode << ": is_legal = is_legal_"
        << instruction.name << "(word" << (key.empty() ? "" : ", " + key) << ");\n";
  }
  out << "      default: is_legal = 1'b0;\n    endcase\n  endfunction\n\n";
  return out.str();
}

} // namespace isagen
