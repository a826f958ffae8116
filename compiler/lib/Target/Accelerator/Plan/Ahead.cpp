// See Ahead.h. Group by group: the model of time says which weights of the next one are worth loading among
// the last pieces before it, where rows of WGT are free by then. Groups and schedules decide all of it, so a
// plan that is given has the order that it had when it was made.

#include "Plan/Ahead.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

namespace daedalus::accelerator {
namespace {

constexpr size_t MostPieces = 3000;        ///< of an open chain in which orders are tried
constexpr size_t Distances[] = {2, 8, 32}; ///< pieces before a group that its loads stand among
constexpr size_t Farthest = 32;
constexpr size_t MostLoads = 64; ///< of a group
constexpr size_t MostVain = 2;   ///< loads, of which twice as many are tried where none helps
constexpr double LeastGain = 64; ///< cycles: less is within the model's error
constexpr double Unlimited = std::numeric_limits<double>::infinity();

bool loadsWeights(const Timing &timing, const Timing::Op &op) {
  constexpr auto wgt = static_cast<uint8_t>(static_cast<unsigned>(dae::Scope::Wgt) - 1);
  return op.kind == Timing::Kind::Load && op.input == Timing::Op::NoInput &&
         timing.buffers[op.dst()].scope == wgt;
}

} // namespace

void Ahead::add(const Group &group, StreamModel::Rank rank) {
  trim();
  begins.push_back({open.pieces.size(), open.calls, false});
  std::vector<Piece> next = trials->orderOf(group);
  for (Piece &piece : next)
    piece.script += open.calls;
  llvm::append_range(scripts, trials->scriptsOf(group));
  open.calls += group.schedules.size();
  const Reach reach = bestReach(next, rank);
  for (Begin &begin : begins)
    begin.isReached |= reach.loads && begin.piece + reach.pieces > open.pieces.size();
  open.pieces = ordered(next, reach);
  if (rank == StreamModel::Rank::End)
    closeUpTo(begins.size());
}

/// More loads as long as that helps, or up to twice as many, for each distance.
Ahead::Reach Ahead::bestReach(llvm::ArrayRef<Piece> next, StreamModel::Rank rank) const {
  Reach best{0, 0};
  if (begins.size() < 2 || open.pieces.size() + next.size() > MostPieces)
    return best;
  double least = costOf(next, best, rank, Unlimited) - LeastGain;
  const size_t most = std::min(weightLoads(next).size(), MostLoads);
  for (size_t pieces : Distances) {
    size_t found = MostVain; ///< the most loads that were better
    for (size_t loads = 1, last = 0; last < most && last <= 2 * found && pieces <= open.pieces.size();
         last = loads, loads += llvm::divideCeil(loads, 3)) {
      const Reach reach{std::min(loads, most), pieces};
      if (const double cost = costOf(next, reach, rank, least); cost < least)
        least = cost, best = reach, found = loads;
    }
  }
  return best;
}

double Ahead::costOf(llvm::ArrayRef<Piece> next, Reach reach, StreamModel::Rank rank, double most) const {
  StreamModel model = before;
  const auto calls = trials->calls().slice(open.first, open.calls);
  return model.run(scripts, calls, ordered(next, reach), rank, most) ? model.cost(rank) : Unlimited;
}

/// The first operations of `next` that load weights: the piece that each is in, and its number.
std::vector<std::pair<size_t, uint32_t>> Ahead::weightLoads(llvm::ArrayRef<Piece> next) const {
  std::vector<std::pair<size_t, uint32_t>> loads;
  for (size_t place = 0; place < next.size() && loads.size() < MostLoads; ++place) {
    const Timing &timing = scripts[next[place].script]->timing();
    for (uint32_t op = next[place].first; op < next[place].end; ++op)
      if (loadsWeights(timing, timing.ops[op]))
        loads.push_back({place, op});
  }
  return loads;
}

/// The open chain with `next` behind it, of which the first loads of weights stand evenly among the last
/// pieces of the chain.
std::vector<Piece> Ahead::ordered(llvm::ArrayRef<Piece> next, Reach reach) const {
  std::vector<std::pair<size_t, uint32_t>> loads = weightLoads(next);
  loads.resize(std::min(loads.size(), reach.loads));
  std::vector<Piece> all;
  size_t taken = 0;
  for (size_t place = 0; place < open.pieces.size(); ++place) {
    for (; taken < loads.size() &&
           open.pieces.size() - reach.pieces + taken * reach.pieces / loads.size() <= place;
         ++taken) {
      const auto [piece, op] = loads[taken];
      all.push_back({next[piece].script, op, op + 1});
    }
    all.push_back(open.pieces[place]);
  }
  for (auto [place, piece] : llvm::enumerate(next)) {
    uint32_t first = piece.first;
    for (auto [of, op] : loads)
      if (of == place) {
        if (first < op)
          all.push_back({piece.script, first, op});
        first = op + 1;
      }
    if (first < piece.end)
      all.push_back({piece.script, first, piece.end});
  }
  return all;
}

/// Closes what no further loads may reach, up to a group before which no load of it or of later ones stands.
void Ahead::trim() {
  for (size_t count = begins.size(); count-- > 1;)
    if (!begins[count].isReached && open.pieces.size() - begins[count].piece >= Farthest)
      return closeUpTo(count);
}

/// The first `count` groups of the open chain.
void Ahead::closeUpTo(size_t count) {
  const bool isAll = count == begins.size();
  const size_t pieces = isAll ? open.pieces.size() : begins[count].piece,
               calls = isAll ? open.calls : begins[count].call;
  Chain chain{open.first, calls, {open.pieces.begin(), open.pieces.begin() + static_cast<ptrdiff_t>(pieces)}};
  fits &= before.run(llvm::ArrayRef(scripts).take_front(calls), trials->calls().slice(open.first, calls),
                     chain.pieces, StreamModel::Rank::End, Unlimited);
  done.push_back(std::move(chain));
  open.pieces.erase(open.pieces.begin(), open.pieces.begin() + static_cast<ptrdiff_t>(pieces));
  scripts.erase(scripts.begin(), scripts.begin() + static_cast<ptrdiff_t>(calls));
  begins.erase(begins.begin(), begins.begin() + static_cast<ptrdiff_t>(count));
  open.first += calls, open.calls -= calls;
  for (Piece &piece : open.pieces)
    piece.script -= calls;
  for (Begin &begin : begins)
    begin.piece -= pieces, begin.call -= calls;
}

} // namespace daedalus::accelerator
