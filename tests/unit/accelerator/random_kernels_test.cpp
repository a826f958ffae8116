// Random kernels as text: what the accelerator takes of them is right on the functional engine. Maps have
// strides, dilations, pads, permuted dimensions and loops; expressions are from and beside what the
// accelerator knows. DAEDALUS_RANDOM_KERNELS: how many of each kind (120).

#include "recognition.h"

#include "Kernels/Kernel.h"
#include "text_generator.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace daedalus::testing {
namespace {

/// A kernel in the making: its reduction or its inputs, then its requantization.
class Kernels : public TextGenerator {
public:
  using TextGenerator::TextGenerator;

  /// A sum of products or a pool, through a window of up to two dimensions.
  std::string reduction() {
    const bool isProduct = chance(60);
    const int dims = pick(0, 2); // of the window
    struct Dim {
      int64_t in, out, kernel, stride, dilation, low;
    };
    std::vector<Dim> window;
    for (int d = 0; d < dims; ++d) {
      Dim dim{0, pick(1, 5), pick(1, 3), pick(1, 3), pick(1, 2), chance(40) ? pick(0, 2) : 0};
      dim.in = std::max<int64_t>(1, (dim.out - 1) * dim.stride + (dim.kernel - 1) * dim.dilation + 1 -
                                        dim.low - pick(0, 1));
      window.push_back(dim);
    }
    const int64_t images = chance(20) ? 2 : 1, groups = chance(25) ? of<int64_t>({2, 4, 16}) : 1;
    const int64_t lanes = of<int64_t>({1, 2, 3, 8, 16, 20}),
                  outputs = isProduct ? of<int64_t>({1, 2, 5, 16, 18}) : 1;
    std::vector<std::string> loops{"n", "g", "f", "c"}, outer{"n"}, in{"n"}, weights{"g", "f"};
    std::map<std::string, int64_t> extents{{"n", images},
                                           {"g", isProduct ? groups : lanes},
                                           {"f", outputs},
                                           {"c", isProduct             ? lanes
                                                 : isOdd && chance(20) ? 3
                                                                       : 1}};
    std::vector<int64_t> shape{images}, padded{images}, low{0}, high{0};
    for (int d = 0; d < dims; ++d) {
      const Dim &dim = window[d];
      const std::string o = d ? "x" : "y", k = d ? "j" : "i";
      loops.push_back(o), loops.push_back(k);
      extents[o] = dim.out, extents[k] = dim.kernel;
      in.push_back(o + " * " + std::to_string(dim.stride) + " + " + k + " * " + std::to_string(dim.dilation));
      outer.push_back(o), weights.push_back(k);
      const int64_t needed = (dim.out - 1) * dim.stride + (dim.kernel - 1) * dim.dilation + 1;
      shape.push_back(dim.in), padded.push_back(std::max(dim.in + dim.low, needed));
      low.push_back(dim.low), high.push_back(padded.back() - dim.in - dim.low);
    }
    in.push_back("g * " + std::to_string(extents["c"]) + " + c");
    shape.push_back(extents["g"] * extents["c"]), padded.push_back(shape.back());
    low.push_back(0), high.push_back(0);
    weights.push_back("c");
    std::vector<std::string> out = outer;
    out.push_back("g"), out.push_back("f");
    if (chance(10))
      std::shuffle(out.begin(), out.end(), random);
    std::shuffle(loops.begin(), loops.end(), random);
    std::shuffle(weights.begin(), weights.end(), random);
    const auto extentsOf = [&](const std::vector<std::string> &names) {
      std::vector<int64_t> all;
      for (const std::string &name : names)
        all.push_back(extents[name]);
      return all;
    };
    if (isOdd)
      change(in, shape, padded, weights, extents);
    std::string x = "%x";
    const bool isMax = !isProduct && chance(50);
    if (shape != padded) {
      const std::string fill = scalar(isMax && chance(80) ? -128 : pick(-128, 127), "i8");
      std::string arguments, lows, highs;
      for (size_t d = 0; d < shape.size(); ++d) {
        arguments += (d ? ", %i" : "%i") + std::to_string(d) + ": index";
        lows += (d ? ", " : "") + std::to_string(low[d]), highs += (d ? ", " : "") + std::to_string(high[d]);
      }
      text += "  %p = tensor.pad %x low[" + lows + "] high[" + highs + "] {\n  ^bb0(" + arguments +
              "):\n    tensor.yield " + fill + " : i8\n  } : " + tensorType(shape, "i8") + " to " +
              tensorType(padded, "i8") + "\n";
      x = "%p";
    }
    const std::string accType = tensorType(extentsOf(out), "i32");
    const std::string start = scalar(isMax        ? (chance(80) ? -128 : pick(-200, -100))
                                     : chance(70) ? 0
                                                  : pick(-9, 9),
                                     "i32");
    text += "  %e = tensor.empty() : " + accType + "\n  %f = linalg.fill ins(" + start +
            " : i32) outs(%e : " + accType + ") -> " + accType + "\n";
    std::vector<std::string> kernelLoops; // a pool's extents come from a tensor that nobody reads
    for (const std::string &name : weights)
      if (isProduct || name == "i" || name == "j" || name == "c" || name == "f")
        kernelLoops.push_back(name);
    const std::string second = tensorType(extentsOf(isProduct ? weights : kernelLoops), "i8");
    if (isProduct)
      text += "  %w = arith.constant " + bytes(extentsOf(weights)) + "\n";
    else
      text += "  %w = tensor.empty() : " + second + "\n";
    std::string iterators;
    for (const std::string &name : loops)
      iterators += (iterators.empty() ? "\"" : ", \"") +
                   std::string(llvm::is_contained(out, name) ? "parallel" : "reduction") + "\"";
    std::string body =
        "      %wa = arith." + std::string(chance(95) ? "extsi" : "extui") + " %a : i8 to i32\n";
    std::string value = "%wa";
    if (isProduct) {
      const bool shifts = chance(20);
      const std::string za = scalar(shifts ? pick(-9, 9) : 0, "i32"),
                        zb = scalar(shifts && chance(50) ? pick(-300, 300) : 0, "i32");
      body += "      %wb = arith.extsi %b : i8 to i32\n      %sa = arith.subi %wa, " + za +
              " : i32\n      %sb = arith.addi %wb, " + zb + " : i32\n      %m = arith." +
              (chance(97) ? "muli" : "addi") + " %sa, %sb : i32\n";
      value = "%m";
    }
    body += "      %s = arith." +
            std::string(isMax        ? "maxsi"
                        : chance(97) ? "addi"
                                     : "subi") +
            (chance(50) ? " %o, " + value : " " + value + ", %o") + " : i32\n";
    text += "  %acc = linalg.generic {indexing_maps = [" + affineMap(loops, in) + ", " +
            affineMap(loops, isProduct ? weights : kernelLoops) + ", " + affineMap(loops, out) +
            "], iterator_types = [" + iterators + "]}\n      ins(" + x +
            ", %w : " + tensorType(padded, "i8") + ", " + second + ") outs(%f : " + accType +
            ") {\n    ^bb0(%a: i8, %b: i8, %o: i32):\n" + body + "      linalg.yield %s : i32\n  } -> " +
            accType + "\n";
    std::vector<int64_t> flat = extentsOf(outer);
    flat.push_back(extents["g"] * extents["f"]);
    std::string reassociation = "[";
    for (size_t d = 0; d + 1 < flat.size(); ++d)
      reassociation += "[" + std::to_string(d) + "], ";
    reassociation += "[" + std::to_string(flat.size() - 1) + ", " + std::to_string(flat.size()) + "]]";
    const std::vector<int64_t> made = extentsOf(out);
    std::vector<int64_t> merged(made.begin(), made.end() - 1);
    merged.back() *= made.back();
    text += "  %flat = tensor.collapse_shape %acc " + reassociation + " : " + accType + " into " +
            tensorType(merged, "i32") + "\n";
    const std::string end = ended("%flat", merged, "i32");
    return "func.func private @kernel(%x: " + tensorType(shape, "i8") + ") -> " + tensorType(merged, "i8") +
           " {\n" + text + end;
  }

