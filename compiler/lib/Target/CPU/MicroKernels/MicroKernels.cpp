// Loops around blocks of sums of products (BlockCode.h). From outside: loops that every operand depends on,
// panels, loops over further rows, rows, the reduction. So the weights of a few panels stay in the caches for
// all rows.

#include "MicroKernels.h"
#include "Contraction.h"

#include "AmxCode.h"
#include "BlockCode.h"
#include "Transforms/FlatBuffers.h"
#include "WideBytes.h"

#include "daedalus/Target/CPU/ScheduleOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

constexpr int64_t LeastHeight = 4, LeastQuads = 4; ///< of tiles that are worth their registers' loads
constexpr int64_t MostUnrolled = 4;                ///< iterations of the innermost loop that are written out

bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat());
}

class Emitter {
public:
  Emitter(const Contraction &contraction, const Features &features)
      : c(contraction), features(features), b(c.op), loc(c.op.getLoc()), sizes(c.op.getStaticLoopRanges()) {
    findScalars();
  }

  /// Nothing where the operands do not lie as blocks need them.
  std::optional<BlockNeeds> needs() {
    if (!findSteps() || !findArithmetic())
      return std::nullopt;
    findLoops();
    BlockNeeds needs{{rows < 0 ? 1 : sizes[rows], panelCount},
                     BlockCode::accumulators(arithmetic, features),
                     std::nullopt,
                     std::nullopt,
                     arithmetic == Arithmetic::Dots};
    findTiles(needs);
    for (BlocksOp given : c.op->getParentOfType<func::FuncOp>().getOps<BlocksOp>())
      needs.given =
          needs.within({static_cast<int64_t>(given.getRows()), static_cast<int64_t>(given.getPanels())});
    return needs;
  }

  /// False, and nothing is emitted, where there are no blocks.
  bool run() {
    const std::optional<BlockNeeds> found = needs();
    if (!found)
      return false;
    block = found->best(features);
    isFromZero = takesFill();
    streams.vectors = flatten(b, loc, c.vectors->get());
    streams.scalars = flatten(b, loc, scalars);
    streams.output = flatten(b, loc, c.op.getDpsInits()[0]);
    Value zero = b.create<arith::ConstantIndexOp>(loc, 0);
    over(shared, {zero, zero, zero}, [&](const Place &at) {
      if (found->tiles)
        tilePanels(at, found->tiles->quads);
      else
        panels(at);
    });
    return true;
  }

private:
  /// Where an instruction multiplies bytes, those that were widened are read as they were.
  void findScalars() {
    scalars = c.scalars->get();
    const bool multipliesBytes = features.hasVnni || features.hasAmx;
    if (linalg::GenericOp widening = wideningOf(scalars); widening && multipliesBytes)
      scalars = widening.getInputs()[0];
  }

  bool findSteps() {
    const auto of = [&](OpOperand &operand, Value buffer) {
      return stepsOf(buffer, c.op.getMatchingIndexingMap(&operand));
    };
    OpOperand &output = *c.op.getDpsInitOperand(0);
    const auto v = of(*c.vectors, c.vectors->get()), s = of(*c.scalars, scalars),
               o = of(output, output.get());
    if (!v || !s || !o)
      return false;
    vectorSteps = *v;
    scalarSteps = *s;
    outputSteps = *o;
    return outputSteps[c.inner] == 1;
  }

  /// Which way the products are added, and the loop of DotWidth products if there is one.
  bool findArithmetic() {
    arithmetic = c.isFloat ? Arithmetic::Float : Arithmetic::Widened;
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (!c.isFloat && features.isX86 && c.isReduction(loop) && sizes[loop] == DotWidth &&
          sizes[c.inner] == PanelWidth && vectorSteps[loop] == 1 && scalarSteps[loop] == 1 &&
          vectorSteps[c.inner] == DotWidth && scalarSteps[c.inner] == 0) {
        dot = loop;
        arithmetic = features.hasVnni ? Arithmetic::Dots : Arithmetic::Pairs;
        return true;
      }
    streams.hasScalars = scalarSteps[c.inner] == 0;
    return vectorSteps[c.inner] == 1 && (streams.hasScalars || scalarSteps[c.inner] == 1);
  }

