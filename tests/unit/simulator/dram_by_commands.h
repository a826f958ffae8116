// A DRAM that keeps every command and looks for the first cycle in which the next one keeps its distance from
// each of them: slow, and as the standard's tables read. What DramModel is compared with.
#pragma once

#include "daedalus/isa/dram.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace daedalus::testing {

class DramByCommands {
public:
  explicit DramByCommands(const isa::Machine &machine) : m(machine), due(machine.tRefi) {}

  /// The cycle behind the last data of an access that comes in cycle `from`, all in the DRAM's clock.
  uint64_t access(uint64_t access, uint64_t from, bool isWrite) {
    const Target target = targetOf(access);
    const Kind kind = isWrite ? Kind::Write : Kind::Read;
    std::vector<Command> next = commandsFor(target, from, kind);
    while (m.tRefi && next.back().at >= due) {
      refresh();
      next = commandsFor(target, from, kind);
    }
    commands.insert(commands.end(), next.begin(), next.end());
    return next.back().at + (isWrite ? m.cwl : m.cl) + m.burstLength / 2;
  }

private:
  enum class Kind { Open, Close, Read, Write, Refresh };
  struct Target {
    uint64_t group, bank, row;
  };
  struct Command {
    Kind kind;
    uint64_t at;
    Target target;
  };

  Target targetOf(uint64_t access) const {
    const uint64_t columns = m.pageBytes / (m.dataBytes * m.burstLength);
    const uint64_t group = access % m.bankGroups, page = access / m.bankGroups / columns;
    return {group, page % m.banksPerGroup, page / m.banksPerGroup};
  }

  std::optional<uint64_t> openRow(const Target &target) const {
    for (auto command = commands.rbegin(); command != commands.rend(); ++command) {
      if (command->kind == Kind::Refresh)
        return std::nullopt;
      if (sameBank(command->target, target) && command->kind == Kind::Open)
        return command->target.row;
      if (sameBank(command->target, target) && command->kind == Kind::Close)
        return std::nullopt;
    }
    return std::nullopt;
  }

  std::vector<Command> commandsFor(const Target &target, uint64_t from, Kind kind) {
    std::vector<Command> next;
    const auto give = [&](Kind given) {
      uint64_t at = next.empty() ? from : next.back().at + 1;
      while (!isAllowed({given, at, target}, next))
        ++at;
      next.push_back({given, at, target});
    };
    const std::optional<uint64_t> open = openRow(target);
    if (open != target.row) {
      if (open)
        give(Kind::Close);
      give(Kind::Open);
    }
    give(kind);
    return next;
  }

  void refresh() {
    uint64_t at = due;
    for (uint64_t group = 0; group < m.bankGroups; ++group)
      for (uint64_t bank = 0; bank < m.banksPerGroup; ++bank)
        if (const Target target{group, bank, 0}; openRow(target)) {
          uint64_t close = 0;
          while (!isAllowed({Kind::Close, close, target}, {}))
            ++close;
          at = std::max(at, close + m.tRp);
        }
    for (const Command &command : commands)
      if (command.kind == Kind::Refresh)
        at = std::max(at, command.at + m.tRfc);
    commands.push_back({Kind::Refresh, at, {}});
    due += m.tRefi;
  }

  bool isAllowed(const Command &next, const std::vector<Command> &pending) const {
    const auto keeps = [&](const Command &before) {
      return int64_t(next.at) >= int64_t(before.at) + distance(before, next);
    };
    if (!std::all_of(commands.begin(), commands.end(), keeps) ||
        !std::all_of(pending.begin(), pending.end(), keeps))
      return false;
    return next.kind != Kind::Open || opensWithin(next.at) < 4;
  }

  /// Rows opened in the t_faw cycles before `at`.
  unsigned opensWithin(uint64_t at) const {
    unsigned opens = 0;
    for (const Command &command : commands)
      opens += command.kind == Kind::Open && command.at + m.tFaw > at;
    return opens;
  }

  static bool sameBank(const Target &a, const Target &b) { return a.group == b.group && a.bank == b.bank; }

  static constexpr int64_t Any = -(int64_t(1) << 40); ///< no order between two commands

  /// Cycles that a command has to come behind another.
  int64_t distance(const Command &before, const Command &next) const {
    const bool bank = sameBank(before.target, next.target), group = before.target.group == next.target.group;
    const int64_t data = m.burstLength / 2;
    switch (before.kind) {
    case Kind::Refresh:
      return m.tRfc;
    case Kind::Open:
      if (next.kind == Kind::Open)
        return group ? std::max(m.tRrdL, m.tRrdS) : m.tRrdS;
      return !bank ? Any : next.kind == Kind::Close ? m.tRas : m.tRcd;
    case Kind::Close:
      return bank && next.kind == Kind::Open ? m.tRp : Any;
    case Kind::Read:
      if (next.kind == Kind::Read)
        return std::max<int64_t>({m.tCcdS, data, group ? m.tCcdL : 0});
      if (next.kind == Kind::Write)
        return std::max<int64_t>(m.cl + data + 2 - m.cwl, 1);
      return bank && next.kind == Kind::Close ? m.tRtp : Any;
    case Kind::Write:
      if (next.kind == Kind::Write)
        return std::max<int64_t>({m.tCcdS, data, group ? m.tCcdL : 0});
      if (next.kind == Kind::Read)
        return m.cwl + data + std::max(m.tWtrS, group ? m.tWtrL : 0);
      return bank && next.kind == Kind::Close ? m.cwl + data + m.tWr : Any;
    }
    return Any;
  }

  const isa::Machine m;
  std::vector<Command> commands;
  uint64_t due;
};

} // namespace daedalus::testing
