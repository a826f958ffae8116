// Reductions of random programs. See random_pieces.h.

#include "random_pieces.h"

#include <algorithm>

namespace daedalus::testing {

/// What a reduction reads: a coordinate for each dimension of its input, and how far it goes there.
struct RandomPieces::Reduction {
  std::vector<Loop> loops;
  std::map<std::string, int64_t> extents;
  Names in, out, weights;
  Shape low, needed; ///< of each dimension: positions before it, and in all
  bool pads = true;

  void add(const std::string &name, int64_t extent, bool isReduction) {
    loops.push_back({name, isReduction});
    extents[name] = extent;
    (isReduction ? weights : out).push_back(name);
  }
  Shape extentsOf(const Names &loopNames) const {
    Shape all;
    for (const std::string &name : loopNames)
      all.push_back(extents.at(name));
    return all;
  }
  int64_t points() const {
    int64_t product = 1;
    for (const auto &[name, extent] : extents)
      product *= extent;
    return product;
  }
};

namespace {
constexpr int64_t mostPoints = 30000; // which the interpreter visits one by one
}

/// Batches, then up to two dimensions that a window moves along; all but the channels.
void RandomPieces::makeWindow(Reduction &r, const Shape &shape, int64_t wantedKernel) {
  const size_t rank = shape.size();
  for (size_t d = 0; d + 1 < rank; ++d) {
    const std::string number = std::to_string(d);
    if (d + 3 < rank) {
      r.add("n" + number, shape[d], false);
      r.in.push_back("n" + number), r.low.push_back(0), r.needed.push_back(shape[d]);
      continue;
    }
    const int64_t size = shape[d];
    int64_t kernel = wantedKernel ? wantedKernel
                     : chance(15) ? std::min<int64_t>(size, 8)
                     : chance(50) ? pick(1, 3)
                                  : 1;
    const int64_t dilation = !wantedKernel && chance(20) ? 2 : 1,
                  stride = !wantedKernel && chance(40) ? pick(2, 3) : 1;
    const int64_t low = r.pads && chance(40) ? pick(0, kernel - 1) : 0,
                  high = r.pads && chance(40) ? pick(0, kernel - 1) : 0;
    kernel = std::min(kernel, (size + low + high - 1) / dilation + 1);
    const int64_t reach = (kernel - 1) * dilation + 1, out = (size + low + high - reach) / stride + 1;
    r.add("y" + number, out, false), r.add("i" + number, kernel, true);
    r.in.push_back(kernel == 1 && stride == 1 && out == size
                       ? "y" + number
                       : "y" + number + " * " + std::to_string(stride) + " + i" + number + " * " +
                             std::to_string(dilation));
    r.low.push_back(low), r.needed.push_back((out - 1) * stride + reach);
  }
}

/// The input, padded where the window goes beyond it.
ProgramValue RandomPieces::reducedInput(Reduction &r, const Value &x, int64_t fill) {
  Shape high;
  bool isNeeded = false;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    high.push_back(std::max<int64_t>(0, r.needed[d] - r.low[d] - x.shape[d]));
    isNeeded |= r.low[d] || high[d];
  }
  return isNeeded ? padded(x, r.low, high, fill) : x;
}

/// One thing that a window does not do.
void RandomPieces::change(Reduction &r) {
  const size_t last = r.in.size() - 1, at = pick(0, last);
  const int64_t lanes = r.extents["c"], groups = r.extents["g"];
  const auto become = [&](size_t d, const std::string &coordinate, int64_t needed) {
    r.in[d] = coordinate, r.needed[d] = needed;
  };
  switch (pick(0, 6)) {
  case 0: // further into some dimension
    return become(at, r.in[at] + " + 1", r.needed[at] + 1);
  case 1: // along another loop too
    return last > 0 && r.extents.count("y0")
               ? become(last, r.in[last] + " + y0", r.needed[last] + r.extents["y0"] - 1)
               : void();
  case 2: // channels of groups that overlap
    return become(last, "g + c", groups + lanes - 1);
  case 3: // that alternate
    return become(last, "c * " + std::to_string(groups) + " + g", groups * lanes);
  case 4: // the other way round
    return become(last, "g * " + std::to_string(lanes) + " - c + " + std::to_string(lanes - 1),
                  groups * lanes);
  case 5: // every second one
    return become(last, "g * " + std::to_string(2 * lanes) + " + c * 2", 2 * groups * lanes - 1);
  default: // weights of their own for each position
    r.weights.push_back(r.out.front());
  }
}

