// See dram_model.h. Commands of one access follow from those before it; commands of later accesses may come
// before its data, but columns are read and written in order.
#include "common/dram_model.h"

#include <algorithm>

namespace daedalus::sim {
namespace {

constexpr uint64_t Never = ~uint64_t(0);

/// `cycles` behind a command, if it was ever given.
uint64_t behind(uint64_t command, uint64_t cycles) {
  return command == Never ? 0 : command + cycles;
}

} // namespace

DramModel::DramModel(const isa::Machine &machine)
    : machine(machine), dataCycles(machine.burstLength / 2),
      banks(machine.bankGroups * machine.banksPerGroup), lastOf(machine.bankGroups) {
  reset();
}

void DramModel::reset() {
  const Last none = {Never, Never, Never};
  std::fill(banks.begin(), banks.end(), Bank());
  last = none;
  std::fill(lastOf.begin(), lastOf.end(), none);
  opened.fill(Never);
  due = machine.tRefi ? machine.tRefi : Never;
  done = {};
}

/// Neighbouring accesses lie in different groups, so that a stream moves data in every cycle; then come the
/// columns of the open rows, the banks and the rows.
DramModel::Place DramModel::placeOf(uint64_t access) const {
  const uint64_t columns = machine.pageBytes / isa::accessBytes(machine);
  const unsigned group = access % machine.bankGroups;
  const uint64_t above = access / machine.bankGroups / columns;
  return {unsigned(above % machine.banksPerGroup) * machine.bankGroups + group, group,
          above / machine.banksPerGroup};
}

DramModel::Cycle DramModel::firstOpen(const Place &place, Cycle from) const {
  return std::max({from, behind(last.open, machine.tRrdS), behind(lastOf[place.group].open, machine.tRrdL),
                   behind(opened.front(), machine.tFaw)});
}

DramModel::Cycle DramModel::firstColumn(const Place &place, Cycle from, bool isWrite) const {
  const Last &group = lastOf[place.group];
  const unsigned apart = std::max(machine.tCcdS, dataCycles),
                 apartInGroup = std::max(machine.tCcdL, dataCycles);
  if (isWrite) {
    const int turn = int(machine.cl + dataCycles + 2) - int(machine.cwl);
    return std::max({from, behind(last.write, apart), behind(group.write, apartInGroup),
                     behind(last.read, std::max(turn, 1))});
  }
  const unsigned written = machine.cwl + dataCycles;
  return std::max({from, behind(last.read, apart), behind(group.read, apartInGroup),
                   behind(last.write, written + machine.tWtrS),
                   behind(group.write, written + machine.tWtrL)});
}

DramModel::Plan DramModel::plan(const Place &place, Cycle from, bool isWrite) const {
  const Bank &bank = banks[place.bank];
  if (bank.isOpen && bank.row == place.row)
    return {false, false, 0, firstColumn(place, std::max(from, bank.opened + machine.tRcd), isWrite)};
  const Cycle ready =
      bank.isOpen ? std::max(from, bank.closable) + machine.tRp : std::max(from, bank.openable);
  const Cycle open = firstOpen(place, ready);
  return {true, bank.isOpen, open, firstColumn(place, open + machine.tRcd, isWrite)};
}

void DramModel::commit(const Place &place, const Plan &plan, bool isWrite) {
  Bank &bank = banks[place.bank];
  Last &group = lastOf[place.group];
  RowCounts &rows = isWrite ? done.writes : done.reads;
  if (plan.opens) {
    bank = {true, place.row, plan.open, plan.open + machine.tRas, 0};
    last.open = group.open = plan.open;
    std::rotate(opened.begin(), opened.begin() + 1, opened.end());
    opened.back() = plan.open;
  }
  (isWrite ? last.write : last.read) = (isWrite ? group.write : group.read) = plan.column;
  const Cycle closable =
      isWrite ? plan.column + machine.cwl + dataCycles + machine.tWr : plan.column + machine.tRtp;
  bank.closable = std::max(bank.closable, closable);
  ++(plan.closes ? rows.conflicts : plan.opens ? rows.misses : rows.hits);
}

/// All banks are closed first. A refresh comes late where a row may not be closed yet.
void DramModel::refresh() {
  Cycle first = due;
  for (const Bank &bank : banks)
    first = std::max(first, bank.isOpen ? bank.closable + machine.tRp : bank.openable);
  const Cycle end = first + machine.tRfc;
  for (Bank &bank : banks)
    bank = {false, 0, 0, 0, end};
  due += machine.tRefi;
  done.refreshes.push_back({isa::toMachineCycle(machine, first), isa::toMachineCycle(machine, end)});
}

/// The cycle behind the access's last data. A refresh that is due when it would read or write comes before.
DramModel::Cycle DramModel::access(uint64_t access, Cycle from, bool isWrite) {
  const Place place = placeOf(access);
  Plan planned = plan(place, from, isWrite);
  while (planned.column >= due) {
    refresh();
    planned = plan(place, from, isWrite);
  }
  commit(place, planned, isWrite);
  return planned.column + (isWrite ? machine.cwl : machine.cl) + dataCycles;
}

uint64_t DramModel::latency(uint64_t at, uint64_t ready) const {
  return std::max(ready, at + 1) - at + machine.controllerCycles;
}

/// The accesses of a burst that is asked for in cycle `at`, in order: `seen` is told the first beat with
/// bytes of each and the machine's cycle behind its last data.
template <class Seen>
void DramModel::accessAll(uint64_t at, uint64_t address, uint64_t beats, bool isWrite, Seen seen) {
  const uint64_t size = isa::accessBytes(machine), begin = address / machine.busBytes * machine.busBytes;
  const uint64_t end = begin + beats * machine.busBytes;
  const Cycle from = isa::toDramCycle(machine, at);
  for (uint64_t next = begin; next < end; next = (next / size + 1) * size)
    seen((next - begin) / machine.busBytes, isa::toMachineCycle(machine, access(next / size, from, isWrite)));
}

uint64_t DramModel::read(uint64_t at, uint64_t address, uint64_t beats) {
  uint64_t first = 0; // beat: the latest that some access asks for
  accessAll(at, address, beats, false,
            [&](uint64_t beat, uint64_t there) { first = std::max(first, there > beat ? there - beat : 0); });
  return latency(at, first);
}

uint64_t DramModel::write(uint64_t at, uint64_t address, uint64_t beats) {
  uint64_t ready = 0;
  accessAll(at, address, beats, true, [&](uint64_t, uint64_t there) { ready = there; });
  return latency(at, ready);
}

} // namespace daedalus::sim