  /// What each loop is: of panels, of rows, of the reduction, shared by all operands, or of further rows.
  void findLoops() {
    const int64_t columns = sizes[c.inner];
    streams.lanes = std::min(columns, PanelWidth);
    panelCount = columns / streams.lanes;
    rest = columns % streams.lanes;
    streams.vectorPanel = PanelWidth * vectorSteps[c.inner];
    streams.scalarPanel = PanelWidth * scalarSteps[c.inner];
    streams.outputPanel = PanelWidth;
    for (unsigned loop = 0; loop < sizes.size(); ++loop) {
      if (loop == c.inner || c.isReduction(loop) || sizes[loop] == 1)
        continue;
      if (columns == PanelWidth && panel < 0 && scalarSteps[loop] == 0)
        panel = loop;
      else if (vectorSteps[loop] == 0 && (rows < 0 || sizes[loop] >= sizes[rows]))
        rows = loop;
    }
    if (panel >= 0) {
      panelCount = sizes[panel];
      streams.vectorPanel = vectorSteps[panel];
      streams.scalarPanel = scalarSteps[panel];
      streams.outputPanel = outputSteps[panel];
    }
    if (rows >= 0) {
      streams.scalarRow = scalarSteps[rows];
      streams.outputRow = outputSteps[rows];
    }
    for (int loop = 0; loop < int(sizes.size()); ++loop) {
      if (loop == int(c.inner) || loop == panel || loop == rows || loop == dot || sizes[loop] == 1)
        continue;
      auto &loops = c.isReduction(loop) ? reductions : vectorSteps[loop] ? shared : others;
      loops.push_back(loop);
    }
  }

  /// Whether products are added in tile registers: DotWidth of them side by side, of enough rows, and enough
  /// steps of the reduction that lie behind each other in both operands.
  void findTiles(BlockNeeds &needs) {
    if (!features.hasAmx || dot < 0 || rows < 0 || streams.scalarRow <= 0 || streams.outputRow <= 0)
      return;
    SmallVector<unsigned> left = reductions;
    int64_t count = 1;
    const auto isNext = [&](unsigned loop) {
      return scalarSteps[loop] == count * DotWidth && vectorSteps[loop] == count * PanelWidth * DotWidth;
    };
    for (auto next = llvm::find_if(left, isNext); next != left.end(); next = llvm::find_if(left, isNext)) {
      count *= sizes[*next];
      left.erase(next);
    }
    const TileNeeds tiles{quadsOf(count), !initialFill()};
    const SmallVector<Block> blocks = tileBlocksByTime(needs.most, tiles);
    if (tiles.quads < LeastQuads || TileRows(blocks.front().rows).height < LeastHeight)
      return;
    needs.tiles = tiles;
    tileSteps = count / tiles.quads;
    reductions = left;
  }

  /// The fill with zeros in front of the sums; null if there is none.
  linalg::FillOp initialFill() {
    auto fill = dyn_cast_or_null<linalg::FillOp>(effectBefore(c.op));
    return fill && fill.getDpsInits()[0] == c.op.getDpsInits()[0] && isZero(fill.getInputs()[0])
               ? fill
               : linalg::FillOp();
  }

  /// Whether the sums begin with 0: the fill that stands in front of them is not needed then.
  bool takesFill() {
    linalg::FillOp fill = initialFill();
    if (fill)
      fill.erase();
    return fill != nullptr;
  }

  Value index(int64_t value) { return b.create<arith::ConstantIndexOp>(loc, value); }

  Value moved(Value at, Value by, int64_t step) { return daedalus::cpu::moved(b, loc, at, by, step); }

  Place moved(const Place &at, Value by, int64_t vectorStep, int64_t scalarStep, int64_t outputStep) {
    return {moved(at.vectors, by, vectorStep), moved(at.scalars, by, scalarStep),
            moved(at.output, by, outputStep)};
  }

  Place moved(const Place &at, Value by, unsigned loop) {
    return moved(at, by, vectorSteps[loop], scalarSteps[loop], outputSteps[loop]);
  }

  /// Loops [0, size), the innermost one last.
  void over(ArrayRef<unsigned> loops, const Place &at, llvm::function_ref<void(const Place &)> body) {
    if (loops.empty())
      return body(at);
    count(sizes[loops.front()],
          [&](Value i) { over(loops.drop_front(), moved(at, i, loops.front()), body); });
  }

  void count(int64_t size, llvm::function_ref<void(Value)> body) { emitLoop(b, loc, size, body); }

  /// All panels, some at once; behind them columns that fill none.
  void panels(const Place &at) {
    const auto group = [&](int64_t size, const Place &place) { panelGroup(place, size); };
    parts(panelCount, block.panels, group, [&](Value by) {
      return moved(at, by, streams.vectorPanel, streams.scalarPanel, streams.outputPanel);
    });
    if (rest == 0)
      return;
    const Place last =
        moved(at, index(panelCount), streams.vectorPanel, streams.scalarPanel, streams.outputPanel);
    streams.lanes = rest;
    panelGroup(last, 1);
  }

  /// [0, size) by `step` and what is left, at once or one after the other.
  void parts(int64_t size, int64_t step, llvm::function_ref<void(int64_t, const Place &)> body,
             llvm::function_ref<Place(Value)> place) {
    count(size / step, [&](Value i) { body(step, place(b.create<arith::MulIOp>(loc, i, index(step)))); });
    if (const int64_t left = size % step)
      body(left, place(index(size - left)));
  }

