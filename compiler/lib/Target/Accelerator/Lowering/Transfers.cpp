// See Transfers.h. Fields (isa.yaml, `load`): the inner loop runs over columns, the middle one over rows,
// since the hardware checks x by bytes and counts y by iterations. y here is therefore the index of the row
// in the region, which also serves steps other than one. An offset cannot be negative; the memory plan leaves
// room for the padding before the first tensor, where runs may begin and nothing is read.

#include "Lowering/Transfers.h"

#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {
namespace {

/// A part of an iteration range: [begin, begin + count).
struct Part {
  int64_t begin, count;
};

constexpr int64_t MaxRun = 65535, MaxExtent = 65535, MinOrigin = -32768;

/// Rows [first, last) of the region that lie in the image.
std::pair<int64_t, int64_t> rowsInside(const Image &image, const Region &r) {
  int64_t first = r.y >= 0 ? 0 : llvm::divideCeil(-r.y, r.rowStep);
  int64_t last = r.y >= image.h ? 0 : llvm::divideCeil(image.h - r.y, r.rowStep);
  return {std::min(first, r.rows), std::max(std::min(last, r.rows), std::min(first, r.rows))};
}

/// Decides origin and extent along x; false where they do not fit their fields.
bool planColumns(const Image &image, const Region &r, int64_t left, Transfer &load) {
  int64_t step = r.colStep * image.column, width = image.w * image.column;
  int64_t end = left + (r.cols - 1) * step + r.lanes;
  if (end <= 0 || left >= width) {
    load.extentX = 0;
    return true;
  }
  load.originX = std::min<int64_t>(left, 0);
  int64_t extent = left < 0 ? width : width - left, reach = left < 0 ? end : end - left;
  if (extent > MaxExtent && reach > MaxExtent)
    return false;
  load.extentX = std::min(extent, MaxExtent);
  return load.originX >= MinOrigin;
}

bool planLoad(const Image &image, const Region &r, const Placement &p, Transfer &load) {
  const int64_t left = r.x * image.column + (image.channel == 1 ? r.c : 0), step = r.colStep * image.column;
  const int64_t width = image.w * image.column, row = r.rowStep * image.row;
  auto [first, last] = rowsInside(image, r);
  const bool boundX = r.clips && (left < 0 || left + (r.cols - 1) * step + r.lanes > width);
  const bool boundY = r.clips && (first > 0 || last < r.rows);
  const bool joinCols = (r.cols == 1 || (p.col == r.lanes && step == r.lanes)) && r.cols * r.lanes <= MaxRun;
  const bool joinRows = joinCols && !boundX && !boundY && row == r.cols * r.lanes &&
                        p.row == r.cols * r.lanes && r.rows * r.cols * r.lanes <= MaxRun;
  load.extentY = MaxExtent, load.extentX = MaxExtent;
  if (r.clips && !planColumns(image, r, left, load))
    return false;
  if (!r.clips || (first < last && load.extentX > 0))
    load.offset = image.offset(r.batch, r.y, r.x, r.c);
  load.originY = -first;
  load.extentY = last - first;
  load.place = p.first;
  load.bounded = boundX || boundY;
  load.tailFill = r.tailFill;
  load.fill = load.bounded || r.tailFill ? r.fill : 0;
  load.run = joinRows ? r.rows * r.cols * r.lanes : joinCols ? r.cols * r.lanes : r.lanes;
  const int64_t rows = joinRows ? 1 : r.rows, cols = joinCols ? 1 : r.cols;
  if (rows > 1 || load.bounded)
    load.loops.push_back({rows, row, p.row});
  if (cols > 1 || !load.loops.empty())
    load.loops.push_back({cols, step, p.col});
  return load.originY >= MinOrigin;
}

/// Bytes one by one. The loop over channels is the outermost: the hardware checks y by the middle one and x
/// by the inner one.
bool planScattered(const Image &image, const Region &r, const Placement &p, Transfer &load) {
  Region one = r;
  one.lanes = 1;
  const bool fits = planLoad(image, one, p, load);
  load.loops = {{r.lanes, image.channel, 1},
                {r.rows, r.rowStep * image.row, p.row},
                {r.cols, r.colStep * image.column, p.col}};
  return fits;
}

/// Nothing is read.
Transfer planFill(const Region &r, const Placement &p) {
  Transfer load;
  load.run = r.lanes, load.place = p.first;
  load.loops = {{r.rows, 0, p.row}, {r.cols, 0, p.col}};
  load.bounded = true;
  load.extentY = 0, load.extentX = MaxExtent;
  load.fill = r.fill;
  return load;
}

/// Columns to the rows of tiles, N bytes of a column to each: a run a row, for whole tiles and for what is
/// left of columns and of bytes; rows of the last tile behind the last column are zeros.
void planTiles(const Image &image, const Region &r, const Placement &p,
               llvm::SmallVectorImpl<Transfer> &loads) {
  const int64_t n = p.col, first = image.offset(r.batch, r.y, r.x, r.c);
  const auto add = [&](Part columns, Part blocks, int64_t run) {
    if (!columns.count || !blocks.count)
      return;
    Transfer load;
    load.run = run;
    load.offset = first + columns.begin * image.column + blocks.begin * n;
    load.place = p.first + columns.begin / n * p.row + blocks.begin * n * n;
    load.tailFill = run < n;
    const int64_t whole = llvm::divideCeil(columns.count, n);
    load.loops = {{whole, n * image.column, p.row},
                  {std::min(columns.count, n), image.column, n},
                  {blocks.count, n, n * n}};
    loads.push_back(std::move(load));
  };
  const int64_t columns = r.cols / n * n, blocks = r.lanes / n;
  for (const Part &some : {Part{0, columns}, Part{columns, r.cols - columns}}) {
    add(some, {0, blocks}, n);
    add(some, {blocks, r.lanes % n != 0}, r.lanes % n);
  }
  if (r.cols == columns)
    return;
  Region behind = r;
  behind.rows = llvm::divideCeil(r.lanes, n), behind.cols = n - r.cols % n, behind.lanes = n;
  loads.push_back(planFill(behind, {p.first + columns / n * p.row + r.cols % n * n, n * n, n}));
}

/// Two LOADs for what one cannot say: the left and the right columns, or of a folded run those pixels.
void planHalves(const Image &image, const Region &r, const Placement &p,
                llvm::SmallVectorImpl<Transfer> &loads) {
  Region left = r, right = r;
  Placement place = p;
  if (r.cols > 1) {
    left.cols = r.cols / 2;
    right.cols -= left.cols;
    right.x += left.cols * r.colStep;
    place.first += left.cols * p.col;
  } else {
    int64_t pixels = llvm::divideCeil(r.lanes, image.column) / 2;
    left.lanes = pixels * image.column;
    left.tailFill = false;
    right.lanes -= left.lanes;
    right.x += pixels;
    place.first += left.lanes;
  }
  planLoads(image, left, p, loads);
  planLoads(image, right, place, loads);
}

mlir::ArrayAttr loopsOf(const Site &s, const Transfer &transfer) {
  llvm::SmallVector<mlir::Attribute> loops;
  for (const Transfer::Loop &loop : transfer.loops)
    loops.push_back(dae::LoopAttr::get(s.b.getContext(), false, loop.count, {loop.dram, loop.place}));
  return s.b.getArrayAttr(loops);
}

} // namespace

