// Upstream's named operations, loops and calls in random programs. See random_pieces.h.

#include "random_pieces.h"

namespace daedalus::testing {

/// One of those that take a tensor of this rank.
ProgramValue RandomPieces::named(const Value &x) {
  const Shape &s = x.shape;
  const auto made = [&](const std::string &op, const Value &b, const Shape &shape, int64_t start = 0,
                        const std::string &attributes = "") {
    const Value out = filled(shape, "i32", start);
    const Value sums =
        define(shape, "i32",
               "linalg." + op + attributes + " ins(" + x.name + ", " + b.name + " : " + x.type() + ", " +
                   b.type() + ") outs(" + out.name + " : " + out.type() + ") -> " + out.type());
    return ended(shape.empty() ? define({1}, "i32",
                                        "tensor.expand_shape " + sums.name +
                                            " [] output_shape [1] : tensor<i32> into tensor<1xi32>")
                               : sums);
  };
  const auto weights = [&](const Shape &shape) { return beside(30) ? input(shape) : constantBytes(shape); };
  const auto window = [&](size_t dims) {
    return " {dilations = dense<1> : tensor<" + std::to_string(dims) + "xi64>, strides = dense<1> : tensor<" +
           std::to_string(dims) + "xi64>}";
  };
  const int64_t f = of<int64_t>({1, 3, 8, 17});
  if (s.size() == 1)
    return chance(50) ? made("vecmat", weights({s[0], f}), {f}) : made("dot", weights({s[0]}), {});
  if (s.size() == 2)
    switch (pick(0, 4)) {
    case 0:
      return made("matmul", weights({s[1], f}), {s[0], f});
    case 1:
      return made("matmul_transpose_b", weights({f, s[1]}), {s[0], f});
    case 2:
      return made("matmul_transpose_a", weights({s[0], f}), {s[1], f});
    case 3:
      return made("matvec", weights({s[1]}), {s[0]});
    default: {
      const Value e = empty({s[1], s[0]}, "i8"), start = filled({s[0]}, "i8", -128);
      return chance(50) ? define(start.shape, "i8",
                                 "linalg.reduce {arith.maxsi} ins(" + x.name + " : " + x.type() + ") outs(" +
                                     start.name + " : " + start.type() + ") dimensions = [1]")
                        : define(e.shape, "i8",
                                 "linalg.transpose ins(" + x.name + " : " + x.type() + ") outs(" + e.name +
                                     " : " + e.type() + ") permutation = [1, 0]");
    }
    }
  if (s.size() == 3) {
    if (chance(40))
      return made("batch_matmul", weights({s[0], s[2], f}), {s[0], s[1], f});
    const int64_t k = std::min<int64_t>(s[1], pick(1, 3));
    return made("conv_1d_nwc_wcf", weights({k, s[2], f}), {s[0], s[1] - k + 1, f}, 0, window(1));
  }
  const int64_t k = std::min<int64_t>({s[1], s[2], pick(1, 3)});
  const Shape moved{s[0], s[1] - k + 1, s[2] - k + 1, f};
  const bool isSmall = elementsOf(moved) * k * k * s[3] < 60000;
  switch (pick(0, isSmall ? 5 : 2)) {
  case 0:
    return made("pooling_nhwc_max", empty({k, k}, "i8"), {s[0], moved[1], moved[2], s[3]}, -128, window(2));
  case 1:
    return made("pooling_nhwc_sum", empty({k, k}, "i8"), {s[0], moved[1], moved[2], s[3]}, 0, window(2));
  case 2:
    return made("depthwise_conv_2d_nhwc_hwc", weights({k, k, s[3]}), {s[0], moved[1], moved[2], s[3]}, 0,
                window(2));
  case 3:
    return made("conv_2d_nhwc_fhwc", weights({f, k, k, s[3]}), moved, 0, window(2));
  case 4: {
    const int64_t j = std::min<int64_t>({s[2], s[3], 2});
    return made("conv_2d_nchw_fchw", weights({f, s[1], j, j}), {s[0], f, s[2] - j + 1, s[3] - j + 1}, 0,
                window(2));
  }
  default:
    return made("conv_2d_nhwc_hwcf", weights({k, k, s[3], f}), moved, 0, window(2));
  }
}

/// A loop of constant bounds around a sum.
ProgramValue RandomPieces::looped(const Value &x) {
  const Value sums = pointwise({x}, "i32", [&](const Names &e) { return wide(e[0]); });
  const int64_t first = pick(0, 5), iterations = pick(0, 4), step = pick(1, 3);
  const std::string lower = scalar(first, "index"), upper = scalar(first + iterations * step, "index"),
                    by = scalar(step, "index"), e = empty(x.shape, "i32").name;
  const std::string i = fresh(), carried = fresh(), next = fresh(), type = sums.type();
  const Value result =
      define(x.shape, "i32",
             "scf.for " + i + " = " + lower + " to " + upper + " step " + by + " iter_args(" + carried +
                 " = " + sums.name + ") -> (" + type + ") {\n    " + next + " = linalg.add ins(" + carried +
                 ", " + sums.name + " : " + type + ", " + type + ") outs(" + e + " : " + type + ") -> " +
                 type + "\n    scf.yield " + next + " : " + type + "\n  }");
  return ended(result);
}

/// A function of the file, called twice.
ProgramValue RandomPieces::called(const Value &x) {
  const std::string name = "@helper" + std::to_string(names++), type = x.type();
  const std::string before = std::move(text);
  text.clear();
  const Value inside = table({"%x", x.shape, "i8"});
  functions += "func.func private " + name + "(%x: " + type + ") -> " + type + " {\n" + text + "  return " +
               inside.name + " : " + type + "\n}\n";
  text = before;
  const std::string call = "func.call " + name + "(";
  const Value once = define(x.shape, "i8", call + x.name + ") : (" + type + ") -> " + type);
  return define(x.shape, "i8", call + once.name + ") : (" + type + ") -> " + type);
}

} // namespace daedalus::testing
