// The assembler: a line into tokens with their columns, tokens into fields by the tables of
// instruction_fields.h. The first problem ends it.
#include "daedalus/isa/assembly.h"
#include "daedalus/isa/instruction_fields.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace daedalus::isa {
namespace {

/// A word (letters, digits, _ . - and whatever else is no space or punctuation) or one of ( ) =.
struct Token {
  std::string text;
  size_t column = 0;

  bool isWord() const { return !text.empty() && text != "(" && text != ")" && text != "="; }
};

std::vector<Token> tokenize(const std::string &line) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < line.size() && line[i] != '#';) {
    if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r' || line[i] == ',') {
      ++i;
      continue;
    }
    const size_t begin = i++;
    const std::string special = "()=";
    if (special.find(line[begin]) == std::string::npos)
      i = std::min(line.find_first_of(" \t\r,()=#", i), line.size());
    tokens.push_back({line.substr(begin, i - begin), begin + 1});
  }
  tokens.push_back({"", line.size() + 1});
  return tokens;
}

/// A problem at a token; everything in this file returns it as an optional, empty when all is well.
struct Problem {
  size_t column;
  std::string message;
};
using Check = std::optional<Problem>;

Problem expected(const Token &token, const std::string &what) {
  return {token.column, "found " + (token.text.empty() ? "the end of the line" : "'" + token.text + "'") +
                            "; expected " + what};
}

bool parseNumber(const std::string &text, int64_t &value) {
  const bool negative = text.size() > 1 && text[0] == '-';
  const bool hex = text.compare(negative, 2, "0x") == 0;
  const char *begin = text.data() + negative + (hex ? 2 : 0), *end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(begin, end, value, hex ? 16 : 10);
  if (problem != std::errc() || stop != end || *begin == '-')
    return false;
  value = negative ? -value : value;
  return true;
}

/// The code of a name in an enumeration of `count` values; -1: there is none.
template <class Enum>
int64_t codeOf(const std::string &text, unsigned count, std::string &names, uint32_t allowed) {
  for (unsigned code = 0; code < count; ++code) {
    if (allowed && !(allowed >> code & 1))
      continue;
    const char *candidate = name(static_cast<Enum>(code));
    if (text == candidate)
      return code;
    names += (names.empty() ? "" : ", ") + std::string(candidate);
  }
  return -1;
}

int64_t codeOf(const Field &field, const std::string &text, std::string &names) {
  switch (field.kind) {
  case FieldKind::Scope:
    return codeOf<Scope>(text, ScopeCount, names, field.allowed);
  case FieldKind::VectorOp:
    return codeOf<VectorOp>(text, VectorOpCount, names, 0);
  case FieldKind::Rounding:
    return codeOf<Rounding>(text, RoundingCount, names, 0);
  case FieldKind::Module:
  case FieldKind::ModuleMask:
    return codeOf<Module>(text, ModuleCount, names, 0);
  case FieldKind::Number:
  case FieldKind::Flag:
  case FieldKind::LoopMask:
    break; // they have no names
  }
  return -1;
}

/// One line, token by token.
class LineParser {
public:
  explicit LineParser(const std::string &line) : tokens(tokenize(line)) {}

  const Token &peek() const { return tokens[at]; }
  bool atEnd() const { return peek().text.empty(); }
  Token take() { return atEnd() ? tokens[at] : tokens[at++]; }
  bool accept(const char *text) { return peek().text == text && (++at, true); }
  Check need(const char *text) {
    return accept(text) ? Check() : expected(peek(), std::string("'") + text + "'");
  }

  Check number(int64_t &value, int64_t least, int64_t most) {
    const Token token = take();
    if (!parseNumber(token.text, value) || value < least || value > most)
      return expected(token, "a number from " + std::to_string(least) + " to " + std::to_string(most));
    return {};
  }

  /// The value of a field whose name was just taken.
  Check value(const Field &field, int64_t &value) {
    if (field.kind == FieldKind::Flag) {
      value = 1;
      return {};
    }
    if (field.kind == FieldKind::ModuleMask || field.kind == FieldKind::LoopMask)
      return set(field, value);
    if (Check problem = need("="))
      return problem;
    if (field.kind == FieldKind::Number)
      return number(value, field.minimum, field.maximum);
    const Token token = take();
    std::string names;
    value = codeOf(field, token.text, names);
    return value < 0 ? expected(token, "one of " + names) : Check();
  }

private:
  /// (load vector) or (0 2).
  Check set(const Field &field, int64_t &mask) {
    if (Check problem = need("("))
      return problem;
    for (mask = 0; !accept(")");) {
      int64_t bit = 0;
      std::string names;
      if (field.kind == FieldKind::LoopMask) {
        if (Check problem = number(bit, 0, field.bits - 1))
          return problem;
      } else {
        const Token token = take();
        bit = codeOf(field, token.text, names);
        if (bit < 0)
          return expected(token, "one of " + names + " or ')'");
      }
      mask |= int64_t(1) << bit;
    }
    return {};
  }

  std::vector<Token> tokens;
  size_t at = 0;
};