int64_t Transfer::runs() const {
  int64_t count = 1;
  for (const Loop &loop : loops)
    count *= loop.count;
  return count;
}

void planLoads(const Image &image, const Region &r, const Placement &p,
               llvm::SmallVectorImpl<Transfer> &loads) {
  if (r.isFill)
    return loads.push_back(planFill(r, p));
  if (r.isTiles)
    return planTiles(image, r, p, loads);
  Transfer load;
  const bool isScattered = image.channel != 1;
  const bool fits = isScattered ? planScattered(image, r, p, load) : planLoad(image, r, p, load);
  if (!fits && (r.cols > 1 || (!isScattered && r.lanes > image.column)))
    return planHalves(image, r, p, loads);
  loads.push_back(std::move(load));
}

void planLoads(int64_t offset, int64_t bytes, int64_t n, llvm::SmallVectorImpl<Transfer> &loads) {
  const int64_t run = MaxRun / (n * n) * (n * n), whole = bytes / run, rest = bytes % run;
  auto add = [&](int64_t length, int64_t at) -> Transfer & {
    loads.emplace_back();
    loads.back().run = length;
    loads.back().offset = offset + at;
    loads.back().place = at;
    return loads.back();
  };
  if (whole && whole > 1)
    add(run, 0).loops.push_back({whole, run, run});
  else if (whole)
    add(run, 0);
  if (rest)
    add(rest, whole * run);
}

Transfer planStore(const Image &image, const Region &r, int64_t rowsPerPosition, int64_t n) {
  const int64_t width = image.w * image.column;
  int64_t rows = r.rows, cols = r.cols;
  Transfer store;
  store.run = r.lanes;
  store.offset = image.offset(r.batch, r.y, r.x, r.c);
  if (store.run == image.column && store.run == rowsPerPosition * n && cols * store.run <= MaxRun)
    store.run *= std::exchange(cols, 1);
  if (store.run == width && r.cols * rowsPerPosition * n == store.run && rows * store.run <= MaxRun)
    store.run *= std::exchange(rows, 1);
  if (rows > 1)
    store.loops.push_back({rows, width, r.cols * rowsPerPosition});
  if (cols > 1 || !store.loops.empty())
    store.loops.push_back({cols, image.column, rowsPerPosition});
  return store;
}

void createLoad(const Site &s, mlir::Value tensor, mlir::Value buffer, const Transfer &load) {
  auto op = s.b.create<dae::LoadOp>(s.loc, dae::TokenType::get(s.b.getContext()), tensor, buffer, load.run,
                                    load.offset, load.place, loopsOf(s, load), mlir::DenseI64ArrayAttr(),
                                    mlir::DenseI64ArrayAttr(), load.fill, load.tailFill, mlir::ValueRange(),
                                    s.layer, dae::ModulesAttr(), dae::ModulesAttr());
  if (load.bounded) {
    op.setOriginAttr(s.b.getDenseI64ArrayAttr({load.originY, load.originX}));
    op.setExtentAttr(s.b.getDenseI64ArrayAttr({load.extentY, load.extentX}));
  }
}

void createStore(const Site &s, mlir::Value buffer, mlir::Value tensor, const Transfer &store) {
  s.b.create<dae::StoreOp>(s.loc, dae::TokenType::get(s.b.getContext()), buffer, tensor, store.run,
                           store.offset, store.place, loopsOf(s, store), mlir::ValueRange(), s.layer,
                           dae::ModulesAttr(), dae::ModulesAttr());
}

} // namespace daedalus::accelerator