  /// The same with one thing changed in how its input is read, or what its weights depend on.
  std::string oddReduction() {
    isOdd = true;
    return reduction();
  }

  /// An expression of one or two inputs, requantized, clamped or cut.
  std::string elementwise() {
    std::vector<int64_t> shape;
    for (int64_t d = pick(1, 4); d > 0; --d)
      shape.push_back(of<int64_t>({1, 2, 3, 5, 8, 16, 17}));
    std::vector<std::string> loops;
    for (size_t d = 0; d < shape.size(); ++d)
      loops.push_back("d" + std::to_string(d));
    const bool two = chance(60);
    std::vector<std::string> in = loops;
    std::vector<int64_t> from = shape;
    if (chance(8)) {
      std::reverse(in.begin(), in.end());
      std::reverse(from.begin(), from.end());
    }
    std::string iterators;
    for (size_t d = 0; d < shape.size(); ++d)
      iterators += d ? ", \"parallel\"" : "\"parallel\"";
    std::string body = "      %wa = arith.extsi %a : i8 to i32\n";
    std::vector<std::string> values{"%wa"};
    if (two) {
      body += "      %wb = arith.extsi %b : i8 to i32\n";
      values.push_back("%wb");
    }
    // A polynomial of the second degree, or anything.
    if (two && chance(70)) {
      const bool isProduct = chance(40);
      const std::string p = scalar(pick(-200, 200), "i32"), q = scalar(pick(-200, 200), "i32"),
                        c = scalar(pick(-999, 999), "i32");
      const char *each = isProduct ? "subi" : "muli", *both = isProduct ? "muli" : "addi";
      body += std::string("      %p = arith.") + each + " %wa, " + p + " : i32\n      %q = arith." + each +
              " %wb, " + q + " : i32\n      %r = arith." + both + " %q, %p : i32\n      %t = arith." +
              (chance(50) ? "addi" : "subi") + " %r, " + c + " : i32\n";
      values.push_back("%t");
    } else {
      for (int64_t k = pick(1, 5); k > 0; --k) {
        const std::string name = fresh(), operand = chance(50) ? of(values) : scalar(pick(-300, 300), "i32");
        const std::string op =
            of<std::string>({"addi", "subi", "muli", "maxsi", "minsi", "xori", "andi", "shrsi"});
        body += "      " + name + " = arith." + op + " " + of(values) + ", " +
                (op == "shrsi" ? scalar(pick(0, 9), "i32") : operand) + " : i32\n";
        values.push_back(name);
      }
    }
    const std::string x = tensorType(from, "i8"), acc = tensorType(shape, "i32");
    text += "  %e = tensor.empty() : " + acc + "\n  %acc = linalg.generic {indexing_maps = [" +
            affineMap(loops, in) + ", " + (two ? affineMap(loops, loops) + ", " : "") +
            affineMap(loops, loops) + "], iterator_types = [" + iterators + "]}\n      ins(%x" +
            (two ? ", %y" : "") + " : " + x + (two ? ", " + tensorType(shape, "i8") : "") +
            ") outs(%e : " + acc + ") {\n    ^bb0(%a: i8, " + (two ? "%b: i8, " : "") + "%o: i32):\n" + body +
            "      linalg.yield " + values.back() + " : i32\n  } -> " + acc + "\n";
    const std::string end = ended("%acc", shape, "i32");
    return "func.func private @kernel(%x: " + x + (two ? ", %y: " + tensorType(shape, "i8") : "") + ") -> " +
           tensorType(shape, "i8") + " {\n" + text + end;
  }

private:
  /// %acc to int8: requantized by constants for each channel, or one; clamped; or cut.
  std::string ended(const std::string &acc, const std::vector<int64_t> &shape, const std::string &type) {
    std::vector<std::string> loops;
    for (size_t d = 0; d < shape.size(); ++d)
      loops.push_back("d" + std::to_string(d));
    std::string iterators;
    for (size_t d = 0; d < shape.size(); ++d)
      iterators += d ? ", \"parallel\"" : "\"parallel\"";
    const std::string out = tensorType(shape, "i8"), same = affineMap(loops, loops);
    const int64_t channels = shape.back();
    const int kind = pick(1, 100);
    std::string body, operands, types, arguments, maps;
    if (kind <= 70) {
      const bool scalars = chance(25);
      const std::string count = std::to_string(channels);
      std::string parameter[3];
      const std::pair<int64_t, int64_t> ranges[] = {{-5000, 5000}, {1, 2147483647}, {32, 44}};
      for (int k = 0; k < 3; ++k) {
        const std::string element = k == 2 ? "i8" : "i32";
        if (scalars) {
          parameter[k] = scalar(pick(ranges[k].first, ranges[k].second), element);
          continue;
        }
        const std::string name = "%r" + std::to_string(k), vector = "tensor<" + count + "x" + element + ">";
        operandsText += "  " + name + " = arith.constant " +
                        list(channels, ranges[k].first, ranges[k].second) + " : " + vector + "\n";
        operands += ", " + name, types += ", " + vector;
        arguments += ", %q" + std::to_string(k) + ": " + element;
        maps += ", " + affineMap(loops, {loops.back()});
        parameter[k] = "%q" + std::to_string(k);
      }
      body = "      %z = qnn.requantize %v, " + parameter[0] + ", " + parameter[1] + ", " + parameter[2] +
             " {zero_point = " + std::to_string(pick(-128, 127)) +
             " : i8, lo = " + std::to_string(pick(-128, -1)) + " : i8, hi = " + std::to_string(pick(0, 127)) +
             " : i8, rounding = #qnn.rounding<" + (chance(70) ? "half_even" : "half_up") +
             ">} : (i32, i32, i32, i8) -> i8\n";
    } else if (kind <= 95) {
      const std::string lo = scalar(chance(70) ? -128 : pick(-300, -1), "i32");
      const std::string hi = scalar(chance(70) ? 127 : pick(0, 300), "i32");
      body = "      %l = arith.maxsi %v, " + lo + " : i32\n      %h = arith.minsi %l, " + hi +
             " : i32\n      %z = arith.trunci %h : i32 to i8\n";
    } else {
      body = "      %z = arith.trunci %v : i32 to i8\n";
    }
    const std::string head = text;
    text = head + operandsText + "  %qe = tensor.empty() : " + out +
           "\n  %q = linalg.generic {indexing_maps = [" + same + maps + ", " + same +
           "], iterator_types = [" + iterators + "]}\n      ins(" + acc + operands + " : " +
           tensorType(shape, type) + types + ") outs(%qe : " + out + ") {\n    ^bb0(%v: " + type + arguments +
           ", %old: i8):\n" + body + "      linalg.yield %z : i8\n  } -> " + out + "\n  return %q : " + out +
           "\n}\n";
    const std::string end = text.substr(head.size());
    text = head;
    return end;
  }

