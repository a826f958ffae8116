// The pass over a program. Each check is one function and adds findings; state that the checks share is
// small: the dependence tracker, clocks, token queues and which bytes were written.
#include "daedalus/isa/verify.h"
#include "daedalus/isa/assembly.h"
#include "daedalus/isa/dependence.h"
#include "daedalus/isa/instruction_fields.h"
#include "daedalus/isa/timing.h"
#include "daedalus/isa/work.h"
#include "daedalus/isa/written_bytes.h"
#include "token_queues.h"
#include "vector_clock.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace daedalus::isa {
namespace {

uint16_t readOnlyBases(const Program &program) {
  uint16_t mask = 0;
  for (unsigned i = 0; i < BaseRegisters; ++i)
    mask |= static_cast<uint16_t>(program.bases[i].readOnly << i);
  return mask;
}

std::string upper(const char *text) {
  std::string result = text;
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return static_cast<char>(toupper(c)); });
  return result;
}

/// "slice 5 of WGT", "row 3 of ACC", "byte 64 from base register 1 on".
std::string placeName(Scope scope, int64_t place, unsigned base) {
  if (scope == Scope::None)
    return "byte " + std::to_string(place) + " of base register " + std::to_string(base);
  const bool rows = scope == Scope::Inp || scope == Scope::Acc || scope == Scope::Out;
  return (rows ? "row " : "slice ") + std::to_string(place) + " of " + upper(name(scope));
}

class Verifier {
public:
  Verifier(const Program &program, const Machine &machine, size_t most)
      : program(program), machine(machine), most(most), tracker(machine, readOnlyBases(program)),
        tokens(machine), written(machine) {}

  Proof run() {
    if (!checkMachine())
      return std::move(proof);
    for (index = 0; index < program.instructions.size() && findings.size() < most; ++index)
      if (!visit(program.instructions[index]))
        break;
    if (findings.size() < most)
      checkEnd();
    findings.resize(std::min(findings.size(), most));
    proof.work = work();
    for (unsigned base = 0; base < BaseRegisters && findings.empty(); ++base)
      proof.effects[base] = tracker.effects(base);
    return std::move(proof);
  }

private:
  void add(const char *cause, const std::string &text, size_t at) {
    findings.push_back({at, cause, at == Finding::WholeProgram ? text : describe(at) + ": " + text});
  }
  void add(const char *cause, const std::string &text) { add(cause, text, index); }

  std::string describe(size_t at) const {
    return "instruction " + std::to_string(at) + " `" + disassemble(program.instructions[at]) + "`";
  }

  bool checkMachine() {
    if (program.machineHash == machine.hash())
      return true;
    char text[160];
    std::snprintf(text, sizeof text, "hash %016" PRIx64 "; this machine, '%s', has %016" PRIx64,
                  program.machineHash, machine.name.c_str(), machine.hash());
    add("machine",
        "the program is for machine '" + program.machineName + "' with the " + text +
            ": compile it for this machine",
        Finding::WholeProgram);
    return false;
  }

  /// False where the rest of the program means nothing.
  bool visit(const Instruction &instruction) {
    if (std::string reason = illegalReason(instruction, machine); !reason.empty()) {
      add("illegal", reason);
      return false;
    }
    if (std::holds_alternative<Finish>(instruction)) {
      finish = index;
      if (index + 1 < program.instructions.size())
        add("after_finish", "nothing may follow finish", index + 1);
      return false;
    }
    if (!checkIterations(instruction))
      return false;
    const Footprint footprint = footprintOf(instruction, machine);
    ownWork += footprint.work;
    const size_t before = findings.size();
    checkScratchpads(footprint);
    checkDram(footprint);
    const bool inside = findings.size() == before;
    if (inside && !checkExact(footprint))
      return false;
    checkWritten(footprint);
    if (const Vector *vector = std::get_if<Vector>(&instruction); vector && inside)
      checkSelf(*vector);
    takeTokens(instruction);
    checkOrder(instruction, footprint);
    giveTokens(instruction);
    return checkWork();
  }

