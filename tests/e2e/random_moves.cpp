// Pieces of random programs that move elements. See random_pieces.h.

#include "random_pieces.h"

#include <algorithm>

namespace daedalus::testing {

/// Along the channels, or another dimension; as tensor.concat or in slices of one tensor.
ProgramValue RandomPieces::concatenated(const std::vector<Value> &parts) {
  const size_t rank = parts[0].shape.size(), along = beside(25) ? pick(0, rank - 1) : rank - 1;
  Shape shape = parts[0].shape;
  shape[along] = 0;
  Names operands, types;
  for (const Value &part : parts) {
    shape[along] += part.shape[along];
    operands.push_back(part.name), types.push_back(part.type());
  }
  if (chance(40))
    return define(shape, "i8",
                  "tensor.concat dim(" + std::to_string(along) + ") " + joined(operands) + " : (" +
                      joined(types) + ") -> " + tensorType(shape, "i8"));
  Value whole = empty(shape, "i8");
  Shape offsets(rank, 0);
  for (const Value &part : parts) {
    whole = define(shape, "i8",
                   "tensor.insert_slice " + part.name + " into " + whole.name + numberList(offsets) + " " +
                       numberList(part.shape) + " " + numberList(Shape(rank, 1)) + " : " + part.type() +
                       " into " + whole.type());
    offsets[along] += part.shape[along];
  }
  return whole;
}

/// Rows and columns of an image several times each.
ProgramValue RandomPieces::repeated(const Value &x) {
  const Shape &s = x.shape;
  const int64_t rows = pick(1, 3), columns = pick(1, 3);
  const bool isOdd = beside(20); // all rows behind each other instead of each row behind itself
  const Shape shape =
      isOdd ? Shape{s[0], rows, s[1], s[2], columns, s[3]} : Shape{s[0], s[1], rows, s[2], columns, s[3]};
  const Names out = isOdd ? Names{"n", "i", "y", "x", "j", "c"} : Names{"n", "y", "i", "x", "j", "c"};
  const Value moved = generic({{"n"}, {"y"}, {"i"}, {"x"}, {"j"}, {"c"}}, {{x, {"n", "y", "x", "c"}}},
                              {empty(shape, "i8"), out}, [](const Names &e) { return e[0]; });
  return define({s[0], s[1] * rows, s[2] * columns, s[3]}, "i8",
                "tensor.collapse_shape " + moved.name + " [[0], [1, 2], [3, 4], [5]] : " + moved.type() +
                    " into " + tensorType({s[0], s[1] * rows, s[2] * columns, s[3]}, "i8"));
}

ProgramValue RandomPieces::transposed(const Value &x) {
  Shape order, shape;
  for (size_t d = 0; d < x.shape.size(); ++d)
    order.push_back(d);
  std::shuffle(order.begin(), order.end(), random);
  Names loops, from;
  std::vector<Loop> all;
  for (size_t d = 0; d < order.size(); ++d)
    loops.push_back("d" + std::to_string(d)), all.push_back({loops.back()});
  from.resize(order.size());
  for (size_t d = 0; d < order.size(); ++d) {
    shape.push_back(x.shape[order[d]]);
    from[order[d]] = loops[d];
  }
  const Value e = empty(shape, "i8");
  if (chance(50))
    return define(shape, "i8",
                  "linalg.transpose ins(" + x.name + " : " + x.type() + ") outs(" + e.name + " : " +
                      e.type() + ") permutation = " + numberList(order));
  return generic(all, {{x, from}}, {e, loops}, [&](const Names &values) { return values[0]; });
}

ProgramValue RandomPieces::sliced(const Value &x) {
  Shape offsets, sizes, strides;
  for (int64_t size : x.shape) {
    strides.push_back(chance(20) ? 2 : 1);
    offsets.push_back(chance(50) ? pick(0, size - 1) : 0);
    sizes.push_back(pick(1, (size - 1 - offsets.back()) / strides.back() + 1));
  }
  return extracted(x, offsets, sizes, strides);
}

/// One of the same elements: flat, or with a dimension cut in two or joined with its neighbour.
ProgramValue RandomPieces::inAnotherShape(const Value &x) {
  Shape shape = x.shape;
  const size_t d = pick(0, shape.size() - 1);
  if (chance(30))
    return reshaped(x, {elementsOf(shape)});
  if (chance(50) && d > 0) {
    shape[d - 1] *= shape[d];
    shape.erase(shape.begin() + d);
  } else if (shape.size() < 4) {
    const int64_t part = shape[d] % 2 == 0 ? 2 : 1;
    shape[d] /= part;
    shape.insert(shape.begin() + d + pick(0, 1), part);
  }
  return reshaped(x, shape);
}

ProgramValue RandomPieces::readElsewhere(const Value &x) {
  std::vector<Loop> loops;
  std::map<std::string, int64_t> extents;
  const auto add = [&](int64_t extent) {
    loops.push_back({"d" + std::to_string(loops.size())});
    extents[loops.back().name] = extent;
    return loops.back().name;
  };
  Names of1;
  for (int64_t size : x.shape) {
    const int64_t step = chance(25) ? of<int64_t>({2, 3}) : 1,
                  first = step > 1 || chance(15) ? pick(0, size - 1) : 0,
                  count = (size - 1 - first) / step + 1;
    const std::string loop = add(count), last = std::to_string(first + (count - 1) * step);
    of1.push_back(chance(20) ? loop + " * " + std::to_string(-step) + " + " + last
                  : step == 1 && first == 0
                      ? loop
                      : loop + " * " + std::to_string(step) + " + " + std::to_string(first));
  }
  if (x.shape.size() < 4 && chance(50))
    add(of<int64_t>({2, 3, 17}));
  if (chance(70))
    std::shuffle(loops.begin(), loops.end(), random);
  Names out, of2;
  Shape shape, other;
  for (const Loop &loop : loops) {
    out.push_back(loop.name), shape.push_back(extents[loop.name]);
    if (chance(60))
      of2.push_back(loop.name);
  }
  std::shuffle(of2.begin(), of2.end(), random);
  for (const std::string &loop : of2)
    other.push_back(extents[loop]);
  const bool isPair = chance(60);
  std::vector<Operand> operands{{x, of1}};
  if (isPair)
    operands.push_back({input(other), of2});
  const std::string op = of<std::string>({"addi", "subi", "muli", "maxsi", "minsi"});
  return ended(generic(loops, operands, {empty(shape, "i32"), out}, [&](const Names &e) {
    return arith(op, wide(e[0]), isPair ? wide(e[1]) : scalar(pick(-99, 99), "i32"));
  }));
}

} // namespace daedalus::testing
