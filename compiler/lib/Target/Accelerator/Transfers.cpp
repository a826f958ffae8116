// See Transfers.h. Fields (isa.yaml, `load`): the inner loop runs over columns, the middle one over rows,
// since the hardware checks x by bytes and counts y by iterations. y here is therefore the index of the row
// in the region, which also serves steps other than one. An offset cannot be negative; the memory plan leaves
// room for the padding before the first tensor, where runs may begin and nothing is read.

#include "Transfers.h"

#include "llvm/Support/MathExtras.h"

namespace daedalus::accelerator {
namespace {

constexpr int64_t MaxRun = 65535, MaxExtent = 65535, MinOrigin = -32768;

dae::LoadOp createLoad(const Site &s, mlir::Value tensor, mlir::Value buffer, int64_t run, int64_t offset,
                       int64_t dst, llvm::ArrayRef<mlir::Attribute> loops) {
  auto op =
      s.b.create<dae::LoadOp>(s.loc, dae::TokenType::get(s.b.getContext()), tensor, buffer, run, offset, dst,
                              s.b.getArrayAttr(loops), mlir::DenseI64ArrayAttr(), mlir::DenseI64ArrayAttr(),
                              0, false, mlir::ValueRange(), s.layer, dae::ModulesAttr(), dae::ModulesAttr());
  return op;
}

mlir::Attribute loop(const Site &s, int64_t count, int64_t first, int64_t second) {
  return dae::LoopAttr::get(s.b.getContext(), false, count, {first, second});
}

/// One LOAD in the making.
struct Plan {
  bool joinCols, joinRows, boundX, boundY;
  int64_t offset = 0, originY = 0, originX = 0, extentY = MaxExtent, extentX = MaxExtent;
};

/// Rows [first, last) of the region that lie in the image.
std::pair<int64_t, int64_t> rowsInside(const Image &image, const Region &r) {
  int64_t first = r.y >= 0 ? 0 : llvm::divideCeil(-r.y, r.rowStep);
  int64_t last = r.y >= image.h ? 0 : llvm::divideCeil(image.h - r.y, r.rowStep);
  return {std::min(first, r.rows), std::max(std::min(last, r.rows), std::min(first, r.rows))};
}

/// Decides origin and extent along x; false where they do not fit their fields.
bool planColumns(const Image &image, const Region &r, int64_t left, Plan &plan) {
  int64_t step = r.colStep * image.c, width = image.w * image.c;
  int64_t end = left + (r.cols - 1) * step + r.lanes;
  if (end <= 0 || left >= width) {
    plan.extentX = 0;
    return true;
  }
  plan.originX = std::min<int64_t>(left, 0);
  int64_t extent = left < 0 ? width : width - left, reach = left < 0 ? end : end - left;
  if (extent > MaxExtent && reach > MaxExtent)
    return false;
  plan.extentX = std::min(extent, MaxExtent);
  return plan.originX >= MinOrigin;
}

bool planLoad(const Site &s, const Image &image, const Region &r, const Placement &p, Plan &plan) {
  int64_t left = r.x * image.c + r.c, step = r.colStep * image.c, width = image.w * image.c;
  auto [first, last] = rowsInside(image, r);
  plan.boundX = left < 0 || left + (r.cols - 1) * step + r.lanes > width;
  plan.boundY = first > 0 || last < r.rows;
  plan.joinCols = (r.cols == 1 || (p.col == r.lanes && step == r.lanes)) && r.cols * r.lanes <= MaxRun;
  plan.joinRows = plan.joinCols && !plan.boundX && !plan.boundY && r.rowStep * width == r.cols * r.lanes &&
                  p.row == r.cols * r.lanes && r.rows * r.cols * r.lanes <= MaxRun;
  if (!planColumns(image, r, left, plan))
    return false;
  if (first < last && plan.extentX > 0)
    plan.offset = ((r.batch * image.h + r.y) * image.w + r.x) * image.c + r.c;
  plan.originY = -first;
  plan.extentY = last - first;
  return plan.originY >= MinOrigin;
}

/// Two LOADs for what one cannot say: the left and the right columns, or of a folded run those pixels.
void loadHalves(const Site &s, const Image &image, mlir::Value buffer, const Region &r, const Placement &p) {
  Region left = r, right = r;
  Placement place = p;
  if (r.cols > 1) {
    left.cols = r.cols / 2;
    right.cols -= left.cols;
    right.x += left.cols * r.colStep;
    place.first += left.cols * p.col;
  } else {
    int64_t pixels = llvm::divideCeil(r.lanes, image.c) / 2;
    left.lanes = pixels * image.c;
    left.tailFill = false;
    right.lanes -= left.lanes;
    right.x += pixels;
    place.first += left.lanes;
  }
  loadRegion(s, image, buffer, left, p);
  loadRegion(s, image, buffer, right, place);
}

} // namespace

void loadRegion(const Site &s, const Image &image, mlir::Value buffer, const Region &r, const Placement &p) {
  Plan plan;
  if (!planLoad(s, image, r, p, plan) && (r.cols > 1 || r.lanes > image.c))
    return loadHalves(s, image, buffer, r, p);
  int64_t run = plan.joinRows ? r.rows * r.cols * r.lanes : plan.joinCols ? r.cols * r.lanes : r.lanes;
  int64_t rows = plan.joinRows ? 1 : r.rows, cols = plan.joinCols ? 1 : r.cols;
  bool bounded = plan.boundX || plan.boundY;
  llvm::SmallVector<mlir::Attribute> loops;
  if (rows > 1 || bounded)
    loops.push_back(loop(s, rows, r.rowStep * image.w * image.c, p.row));
  if (cols > 1 || !loops.empty())
    loops.push_back(loop(s, cols, r.colStep * image.c, p.col));
  dae::LoadOp op = createLoad(s, image.tensor, buffer, run, plan.offset, p.first, loops);
  if (bounded) {
    op.setOriginAttr(s.b.getDenseI64ArrayAttr({plan.originY, plan.originX}));
    op.setExtentAttr(s.b.getDenseI64ArrayAttr({plan.extentY, plan.extentX}));
  }
  op.setTailFill(r.tailFill);
  if (bounded || r.tailFill)
    op.setFill(r.fill);
}

void loadContiguous(const Site &s, mlir::Value tensor, mlir::Value buffer, int64_t offset, int64_t bytes) {
  int64_t run = MaxRun / (s.n * s.n) * (s.n * s.n);
  int64_t whole = bytes / run, rest = bytes % run;
  if (whole)
    createLoad(s, tensor, buffer, run, offset, 0,
               whole > 1 ? llvm::ArrayRef<mlir::Attribute>(loop(s, whole, run, run))
                         : llvm::ArrayRef<mlir::Attribute>());
  if (rest)
    createLoad(s, tensor, buffer, rest, offset + whole * run, whole * run, {});
}

void storeRegion(const Site &s, const Image &image, mlir::Value buffer, const Region &r,
                 int64_t rowsPerPosition) {
  int64_t width = image.w * image.c, run = r.lanes, rows = r.rows, cols = r.cols;
  int64_t offset = ((r.batch * image.h + r.y) * image.w + r.x) * image.c + r.c;
  if (run == image.c && run == rowsPerPosition * s.n && cols * run <= MaxRun)
    run *= std::exchange(cols, 1);
  if (run == width && r.cols * rowsPerPosition * s.n == run && rows * run <= MaxRun)
    run *= std::exchange(rows, 1);
  llvm::SmallVector<mlir::Attribute> loops;
  if (rows > 1)
    loops.push_back(loop(s, rows, width, r.cols * rowsPerPosition));
  if (cols > 1 || !loops.empty())
    loops.push_back(loop(s, cols, image.c, rowsPerPosition));
  s.b.create<dae::StoreOp>(s.loc, dae::TokenType::get(s.b.getContext()), buffer, image.tensor, run, offset, 0,
                           s.b.getArrayAttr(loops), mlir::ValueRange(), s.layer, dae::ModulesAttr(),
                           dae::ModulesAttr());
}

} // namespace daedalus::accelerator