ProgramValue RandomPieces::productSums(const Value &x, const Wanted &wanted) {
  Reduction r;
  makeWindow(r, x.shape, wanted.kernel);
  const int64_t channels = x.shape.back();
  int64_t groups = wanted.outputs ? wanted.groups : chance(20) ? pick(2, 16) : 1;
  while (channels % groups)
    --groups;
  int64_t outputs = of<int64_t>({1, 2, 5, 8, 16, 18, 24});
  outputs =
      wanted.outputs
          ? wanted.outputs
          : std::max<int64_t>(1, std::min(outputs, mostPoints / std::max<int64_t>(1, r.points() * channels)));
  r.add("g", groups, false), r.add("f", outputs, false), r.add("c", channels / groups, true);
  r.weights.push_back("g"), r.weights.push_back("f");
  r.in.push_back("g * " + std::to_string(channels / groups) + " + c");
  r.low.push_back(0), r.needed.push_back(channels);
  if (beside(12))
    change(r);
  if (beside(8))
    std::shuffle(r.out.begin(), r.out.end(), random);
  if (chance(40))
    std::shuffle(r.loops.begin(), r.loops.end(), random);
  if (chance(70))
    std::shuffle(r.weights.begin(), r.weights.end(), random);
  const Value data = reducedInput(r, x, chance(70) ? 0 : pick(-128, 127));
  const Value weights = beside(8) ? input(r.extentsOf(r.weights)) : constantBytes(r.extentsOf(r.weights));
  const std::string type = beside(4) ? "i64" : "i32";
  const Value start = filled(r.extentsOf(r.out), type, chance(70) ? 0 : pick(-9, 9));
  const bool shifts = chance(20);
  const int64_t zeroX = shifts ? pick(-9, 9) : 0, zeroW = beside(5) ? pick(-3, 3) : 0;
  const bool firstData = chance(80);
  const Operand of1{data, r.in}, of2{weights, r.weights};
  const Value sums =
      generic(r.loops, {firstData ? of1 : of2, firstData ? of2 : of1}, {start, r.out}, [&](const Names &e) {
        std::string a = cast(beside(3) ? "extui" : "extsi", e[firstData ? 0 : 1], "i8", type);
        std::string b = cast("extsi", e[firstData ? 1 : 0], "i8", type);
        if (zeroX)
          a = arith("subi", a, scalar(zeroX, type), type);
        if (zeroW)
          b = arith("addi", b, scalar(zeroW, type), type);
        const std::string p = arith(beside(3) ? "addi" : "muli", a, b, type);
        const std::string op = beside(3) ? "maxsi" : beside(3) ? "subi" : "addi";
        return chance(50) || op == "subi" ? arith(op, e[2], p, type) : arith(op, p, e[2], type);
      });
  Shape flat = sums.shape;
  flat.pop_back();
  flat.back() *= sums.shape.back();
  Names groupsOfDims;
  for (size_t d = 0; d + 1 < flat.size(); ++d)
    groupsOfDims.push_back("[" + std::to_string(d) + "]");
  groupsOfDims.push_back("[" + std::to_string(flat.size() - 1) + ", " + std::to_string(flat.size()) + "]");
  return define(flat, type,
                "tensor.collapse_shape " + sums.name + " [" + joined(groupsOfDims) + "] : " + sums.type() +
                    " into " + tensorType(flat, type));
}

