// What tiles load: weights, parameters and inputs, kept in the scratchpads as long as the schedule says.

#include "Lowering/Tiler.h"
#include "Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {

using Kind = TileOp::Kind;

/// The buffer of a key, and whether it is new; unless `hold`, a new one ends the life of the others.
std::pair<BufferId &, bool> Tiler::keep(Kept &kept, const Key &key, bool hold) {
  auto it = kept.find(key);
  if (it != kept.end())
    return {it->second, false};
  if (!hold)
    kept.clear();
  return {kept[key], true};
}

TileOp &Tiler::loadConstants(BufferId dst, Constants constants, int64_t offset, int64_t bytes) {
  TileOp &op = append(Kind::LoadConstants, dst);
  op.constants = constants;
  op.offset = offset, op.bytes = bytes;
  return op;
}

/// Byte of the packed weights at which those of a tile and a step begin; the tile may be one of a ramp.
int64_t Tiler::pieceOf(const WeightPieces &from, const Tile &t, size_t k, int64_t tiles) const {
  const int64_t block = t.oc.begin % schedule.oc;
  return from.at({t.oc.begin - block, k}) + block * tiles * n * n;
}

/// Tiles of a block in a step: a tile for each kernel position and block of lanes, or for each pass of a
/// window that slides.
llvm::SmallVector<int64_t, 6> Tiler::weightShape(const Tile &t, size_t k, int64_t blocks) const {
  const Schedule s = sizes(t, steps[k]);
  if (const std::optional<Slide> slide = slideOf(kernel, s))
    return {blocks, slide->rowPasses, slide->columnPasses, 1, n, n};
  return {blocks, s.kh, s.kw, s.ic, n, n};
}

BufferId Tiler::weights(const Tile &t, size_t k) {
  auto [entry, isNew] = keep(keptWeights, {t.oc.begin, t.oc.count, int64_t(k)}, keepWeights);
  if (isNew) {
    const int64_t tiles = weightTiles(kernel, sizes(t, steps[k]));
    entry = alloc(dae::Scope::Wgt, weightShape(t, k, t.oc.count), 8);
    loadConstants(entry, Constants::Weights, pieceOf(pieces, t, k, tiles), t.oc.count * tiles * n * n);
  }
  return entry;
}

/// Of the second input, whose rows become those of tiles.
BufferId Tiler::inputWeights(const Tile &t, size_t k) {
  const Key image{t.batch, t.oh.begin};
  if (image != weightsImage)
    keptWeights.clear();
  weightsImage = image;
  auto [entry, isNew] = keep(keptWeights, {t.oc.begin, t.oc.count, int64_t(k)}, keepWeights);
  if (!isNew)
    return entry;
  const Range blocks = steps[k].ic;
  entry = alloc(dae::Scope::Wgt, {t.oc.count, 1, 1, blocks.count, n, n}, 8);
  TileOp &op = append(Kind::Load, entry);
  op.operand = 1;
  Region &r = op.region;
  r.batch = t.batch, r.y = t.oh.begin, r.rowStep = r.rows = r.colStep = 1, r.fill = 0, r.tailFill = false;
  r.x = t.oc.begin * n, r.cols = std::min(t.oc.count * n, w.oc - r.x);
  r.c = blocks.begin * n, r.lanes = std::min(blocks.count * n, w.c - r.c);
  r.isTiles = true;
  op.place = {0, blocks.count * n * n, n};
  return entry;
}

/// Ones for a step of data, packed as weights are: one block for all channels.
BufferId Tiler::sumWeights(const Tile &t, size_t k) {
  auto [entry, isNew] = keep(keptSumWeights, {int64_t(k)}, keepWeights);
  if (isNew) {
    const int64_t tiles = weightTiles(kernel, sizes(t, steps[k]));
    const int64_t blocks = std::min(schedule.oc, blocksOf(w.oc, n)); ///< of the first piece
    entry = alloc(dae::Scope::Wgt, weightShape(t, k, 1), 8);
    loadConstants(entry, Constants::SumWeights, pieces.at({0, k}) / blocks, tiles * n * n);
  }
  return entry;
}