  /// Coordinate `at` becomes `text`, of `size` positions; one in four times there are more than are read.
  void become(std::vector<std::string> &in, std::vector<int64_t> &shape, std::vector<int64_t> &padded,
              size_t at, const std::string &text, int64_t size) {
    in[at] = text;
    const int64_t more = chance(25) ? 1 : 0;
    shape[at] += size - padded[at] + more;
    padded[at] = size + more;
  }

  void change(std::vector<std::string> &in, std::vector<int64_t> &shape, std::vector<int64_t> &padded,
              std::vector<std::string> &weights, std::map<std::string, int64_t> &extents) {
    const size_t last = in.size() - 1;
    const int64_t groups = extents["g"], lanes = extents["c"], images = extents["n"];
    const std::string step = std::to_string(lanes);
    switch (pick(0, 11)) {
    case 0: // further into some dimension
    case 1: {
      const size_t at = pick(0, last);
      return become(in, shape, padded, at, in[at] + " + 1", padded[at] + 1);
    }
    case 2:
      return become(in, shape, padded, 0, "n * 2", 2 * images - 1);
    case 3:
      return become(in, shape, padded, 0, "n + c", images + lanes - 1);
    case 4:
      return last > 1 ? become(in, shape, padded, 0, "n + i", images + extents["i"] - 1) : void();
    case 5:
      return last > 1 ? become(in, shape, padded, 1, in[1] + " + n", padded[1] + images - 1) : void();
    case 6: // channels of groups that overlap, or with gaps
      return become(in, shape, padded, last, "g + c", groups + lanes - 1);
    case 7:
      return become(in, shape, padded, last, "g * " + std::to_string(lanes + 1) + " + c",
                    (groups - 1) * (lanes + 1) + lanes);
    case 8: // that alternate, or stand the other way round
      return become(in, shape, padded, last, "c * " + std::to_string(groups) + " + g", groups * lanes);
    case 9:
      return become(in, shape, padded, last, "g * " + step + " - c + " + std::to_string(lanes - 1),
                    groups * lanes);
    case 10: // every second channel
      return become(in, shape, padded, last, "g * " + std::to_string(2 * lanes) + " + c * 2",
                    2 * groups * lanes - 1);
    default: // weights of their own for each image or row
      weights.push_back(last > 1 && chance(50) ? "y" : "n");
    }
  }