  /// All of [0, size) by `step`; the last ones may have some of those before once more.
  void wholes(int64_t size, int64_t step, llvm::function_ref<void(Value)> body) {
    count(llvm::divideCeil(size, step), [&](Value i) {
      Value first = b.create<arith::MulIOp>(loc, i, index(step));
      if (size % step)
        first = b.create<arith::MinSIOp>(loc, first, index(size - step));
      body(first);
    });
  }

  /// As `panels`, in tile registers. All blocks are of one size: LLVM gives a function the shape of each of
  /// these registers once.
  void tilePanels(const Place &at, int64_t quads) {
    AmxCode code(streams, block, quads, b, loc);
    const auto step = [&](const Place &from, BlockCode::Values sums) {
      return emitLoop(
          b, loc, tileSteps, std::move(sums),
          [&](Value i, BlockCode::Values inside) {
            const int64_t bytes = quads * DotWidth;
            return code.step(moved(from, i, bytes * PanelWidth, bytes, 0), std::move(inside));
          },
          MostUnrolled);
    };
    wholes(panelCount, block.panels, [&](Value panel) {
      const Place first = moved(at, panel, streams.vectorPanel, streams.scalarPanel, streams.outputPanel);
      over(others, first, [&](const Place &place) {
        wholes(sizes[rows], block.rows, [&](Value row) {
          const Place from = moved(place, row, rows);
          code.store(from, reduce(reductions, from, code.begin(from, isFromZero), step));
        });
      });
    });
  }

  void panelGroup(const Place &at, int64_t size) {
    BlockCode code(arithmetic, streams, features, b, loc);
    BlockCode::Values taken;
    if (arithmetic == Arithmetic::Dots)
      taken = reduce(reductions, at, code.zeros({1, size}), [&](const Place &place, BlockCode::Values sums) {
        return code.weightsStep(place, size, std::move(sums));
      });
    over(others, at, [&](const Place &place) {
      const auto emit = [&](int64_t count, const Place &first) {
        const Block part{count, size};
        const auto sums =
            reduce(reductions, first, code.zeros(part), [&](const Place &at, BlockCode::Values sums) {
              return code.step(at, part, std::move(sums));
            });
        code.store(first, part, sums, taken, !isFromZero);
      };
      if (rows < 0)
        return emit(1, place);
      parts(sizes[rows], block.rows, emit, [&](Value by) { return moved(place, by, rows); });
    });
  }

  using Step = llvm::function_ref<BlockCode::Values(const Place &, BlockCode::Values)>;

  /// The sums that come out of the loops of the reduction.
  BlockCode::Values reduce(ArrayRef<unsigned> loops, const Place &at, BlockCode::Values sums, Step step) {
    if (loops.empty())
      return step(at, std::move(sums));
    const unsigned loop = loops.front();
    return emitLoop(
        b, loc, sizes[loop], std::move(sums),
        [&](Value i, BlockCode::Values inside) {
          return reduce(loops.drop_front(), moved(at, i, loop), std::move(inside), step);
        },
        loops.size() == 1 ? MostUnrolled : 1);
  }

  const Contraction &c;
  const Features &features;
  OpBuilder b;
  const Location loc;
  const SmallVector<int64_t> sizes;
  Value scalars; ///< the buffer that is read as such
  SmallVector<int64_t> vectorSteps, scalarSteps, outputSteps;
  Arithmetic arithmetic = Arithmetic::Float;
  BlockStreams streams;
  Block block;
  int panel = -1, rows = -1, dot = -1; ///< loops; -1: none
  int64_t panelCount = 1, rest = 0;
  int64_t tileSteps = 1; ///< of the reduction, in its innermost loop
  SmallVector<unsigned> shared, others, reductions;
  bool isFromZero = false;
};

} // namespace

SmallVector<BlockNeeds> blockNeedsOf(func::FuncOp function, const Features &features) {
  SmallVector<BlockNeeds> all;
  for (linalg::LinalgOp op : linalgOps(function))
    if (const std::optional<Contraction> contraction = Contraction::of(op))
      if (const std::optional<BlockNeeds> needs = Emitter(*contraction, features).needs())
        all.push_back(*needs);
  return all;
}

/// A widening of bytes whose result nobody reads.
static void eraseUnread(linalg::GenericOp widening) {
  if (widening && llvm::hasSingleElement(widening.getDpsInits()[0].getUses()))
    widening.erase();
}

void lowerContractions(func::FuncOp kernel, const Features &features) {
  for (linalg::LinalgOp op : linalgOps(kernel))
    if (const std::optional<Contraction> contraction = Contraction::of(op))
      if (Emitter(*contraction, features).run()) {
        linalg::GenericOp widening = wideningOf(contraction->scalars->get());
        op.erase();
        eraseUnread(widening);
      }
}

} // namespace daedalus::cpu