/// Fills an instruction from the rest of its line.
template <class I> class FieldParser {
public:
  using Info = InstructionInfo<I>;

  FieldParser(LineParser &line, I &instruction) : line(line), instruction(instruction) {}

  Check parse() {
    while (!line.atEnd()) {
      const Token token = line.take();
      const int loop = loopOf(token);
      Check problem = loop >= 0 ? parseLoop(loop) : parseField(token, -1);
      if (problem)
        return problem;
    }
    return {};
  }

private:
  int loopOf(const Token &token) const {
    for (unsigned loop = 0; loop < Info::loopCount; ++loop)
      if (token.text == "loop" + std::to_string(loop))
        return static_cast<int>(loop);
    return -1;
  }

  Check parseLoop(int loop) {
    if (Check problem = line.need("("))
      return problem;
    while (!line.accept(")"))
      if (Check problem = parseField(line.take(), loop))
        return problem;
    return {};
  }

  Check parseField(const Token &token, int loop) {
    Check problem;
    bool known = false;
    Info::visit(instruction, [&](const Field &field, auto &member) {
      if (known || field.loop != loop)
        return;
      if (token.text != field.name)
        return;
      known = true;
      if (!seen.insert(&field).second) {
        problem = Problem{token.column, "'" + token.text + "' is given twice; expected it once"};
        return;
      }
      int64_t value = 0;
      problem = line.value(field, value);
      member = static_cast<std::decay_t<decltype(member)>>(value);
    });
    return known ? problem : expected(token, fieldNames(loop));
  }

  /// What could have stood in a loop, or outside of loops (-1).
  std::string fieldNames(int loop) const {
    std::string names;
    for (const Field &field : Info::fields)
      if (field.loop == loop)
        names += (names.empty() ? "" : ", ") + std::string(field.name);
    if (names.empty())
      return "the end of the line";
    if (loop >= 0)
      names += " or ')'";
    else if (Info::loopCount)
      names += " or loop0 to loop" + std::to_string(Info::loopCount - 1);
    return "a field of " + std::string(Info::name) + ": " + names;
  }

  LineParser &line;
  I &instruction;
  std::set<const Field *> seen;
};

/// The inverse of the disassembler's quoting: a plain word, or one in quotes with \\xNN.
bool unquote(const std::string &text, std::string &word) {
  const bool quotes = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  word.clear();
  for (size_t i = quotes; i + quotes < text.size(); ++i) {
    unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == '\\') {
      if (text.compare(i, 2, "\\x") != 0 || i + 4 + quotes > text.size())
        return false;
      const auto [stop, problem] = std::from_chars(&text[i + 2], &text[i + 2] + 2, c, 16);
      if (problem != std::errc() || stop != &text[i + 2] + 2)
        return false;
      i += 3;
    }
    word += static_cast<char>(c);
  }
  return true;
}

Check parseMachine(LineParser &line, Program &program) {
  Token name = line.take(), hash = line.take();
  if (name.isWord() && !hash.isWord())
    std::swap(name, hash); // a machine without a name
  const char *end = hash.text.data() + hash.text.size();
  const auto [stop, problem] = std::from_chars(hash.text.data(), end, program.machineHash, 16);
  if (!hash.isWord() || problem != std::errc() || stop != end)
    return expected(hash, "the machine's name and its hash as 16 hexadecimal digits");
  if (!unquote(name.isWord() ? name.text : "", program.machineName))
    return expected(name, "the machine's name, with \\xNN for what is not a letter, a digit or one of _ - .");
  return {};
}

Check parseBase(LineParser &line, Program &program) {
  int64_t index = 0, limit = 0;
  if (Check problem = line.number(index, 0, BaseRegisters - 1))
    return problem;
  if (!line.accept("limit"))
    return expected(line.peek(), "'limit='");
  if (Check problem = line.need("="))
    return problem;
  if (Check problem = line.number(limit, 0, UINT32_MAX))
    return problem;
  program.bases[static_cast<size_t>(index)] = {static_cast<uint32_t>(limit), line.accept("readonly")};
  return {};
}

Check parseInstruction(LineParser &line, const Token &mnemonic, Program &program) {
  std::string names;
  for (unsigned opcode = 0; opcode < OpcodeCount; ++opcode) {
    const char *candidate = name(static_cast<Opcode>(opcode));
    names += std::string(candidate) + ", ";
    if (mnemonic.text != candidate)
      continue;
    Check problem;
    visitOpcode(opcode, [&](auto instruction) {
      problem = FieldParser<decltype(instruction)>(line, instruction).parse();
      program.instructions.push_back(instruction);
    });
    if (problem)
      return problem;
    const std::string reason = illegalReason(program.instructions.back());
    return reason.empty() ? Check() : Problem{mnemonic.column, reason};
  }
  return expected(mnemonic, "an instruction or a directive: " + names + ".machine, .base");
}

Check parseLine(LineParser &line, Program &program) {
  if (line.atEnd())
    return {};
  const Token first = line.take();
  Check problem;
  if (first.text == ".machine")
    problem = parseMachine(line, program);
  else if (first.text == ".base")
    problem = parseBase(line, program);
  else
    return parseInstruction(line, first, program);
  if (!problem && !line.atEnd())
    problem = expected(line.peek(), "the end of the line");
  return problem;
}

} // namespace

Result<Program> assemble(const std::string &text, const std::string &sourceName) {
  Program program;
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    ++number;
    LineParser line(text.substr(begin, end - begin));
    if (Check problem = parseLine(line, program))
      return error(sourceName + ":" + std::to_string(number) + ":" + std::to_string(problem->column) + ": " +
                   problem->message);
    begin = end + 1;
  }
  return program;
}

} // namespace daedalus::isa