  bool isOdd = false;
  std::string operandsText;
};

class RandomTexts : public RecognitionTest {
protected:
  /// Of `count` kernels, those that the accelerator takes are right; how many these are.
  unsigned taken(unsigned count, std::string (Kernels::*make)()) {
    unsigned number = 0;
    for (unsigned seed = 0; seed < count && !HasFatalFailure(); ++seed) {
      const std::string text = (Kernels(seed).*make)();
      const std::string reason = reasonFor(text);
      if (reason.empty()) {
        ++number;
        countSums(text);
        compare(text, "seed " + std::to_string(seed) + "\n" + text);
      }
    }
    return number;
  }

  void countSums(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &runner.context);
    if (const auto kernel = accelerator::readKernel(*module->getOps<mlir::func::FuncOp>().begin(), 16))
      sums += kernel->sumsData, excess += !kernel->excess.empty();
  }

  unsigned sums = 0, excess = 0; ///< of those taken, which sum data, or have weights that leave int8

  static unsigned count() {
    const char *asked = std::getenv("DAEDALUS_RANDOM_KERNELS");
    return asked ? std::atoi(asked) : 120;
  }
};

TEST_F(RandomTexts, ReductionsThatAreTakenAreRight) {
  EXPECT_GE(taken(count(), &Kernels::reduction), count() * 2 / 5);
  EXPECT_GE(sums, count() / 60);
  EXPECT_GE(excess, count() / 120);
}

TEST_F(RandomTexts, OddReductionsThatAreTakenAreRight) {
  EXPECT_GE(taken(4 * count(), &Kernels::oddReduction), count() / 2);
}

TEST_F(RandomTexts, ElementwiseKernelsThatAreTakenAreRight) {
  EXPECT_GE(taken(count(), &Kernels::elementwise), count() * 2 / 5);
}

} // namespace
} // namespace daedalus::testing