/// Those of a tile's channels and a step, which stand side by side.
std::pair<size_t, size_t> Tiler::excessOf(const Tile &t, size_t k) const {
  const Step &step = steps[k];
  const auto isIn = [](int64_t at, const Range &range) {
    return at >= range.begin && at < range.begin + range.count;
  };
  const auto isOf = [&](const WeightTile &tile) {
    return isIn(tile.oc, t.oc) && isIn(tile.kh, step.kh) && isIn(tile.kw, step.kw) && isIn(tile.ic, step.ic);
  };
  const auto first = llvm::find_if(excess, isOf);
  const auto end = std::find_if_not(first, excess.end(), isOf);
  return {first - excess.begin(), end - excess.begin()};
}

/// Of those from `first` to before `end`, which are the tile's and the step's.
BufferId Tiler::excessWeights(const Tile &t, size_t k, size_t first, size_t end) {
  auto [entry, isNew] = keep(keptExcess, {t.oc.begin, t.oc.count, int64_t(k)}, keepWeights);
  if (isNew) {
    const std::optional<Slide> slide = slideOf(kernel, sizes(t, steps[k]));
    const int64_t count = end - first, rows = slide ? slide->rowPasses : 1,
                  columns = slide ? slide->columnPasses : 1;
    entry = alloc(dae::Scope::Wgt, {count, rows, columns, 1, n, n}, 8);
    const int64_t bytes = rows * columns * n * n;
    loadConstants(entry, Constants::Excess, int64_t(first) * bytes, count * bytes);
  }
  return entry;
}

/// A row of INP or a tile of WGT of ones.
BufferId Tiler::ones(dae::Scope scope) {
  const auto [entry, isNew] = keptOnes.try_emplace(scope, NoBuffer);
  if (!isNew)
    return entry->second;
  const bool isTile = scope == dae::Scope::Wgt;
  entry->second = isTile ? alloc(scope, {1, 1, 1, 1, n, n}, 8) : alloc(scope, {1, 1, 1, n}, 8);
  TileOp &op = append(Kind::Load, entry->second);
  op.region = {0, 0, 1, isTile ? n : 1, 0, 1, 1, 0, n, 1, false};
  op.region.isFill = true;
  op.place = {0, n, n};
  return entry->second;
}

/// One row of N weights for each block and kernel position.
BufferId Tiler::laneWeights(const Tile &t, size_t k) {
  auto [entry, isNew] = keep(keptLaneWeights, {t.oc.begin, t.oc.count, int64_t(k)}, false);
  if (isNew) {
    const Step &s = steps[k];
    entry = alloc(dae::Scope::Param, {t.oc.count, s.kh.count, s.kw.count, n}, 8);
    const int64_t positions = s.kh.count * s.kw.count;
    loadConstants(entry, Constants::LaneWeights, pieceOf(lanePieces, t, k, positions) / n,
                  t.oc.count * positions * n);
  }
  return entry;
}

/// Parameters or rows of the tile's channels, or parameters of all; a table.
BufferId Tiler::constantOf(const Tile &t, size_t number, bool fused) {
  const StageConstant &constant = kernel.constants[number];
  const bool forAll = isForAll[number];
  auto [entry, isNew] =
      keep(keptConstants[number], {forAll ? 0 : t.oc.begin, forAll ? 0 : t.oc.count}, keepParameters);
  if (!isNew)
    return entry;
  const int64_t rows = forAll ? 1 : t.oc.count, rowBytes = n * constant.elementBytes();
  entry = constant.isTable() ? alloc(dae::Scope::Lut, {256}, 8)
                             : alloc(dae::Scope::Param, {rows, n}, 8 * constant.elementBytes());
  TileOp &op = loadConstants(entry, Constants::OfStage, forAll ? 0 : t.oc.begin * rowBytes,
                             constant.isTable() ? 256 : rows * rowBytes);
  op.index = number;
  op.fused = fused;
  return entry;
}

/// The tile's channels of an input that has the same ones for all pixels of an image.
BufferId Tiler::row(const Tile &t, size_t operand, bool fused) {
  auto [entry, isNew] = keep(keptRows[operand], {t.batch, t.oc.begin, t.oc.count}, false);
  if (!isNew)
    return entry;
  const int64_t blocks = t.oc.count, lanes = lanesOf(call.inputs[operand], t.oc, w.oc);
  entry = alloc(dae::Scope::Param, {blocks, n}, 8);
  TileOp &op = append(Kind::Load, entry);
  op.fused = fused;
  op.operand = operand;
  op.region = {t.batch, 0, 1, 1, 0, 1, 1, t.oc.begin * n, lanes, 0, lanes % n != 0, false};
  op.place = {0, blocks * n, blocks * n};
  return entry;
}