ProgramValue RandomPieces::poolSums(const Value &x, const std::string &kind) {
  const bool isSum = kind == "addi";
  const int64_t away = kind == "minsi" ? -1 : 1; // from what begins an extreme to its other end
  Reduction r;
  makeWindow(r, x.shape);
  r.add("g", x.shape.back(), false);
  r.in.push_back("g"), r.low.push_back(0), r.needed.push_back(x.shape.back());
  Names window = r.weights;
  if (beside(10))
    std::shuffle(r.out.begin(), r.out.end(), random);
  if (chance(40))
    std::shuffle(r.loops.begin(), r.loops.end(), random);
  const int64_t least = away > 0 ? -128 : 127;
  const Value data = reducedInput(r, x, isSum ? pick(-9, 9) : chance(80) ? least : pick(-128, 127));
  std::vector<Operand> operands{{data, r.in}};
  if (!window.empty()) // its extents come from a tensor that nobody reads
    operands.push_back({empty(r.extentsOf(window), "i8"), window});
  const bool isNarrow = !isSum && chance(30);
  const std::string type = isNarrow ? "i8" : "i32";
  const int64_t first = beside(10) ? pick(-100, 100) : isNarrow || chance(80) ? least : -1000 * away;
  const Value start = filled(r.extentsOf(r.out), type, !isSum ? first : chance(80) ? 0 : pick(-9, 9));
  return generic(r.loops, operands, {start, r.out}, [&](const Names &e) {
    const std::string a = isNarrow ? e[0] : cast(beside(4) ? "extui" : "extsi", e[0], "i8", type);
    const std::string op = beside(4) ? of<std::string>({"addi", "maxsi", "minsi"}) : kind;
    return chance(50) ? arith(op, e.back(), a, type) : arith(op, a, e.back(), type);
  });
}

ProgramValue RandomPieces::pool(const Value &x) {
  const Value sums = poolSums(x, of<std::string>({"addi", "maxsi", "minsi"}));
  return sums.element == "i8" ? sums : ended(sums);
}

ProgramValue RandomPieces::inputProduct(const Value &x) {
  const int64_t channels = x.shape.back(),
                outputs = std::max<int64_t>(
                    1, std::min(of<int64_t>({1, 2, 5, 8, 16, 18, 24}), mostPoints / elementsOf(x.shape)));
  std::vector<Loop> loops;
  Names in, out, with;
  Shape shape, withShape;
  for (size_t d = 0; d + 1 < x.shape.size(); ++d) {
    const std::string name = "y" + std::to_string(d);
    loops.push_back({name}), in.push_back(name), out.push_back(name), shape.push_back(x.shape[d]);
    if (d + 2 < x.shape.size() && chance(70))
      with.push_back(name), withShape.push_back(x.shape[d]);
  }
  const size_t at = pick(0, with.size());
  with.insert(with.begin() + at, "f"), withShape.insert(withShape.begin() + at, outputs);
  loops.push_back({"f"}), out.push_back("f"), shape.push_back(outputs);
  loops.push_back({"c", true}), in.push_back("c"), with.push_back("c"), withShape.push_back(channels);
  const int64_t zeroX = chance(50) ? pick(-128, 127) : 0, zeroW = chance(50) ? pick(-128, 127) : 0;
  const Value other = input(withShape), start = filled(shape, "i32", chance(70) ? 0 : pick(-9, 9));
  return requantized(generic(loops, {{x, in}, {other, with}}, {start, out}, [&](const Names &e) {
    const std::string a = arith("subi", wide(e[0]), scalar(zeroX, "i32")),
                      b = arith("subi", wide(e[1]), scalar(zeroW, "i32"));
    return arith("addi", e[2], arith("muli", a, b));
  }));
}

ProgramValue RandomPieces::depthwise(const Value &x) {
  const int64_t channels = x.shape[3];
  const Value data = padded(x, {0, 1, 1, 0}, {0, 1, 1, 0}, 0), weights = constantBytes({channels, 3, 3});
  const Value start = filled(x.shape, "i32", 0);
  const Value sums = generic(
      {{"n"}, {"y"}, {"x"}, {"g"}, {"i", true}, {"j", true}},
      {{data, {"n", "y + i", "x + j", "g"}}, {weights, {"g", "i", "j"}}}, {start, {"n", "y", "x", "g"}},
      [&](const Names &e) { return arith("addi", e[2], arith("muli", wide(e[0]), wide(e[1]))); });
  return requantized(sums);
}

} // namespace daedalus::testing
