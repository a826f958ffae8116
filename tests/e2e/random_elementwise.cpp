// Elementwise pieces of random programs. See random_pieces.h.

#include "random_pieces.h"

namespace daedalus::testing {

ProgramValue RandomPieces::requantized(const Value &sums) {
  const int64_t channels = sums.shape.back();
  const bool isUniform = chance(30), isSmall = beside(3);
  std::vector<Value> operands{sums};
  const std::pair<int64_t, int64_t> ranges[] = {{-5000, 5000}, {1, 2147483647}, {isSmall ? 1 : 32, 44}};
  Names numbers;
  for (int k = 0; k < 3; ++k) {
    const std::string element = k == 2 ? "i8" : "i32";
    if (isUniform)
      numbers.push_back(scalar(pick(ranges[k].first, ranges[k].second), element));
    else
      operands.push_back(constantList(channels, ranges[k].first, ranges[k].second, element));
  }
  const bool isFull = chance(50);
  const std::string attributes = "{zero_point = " + std::to_string(pick(-128, 127)) +
                                 " : i8, lo = " + std::to_string(isFull ? -128 : pick(-128, -1)) +
                                 " : i8, hi = " + std::to_string(isFull ? 127 : pick(0, 127)) +
                                 " : i8, rounding = #qnn.rounding<" + (chance(70) ? "half_even" : "half_up") +
                                 ">} : (i32, i32, i32, i8) -> i8";
  return pointwise(operands, "i8", [&](const Names &e) {
    const std::string value = sums.element == "i64"  ? cast("trunci", e[0], "i64", "i32")
                              : sums.element == "i8" ? wide(e[0])
                                                     : e[0];
    const auto parameter = [&](size_t k) { return isUniform ? numbers[k] : e[k + 1]; };
    return requant({value, parameter(0), parameter(1), parameter(2)}, attributes);
  });
}

ProgramValue RandomPieces::clamped(const Value &sums) {
  const std::string type = sums.element;
  const int64_t low = chance(60)   ? -128
                      : beside(20) ? pick(-300, -129)
                                   : pick(-128, -1),
                high = chance(60)   ? 127
                       : beside(20) ? pick(128, 300)
                                    : pick(0, 127);
  return pointwise({sums}, "i8", [&](const Names &e) {
    const std::string lo = scalar(low, type), hi = scalar(high, type);
    std::string value = e[0];
    const bool lowFirst = chance(50);
    for (bool isLow : {lowFirst, !lowFirst})
      if (chance(70))
        value = arith(isLow ? "maxsi" : "minsi", value, isLow ? lo : hi, type);
      else if (isLow)
        value = select(chance(50) ? "slt" : "sle", value, lo, lo, value, type);
      else
        value = select(chance(50) ? "sgt" : "sge", value, hi, hi, value, type);
    return cast("trunci", value, type, "i8");
  });
}

ProgramValue RandomPieces::ended(const Value &sums) {
  if (beside(6))
    return pointwise({sums}, "i8", [&](const Names &e) { return cast("trunci", e[0], sums.element, "i8"); });
  if (chance(75))
    return requantized(sums);
  if (chance(30)) { // the sum of a constant row before
    const Value row = constantList(sums.shape.back(), -50, 50, sums.element);
    return clamped(pointwise({sums, row}, sums.element,
                             [&](const Names &e) { return arith("addi", e[0], e[1], sums.element); }));
  }
  return clamped(sums);
}

/// value * factor, or the same as shifts and sums.
std::string RandomPieces::constantTimes(const std::string &value, int64_t factor) {
  if (factor == 8 && chance(50))
    return arith("shli", value, scalar(3, "i32"));
  if (factor == -1 && chance(50))
    return arith("subi", scalar(0, "i32"), value);
  if (factor == 2 && chance(50))
    return arith("addi", value, value);
  return factor == 1 ? value : arith("muli", value, scalar(factor, "i32"));
}

ProgramValue RandomPieces::sumOfTwo(const Value &x, const Value &y) {
  const auto factor = [&] { return chance(50) ? of<int64_t>({1, 2, 8, -1}) : pick(-200, 200); };
  const int64_t a = factor(), b = factor(), c = chance(50) ? 0 : pick(-999, 999);
  const Value sums = pointwise({x, y}, "i32", [&](const Names &e) {
    const std::string p = constantTimes(wide(e[0]), a), q = constantTimes(wide(e[1]), b);
    const std::string sum = chance(50) ? arith("addi", p, q) : arith("addi", q, p);
    return c ? arith("addi", sum, scalar(c, "i32")) : sum;
  });
  return ended(sums);
}

ProgramValue RandomPieces::productOfTwo(const Value &x, const Value &y) {
  const int64_t a = chance(50) ? 0 : pick(-127, 127), b = chance(50) ? 0 : pick(-127, 127);
  const Value sums = pointwise({x, y}, "i32", [&](const Names &e) {
    const std::string p = a ? arith("subi", wide(e[0]), scalar(a, "i32")) : wide(e[0]);
    const std::string q = b ? arith("subi", wide(e[1]), scalar(b, "i32")) : wide(e[1]);
    return arith("muli", p, q);
  });
  return ended(sums);
}

ProgramValue RandomPieces::differenceOfTwo(const Value &x, const Value &y) {
  const bool isScaled = chance(30);
  const Value sums = pointwise({x, y}, "i32", [&](const Names &e) {
    const std::string difference = arith("subi", wide(e[0]), wide(e[1]));
    if (isScaled)
      return arith("muli", difference, difference);
    return chance(50) ? difference : arith("maxsi", difference, arith("subi", wide(e[1]), wide(e[0])));
  });
  return ended(sums);
}

ProgramValue RandomPieces::shiftOfTwo(const Value &x, const Value &y) {
  const std::string op = chance(50) ? "shli" : "shrsi";
  const Value sums = pointwise({x, y}, "i32", [&](const Names &e) {
    const std::string a = chance(80) ? wide(e[0]) : scalar(pick(-99, 99), "i32"), b = wide(e[1]);
    if (chance(15))
      return arith(op, arith("muli", a, b), scalar(pick(1, 9), "i32"));
    const std::string count =
        chance(50) ? arith("andi", b, scalar(of<int64_t>({7, 15, 31}), "i32"))
                   : arith("minsi", arith("maxsi", b, scalar(0, "i32")), scalar(pick(1, 31), "i32"));
    return arith(op, a, count);
  });
  return ended(sums);
}

ProgramValue RandomPieces::wrappedPair(const Value &x, const Value &y) {
  const std::string first = of<std::string>({"addi", "subi", "muli"});
  return pointwise({x, y}, "i8", [&](const Names &e) {
    const std::string a = arith(first, e[0], e[1], "i8");
    return chance(50) ? a : arith(of<std::string>({"maxsi", "minsi", "addi"}), a, e[0], "i8");
  });
}

ProgramValue RandomPieces::wideSums(const Value &x, const Value &y) {
  if (chance(30))
    return productSums(x, {});
  if (chance(30))
    return poolSums(x, "addi");
  const std::string op = of<std::string>({"addi", "subi", "muli"});
  return pointwise({x, y}, "i32", [&](const Names &e) {
    const std::string a = arith(op, wide(e[0]), wide(e[1]));
    return chance(50) ? a : arith("muli", a, scalar(pick(-9, 9), "i32"));
  });
}

/// One more value of the others.
std::string RandomPieces::step(Names &values, const std::string &type) {
  const std::string a = of(values), b = chance(50) ? of(values) : scalar(pick(-300, 300), type);
  switch (pick(0, 9)) {
  case 0:
    return arith(of<std::string>({"shrsi", "shli", "shrui"}), a, scalar(pick(0, 9), type), type);
  case 1:
    return select(of<std::string>({"slt", "sgt", "sle", "sge", "eq", "ne", "ult", "uge"}), a, b, a,
                  chance(50) ? b : of(values), type);
  case 2:
    return arith(of<std::string>({"xori", "andi", "ori"}), a, b, type);
  case 3:
    return arith("muli", a, scalar(pick(-20, 20), type), type);
  case 4:
    return arith("muli", a, of(values), type);
  case 5:
    return arith("divsi", a, scalar(pick(2, 50), type), type);
  case 6:
    return arith(of<std::string>({"maxui", "minui"}), a, b, type);
  default:
    return arith(of<std::string>({"addi", "subi", "maxsi", "minsi"}), a, b, type);
  }
}

ProgramValue RandomPieces::table(const Value &x) {
  return pointwise({x}, "i8", [&](const Names &e) {
    Names values{wide(e[0])};
    for (int64_t k = pick(1, 6); k > 0; --k)
      values.push_back(step(values, "i32"));
    return cast("trunci", values.back(), "i32", "i8");
  });
}

ProgramValue RandomPieces::chain(const std::vector<Value> &values) {
  const std::string type = beside(10) ? "i64" : "i32";
  std::vector<Value> wides;
  for (const Value &value : values)
    wides.push_back(
        pointwise({value}, type, [&](const Names &e) { return cast("extsi", e[0], "i8", type); }));
  for (int64_t k = pick(1, 4); k > 0; --k) {
    const Value a = of(wides), b = of(wides);
    wides.push_back(pointwise({a, b}, type, [&](const Names &e) {
      Names both{e[0], e[1]};
      return step(both, type);
    }));
  }
  return clamped(wides.back());
}

ProgramValue RandomPieces::throughFloat(const Value &x) {
  const std::string type = chance(75) ? "f32" : "f64";
  const auto number = [&](const std::string &value) {
    const std::string name = fresh();
    text += "  " + name + " = arith.constant " + value + " : " + type + "\n";
    return name;
  };
  const Value real = pointwise({x}, type, [&](const Names &e) {
    const std::string factor = number(of<std::string>({"0.25", "-1.5", "0.375"}));
    return arith("mulf", cast("sitofp", e[0], "i8", type), factor, type);
  });
  if (chance(30))
    return real;
  return pointwise({real}, "i8", [&](const Names &e) {
    const std::string moved = arith("addf", e[0], number("3.0"), type);
    const std::string low = arith("maxnumf", moved, number("-128.0"), type);
    return cast("fptosi", arith("minnumf", low, number("127.0"), type), type, "i8");
  });
}

} // namespace daedalus::testing