/// What the window of a step covers.
BufferId Tiler::windowed(const Tile &t, size_t k) {
  if (giver)
    return handedWindow(t, k);
  const Step &step = steps[k];
  const bool sharesInput = !readsOwnChannels(kernel);
  const Key pixel{t.batch, t.oh.begin, t.ow.begin, t.oh.count, t.ow.count};
  if (sharesInput && keepInputs && pixel != inputPixel)
    keptInputs.clear();
  inputPixel = pixel;
  const int64_t channels = sharesInput ? step.ic.begin : t.oc.begin;
  Key key = pixel;
  key[5] = int64_t(k), key[6] = channels;
  auto [entry, isNew] = keep(keptInputs, key, sharesInput && keepInputs);
  if (isNew)
    entry = loadWindow(t, step, channels);
  return entry;
}

BufferId Tiler::loadWindow(const Tile &t, const Step &step, int64_t firstBlock) {
  const Schedule s = sizes(t, step);
  const TileShape shape = inputTile(kernel, s);
  const BufferId buffer = s.slide ? alloc(dae::Scope::Inp, {shape.rows, shape.pitch, n}, 8)
                                  : alloc(dae::Scope::Inp, {shape.rows, shape.cols, shape.blocks, n}, 8);
  Placement place{0, shape.pitch * n, shape.blocks * n};
  Region r;
  r.batch = t.batch;
  r.y = t.oh.begin * w.sh - w.pt + (s.fold == dae::Fold::Window ? 0 : step.kh.begin * w.dh);
  r.x = t.ow.begin * w.sw - w.pl + (s.fold == dae::Fold::None ? step.kw.begin * w.dw : 0);
  r.rowStep = shape.rowStep, r.rows = shape.rows, r.colStep = shape.colStep, r.cols = shape.cols;
  r.c = s.fold == dae::Fold::None ? firstBlock * n : 0;
  r.lanes = s.fold == dae::Fold::None ? lanesOf(call.inputs[0], {firstBlock, shape.blocks}, w.c) : w.kw * w.c;
  r.fill = w.pad;
  r.clips = !kernel.weightsInput;
  fillLanes(buffer, 0, r, place, shape.blocks);
  const int64_t folded = s.fold == dae::Fold::Window ? w.kh : 1;
  for (int64_t kh = 0; kh < folded; ++kh) {
    r.tailFill = kh + 1 == folded && (folded * r.lanes) % n != 0 && !isScattered(0);
    TileOp &op = append(Kind::Load, buffer);
    op.region = r, op.place = place;
    place.first += r.lanes;
    r.y += w.dh;
  }
  return buffer;
}

/// Whether an input's channels are loaded one by one.
bool Tiler::isScattered(size_t operand) const {
  return kernel.layouts[operand] && kernel.layouts[operand]->channel != 1;
}

/// Lanes behind the channels, which single bytes leave as they were.
void Tiler::fillLanes(BufferId buffer, size_t operand, const Region &region, const Placement &place,
                      int64_t blocks) {
  if (!isScattered(operand) || region.lanes % n == 0)
    return;
  TileOp &op = append(Kind::Load, buffer);
  op.operand = operand;
  op.region = region, op.place = place;
  op.region.isFill = true;
  op.region.lanes = blocks * n;
}

/// The tile of an input that is read where the output is written.
BufferId Tiler::pointwise(const Tile &t, size_t operand, bool fused) {
  BufferId &buffer = tileInputs[operand];
  if (buffer != NoBuffer)
    return buffer;
  const int64_t blocks = t.oc.count, lanes = lanesOf(call.inputs[operand], t.oc, w.oc);
  buffer = alloc(dae::Scope::Inp, {t.oh.count, t.ow.count, blocks, n}, 8);
  Region region{t.batch,
                t.oh.begin,
                1,
                t.oh.count,
                t.ow.begin,
                1,
                t.ow.count,
                t.oc.begin * n,
                lanes,
                0,
                lanes % n != 0 && !isScattered(operand)};
  region.clips = !kernel.layouts[operand];
  const Placement place{0, t.ow.count * blocks * n, blocks * n};
  fillLanes(buffer, operand, region, place, blocks);
  TileOp &op = append(Kind::Load, buffer);
  op.fused = fused;
  op.operand = operand;
  op.region = region, op.place = place;
  return buffer;
}

} // namespace daedalus::accelerator