  uint64_t work() const { return ownWork + tracker.work(); }

  bool checkExact(const Footprint &footprint) {
    if (footprint.exact)
      return true;
    add("too_costly", "its loops touch more separate ranges than a proof tells apart: make several "
                      "instructions of it, or loops whose strides do not interleave");
    return false;
  }

  bool checkWork() {
    const uint64_t allowed = mostWork(program.instructions.size(), machine);
    return checkLimit(work(), allowed, " units of work") &&
           checkLimit(tracker.rangesKept(), mostRanges(program.instructions.size()),
                      " separate ranges of DRAM kept");
  }

  bool checkLimit(uint64_t found, uint64_t allowed, const char *unit) {
    if (found <= allowed)
      return true;
    add("too_costly", "up to here the proof takes " + std::to_string(found) + unit + "; expected at most " +
                          std::to_string(allowed) + " for " + std::to_string(program.instructions.size()) +
                          " instructions: use instructions with fewer separate runs");
    return false;
  }

  bool checkIterations(const Instruction &instruction) {
    const uint64_t iterations = std::visit(
        [](const auto &i) -> uint64_t {
          if constexpr (InstructionInfo<std::decay_t<decltype(i)>>::loopCount > 0)
            return iterationsOf(i.loops);
          else
            return 1;
        },
        instruction);
    if (iterations <= UINT32_MAX)
      return true;
    add("iterations", "it has 2^32 iterations or more; expected fewer: split it");
    return false;
  }

  void checkScratchpads(const Footprint &footprint) {
    for (const ScratchAccess &access : footprint.scratch) {
      const int64_t slices = machine.slices(access.scope);
      if (access.bounds.begin >= 0 && access.bounds.end <= slices)
        continue;
      const int64_t bad = access.bounds.begin < 0 ? access.bounds.begin : access.bounds.end - 1;
      add("scratchpad_range", std::string(access.operand) + " reaches " + placeName(access.scope, bad, 0) +
                                  ", which has 0 to " + std::to_string(slices - 1));
      return;
    }
  }

  void checkDram(const Footprint &footprint) {
    if (footprint.dram.empty())
      return;
    const BaseLimit &base = program.bases[footprint.base];
    const std::string name = "base register " + std::to_string(footprint.base);
    if (footprint.dramWrite && base.readOnly)
      add("read_only", "it stores through " + name + ", which is read-only");
    const int64_t begin = footprint.dram.front().begin, end = footprint.dram.back().end;
    if (begin < 0 || end > base.limit)
      add("address_limit", std::string(footprint.dramWrite ? "it writes" : "it reads") + " byte " +
                               std::to_string(begin < 0 ? begin : end - 1) + " of " + name +
                               ", whose limit is " + std::to_string(base.limit));
  }

  void checkWritten(const Footprint &footprint) {
    if (const std::optional<WrittenBytes::Missing> missing = written.missing(footprint)) {
      const Scope scope = missing->access->scope;
      add("unwritten_row", std::string(missing->access->operand) + " reads " +
                               (missing->whole ? "" : "byte " + std::to_string(missing->byte) + " of ") +
                               placeName(scope, missing->slice, 0) + ", which no earlier instruction wrote");
    }
    written.write(footprint);
    for (const ScratchAccess &access : footprint.scratch)
      ownWork += access.bytes.size() * WorkOfPart;
  }

  void checkSelf(const Vector &vector) {
    for (const auto &[scope, operand] : {std::pair{vector.aScope, 'a'}, std::pair{vector.bScope, 'b'}}) {
      const SelfOverwrite found = selfOverwrite(vector, operand);
      ownWork += found.work;
      if (found.row)
        add("self_overwrite", std::string("operand ") + operand + " reads " +
                                  placeName(scope, *found.row, 0) +
                                  ", which an earlier iteration of the same instruction wrote");
      else if (!found.decided)
        add("too_costly", std::string("operand ") + operand + " reads rows of the destination, and it has " +
                              "too many iterations to tell which comes first: split it");
    }
  }

  void takeTokens(const Instruction &instruction) {
    const unsigned self = static_cast<unsigned>(*moduleOf(instruction));
    for (unsigned producer = 0; producer < Modules; ++producer) {
      if (!(waitMask(instruction) >> producer & 1))
        continue;
      if (const TokenQueues::Token *token = tokens.take(producer, self))
        clocks[self].merge(token->clock);
      else
        add("token_never_comes", "it waits for a token from " + upper(name(static_cast<Module>(producer))) +
                                     ", but every token that earlier instructions signal was taken before");
    }
  }

  void giveTokens(const Instruction &instruction) {
    const unsigned self = static_cast<unsigned>(*moduleOf(instruction));
    const VectorClock end = clocks[self].withEnd(self, static_cast<int64_t>(index));
    for (unsigned consumer = 0; consumer < Modules; ++consumer)
      if ((signalMask(instruction) >> consumer & 1) && !tokens.give(self, consumer, {index, end}))
        add("counter_overflow", "its token to " + upper(name(static_cast<Module>(consumer))) + " is number " +
                                    std::to_string(tokens.mostTokens() + 1) +
                                    " under way; expected at most " + std::to_string(tokens.mostTokens()) +
                                    " (" + std::to_string(TokenCounterMax) + " less the queue depth)");
  }

  void checkOrder(const Instruction &instruction, const Footprint &footprint) {
    const Dependences found = tracker.add(instruction, footprint);
    const VectorClock &clock = clocks[static_cast<unsigned>(*moduleOf(instruction))];
    for (unsigned other = 0; other < Modules; ++other) {
      const Conflict &data = found.data[other], &port = found.ports[other];
      if (data.index > clock.known[other])
        add("race", std::string(data.write ? "it writes " : "it reads ") +
                        placeName(data.scope, data.place, footprint.base) + " unordered with " +
                        conflictWith(data));
      else if (port.index > clock.known[other])
        add("bank_port", std::string("it uses the ") + (port.write ? "write" : "read") + " port of bank " +
                             std::to_string(port.place) + " of " + upper(name(port.scope)) +
                             " unordered with " + conflictWith(port));
    }
  }

  std::string conflictWith(const Conflict &conflict) const {
    return describe(static_cast<size_t>(conflict.index)) + ": a token must order them";
  }

  void checkEnd() {
    if (index == program.instructions.size()) // neither stopped at finish nor at something worse
      add("missing_finish", "the program does not end with finish", Finding::WholeProgram);
    else if (finish != index)
      return;
    for (unsigned producer = 0; producer < Modules; ++producer)
      for (unsigned consumer = 0; consumer < Modules; ++consumer)
        if (const TokenQueues::Token *token = tokens.front(producer, consumer))
          add("token_left_over", "nothing takes its token to " + upper(name(static_cast<Module>(consumer))),
              token->producer);
  }

  const Program &program;
  const Machine &machine;
  const size_t most;
  Proof proof;
  std::vector<Finding> &findings = proof.findings;
  uint64_t ownWork = 0;
  size_t index = 0, finish = Finding::WholeProgram;
  DependenceTracker tracker;
  TokenQueues tokens;
  std::array<VectorClock, Modules> clocks; // at the start of the module's latest instruction
  WrittenBytes written;
};

} // namespace

Proof prove(const Program &program, const Machine &machine, size_t most) {
  return Verifier(program, machine, most).run();
}

std::vector<Finding> verify(const Program &program, const Machine &machine, size_t most) {
  return prove(program, machine, most).findings;
}

} // namespace daedalus::isa
