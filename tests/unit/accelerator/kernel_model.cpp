// See kernel_model.h. Constants are written as hexadecimal strings, which MLIR reads as raw bytes.

#include "kernel_model.h"

#include <algorithm>
#include <sstream>

namespace daedalus::testing {
namespace {

template <class T> std::string dense(const std::vector<T> &values, const std::string &type) {
  static const char digits[] = "0123456789ABCDEF";
  std::string text = "dense<\"0x";
  for (T value : values)
    for (size_t byte = 0; byte < sizeof(T); ++byte) {
      unsigned bits = (static_cast<uint32_t>(value) >> (8 * byte)) & 255;
      text += digits[bits >> 4];
      text += digits[bits & 15];
    }
  return text + "\"> : " + type;
}

std::string tensor(const std::vector<int64_t> &shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

std::vector<int64_t> outputShape(const KernelModel &m) {
  if (m.kind == Kind::Matmul)
    return {m.w, m.oc};
  return {m.b, m.oh(), m.ow(), m.oc};
}

std::string identity(size_t rank) {
  return rank == 2 ? "affine_map<(a, b) -> (a, b)>" : "affine_map<(a, b, c, d) -> (a, b, c, d)>";
}

std::string parallel(size_t rank) {
  return rank == 2 ? R"(["parallel", "parallel"])" : R"(["parallel", "parallel", "parallel", "parallel"])";
}

std::string requantText(const KernelModel &m, const std::string &acc, const std::string &accElement) {
  std::vector<int64_t> shape = outputShape(m);
  std::string c = std::to_string(m.oc),
              last = shape.size() == 2 ? "affine_map<(a, b) -> (b)>" : "affine_map<(a, b, c, d) -> (d)>";
  std::string t32 = "tensor<" + c + "xi32>", t8 = "tensor<" + c + "xi8>", out = tensor(shape, "i8");
  std::ostringstream s;
  s << "  %bias = arith.constant " << dense(m.bias, t32) << "\n  %mult = arith.constant "
    << dense(m.multiplier, t32) << "\n  %shift = arith.constant " << dense(m.shift, t8)
    << "\n  %qe = tensor.empty() : " << out << "\n  %q = linalg.generic {indexing_maps = ["
    << identity(shape.size()) << ", " << last << ", " << last << ", " << last << ", "
    << identity(shape.size()) << "], iterator_types = " << parallel(shape.size()) << "} ins(" << acc
    << ", %bias, %mult, %shift : " << tensor(shape, accElement) << ", " << t32 << ", " << t32 << ", " << t8
    << ") outs(%qe : " << out << ") {\n  ^bb0(%v: " << accElement << ", %b: i32, %m: i32, %s: i8, %o: i8):\n";
  if (accElement == "i8")
    s << "    %wide = arith.extsi %v : i8 to i32\n";
  s << "    %r = qnn.requantize " << (accElement == "i8" ? "%wide" : "%v")
    << ", %b, %m, %s {zero_point = " << m.zeroPoint << " : i8, lo = " << m.lo << " : i8, hi = " << m.hi
    << " : i8, rounding = #qnn.rounding<" << (m.rounding == isa::Rounding::HalfEven ? "half_even" : "half_up")
    << ">} : (i32, i32, i32, i8) -> i8\n    linalg.yield %r : i8\n  } -> " << out << "\n  return %q : " << out
    << "\n}\n";
  return s.str();
}

std::string padText(const KernelModel &m, std::string &x, std::string &type) {
  type = inputType(m);
  x = "%x";
  if (!m.pt && !m.pl && !m.pb && !m.pr)
    return "";
  std::string padded = tensor({m.b, m.h + m.pt + m.pb, m.w + m.pl + m.pr, m.c}, "i8");
  std::ostringstream s;
  s << "  %zp = arith.constant " << int(m.pad) << " : i8\n  %p = tensor.pad %x low[0, " << m.pt << ", "
    << m.pl << ", 0] high[0, " << m.pb << ", " << m.pr
    << ", 0] {\n  ^bb0(%i: index, %j: index, %k: index, %l: index):\n    tensor.yield %zp : i8\n  } : "
    << type << " to " << padded << "\n";
  x = "%p";
  type = padded;
  return s.str();
}

std::string fillText(const std::string &type, const std::string &element, int value) {
  return "  %c0 = arith.constant " + std::to_string(value) + " : " + element +
         "\n  %e = tensor.empty() : " + type + "\n  %f = linalg.fill ins(%c0 : " + element +
         ") outs(%e : " + type + ") -> " + type + "\n";
}

std::string windowAttributes(const KernelModel &m) {
  std::ostringstream s;
  s << "{strides = dense<[" << m.sh << ", " << m.sw << "]> : vector<2xi64>, dilations = dense<[" << m.dh
    << ", " << m.dw << "]> : vector<2xi64>}";
  return s.str();
}

/// Sums of products of elements of the data and of weights less their zero point.
std::string productText(const KernelModel &m, const std::string &weights, const std::string &iterations,
                        const std::string &channel, const std::string &ofWeights,
                        const std::string &ofResult) {
  std::string x, type;
  const std::string pad = padText(m, x, type), acc = tensor(outputShape(m), "i32");
  const auto position = [](const char *out, int64_t stride, const char *kernel, int64_t dilation) {
    return std::string(out) + " * " + std::to_string(stride) + " + " + kernel + " * " +
           std::to_string(dilation);
  };
  const auto map = [&](const std::string &results) {
    return "affine_map<(" + iterations + ") -> (" + results + ")>";
  };
  std::ostringstream s;
  s << pad << "  %w = arith.constant " << dense(m.weights, weights) << "\n  %wz = arith.constant "
    << m.weightZero << " : i32\n"
    << fillText(acc, "i32", 0) << "  %acc = linalg.generic {indexing_maps = ["
    << map("n, " + position("y", m.sh, "i", m.dh) + ", " + position("x", m.sw, "j", m.dw) + ", " + channel)
    << ", " << map(ofWeights) << ", " << map(ofResult)
    << "], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\", \"reduction\", "
       "\"reduction\""
    << (channel == ofResult.substr(ofResult.size() - 1) ? "" : ", \"reduction\"") << "]} ins(" << x
    << ", %w : " << type << ", " << weights << ") outs(%f : " << acc
    << ") {\n  ^bb0(%a: i8, %b: i8, %o: i32):\n    %a32 = arith.extsi %a : i8 to i32\n    %b32 = arith.extsi "
       "%b : i8 to i32\n    %bz = arith.subi %b32, %wz : i32\n    %ab = arith.muli %a32, %bz : i32\n    %s = "
       "arith.addi %o, %ab : i32\n    linalg.yield %s : i32\n  } -> "
    << acc << "\n";
  return s.str() + requantText(m, "%acc", "i32");
}

std::string convText(const KernelModel &m) {
  const std::string w = tensor({m.oc, m.kh, m.kw, m.c}, "i8");
  if (m.weightZero)
    return productText(m, w, "n, y, x, o, i, j, c", "c", "o, i, j, c", "n, y, x, o");
  std::string x, type, pad = padText(m, x, type), acc = tensor(outputShape(m), "i32");
  return pad + "  %w = arith.constant " + dense(m.weights, w) + "\n" + fillText(acc, "i32", 0) +
         "  %acc = linalg.conv_2d_nhwc_fhwc " + windowAttributes(m) + " ins(" + x + ", %w : " + type + ", " +
         w + ") outs(%f : " + acc + ") -> " + acc + "\n" + requantText(m, "%acc", "i32");
}

std::string depthwiseText(const KernelModel &m) {
  return productText(m, tensor({m.oc, m.kh, m.kw}, "i8"), "n, y, x, c, i, j", "c", "c, i, j", "n, y, x, c");
}

std::string matmulText(const KernelModel &m) {
  std::string acc = tensor(outputShape(m), "i32"), w = tensor({m.oc, m.c}, "i8");
  return "  %w = arith.constant " + dense(m.weights, w) + "\n" + fillText(acc, "i32", 0) +
         "  %acc = linalg.matmul_transpose_b ins(%x, %w : " + inputType(m) + ", " + w + ") outs(%f : " + acc +
         ") -> " + acc + "\n" + requantText(m, "%acc", "i32");
}

std::string poolText(const KernelModel &m) {
  std::string x, type, pad = padText(m, x, type), out = tensor(outputShape(m), "i8");
  std::string window = tensor({m.kh, m.kw}, "i8");
  std::string text = pad + fillText(out, "i8", -128) + "  %k = tensor.empty() : " + window +
                     "\n  %acc = linalg.pooling_nhwc_max " + windowAttributes(m) + " ins(" + x +
                     ", %k : " + type + ", " + window + ") outs(%f : " + out + ") -> " + out + "\n";
  return text + (m.kind == Kind::MaxPool ? "  return %acc : " + out + "\n}\n" : requantText(m, "%acc", "i8"));
}

std::string sumText(const KernelModel &m) {
  std::string acc = tensor(outputShape(m), "i32"), window = tensor({m.h, m.w}, "i8");
  return fillText(acc, "i32", 0) + "  %k = tensor.empty() : " + window +
         "\n  %acc = linalg.pooling_nhwc_sum {strides = dense<1> : vector<2xi64>, dilations = dense<1> : "
         "vector<2xi64>} ins(%x, %k : " +
         inputType(m) + ", " + window + ") outs(%f : " + acc + ") -> " + acc + "\n" +
         requantText(m, "%acc", "i32");
}

std::string addText(const KernelModel &m) {
  std::string acc = tensor(outputShape(m), "i32"), id = identity(4);
  std::ostringstream s;
  s << "  %ma = arith.constant " << m.factorA << " : i32\n  %mb = arith.constant " << m.factorB
    << " : i32\n  %e = tensor.empty() : " << acc << "\n  %acc = linalg.generic {indexing_maps = [" << id
    << ", " << id << ", " << id << "], iterator_types = " << parallel(4) << "} ins(%x, %x2 : " << inputType(m)
    << ", " << inputType(m) << ") outs(%e : " << acc
    << ") {\n  ^bb0(%a: i8, %b: i8, %o: i32):\n    %a32 = arith.extsi %a : i8 to i32\n    %b32 = arith.extsi "
       "%b : i8 to "
       "i32\n    %pa = arith.muli %a32, %ma : i32\n    %pb = arith.muli %b32, %mb : i32\n    %s = arith.addi "
       "%pa, %pb : "
       "i32\n    linalg.yield %s : i32\n  } -> "
    << acc << "\n";
  return s.str() + requantText(m, "%acc", "i32");
}

int64_t pick(std::mt19937 &random, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(random);
}

int8_t requant(const KernelModel &m, int32_t acc, int64_t k) {
  return isa::requantize(acc, m.bias[k], m.multiplier[k], m.shift[k], m.zeroPoint, m.lo, m.hi, m.rounding);
}

} // namespace

std::string inputType(const KernelModel &m) {
  return m.kind == Kind::Matmul ? tensor({m.w, m.c}, "i8") : tensor({m.b, m.h, m.w, m.c}, "i8");
}
std::string outputType(const KernelModel &m) {
  return tensor(outputShape(m), "i8");
}

std::string kernelText(const KernelModel &m, const std::string &name) {
  std::string head = "func.func private @" + name + "(%x: " + inputType(m);
  if (m.kind == Kind::Add)
    head += ", %x2: " + inputType(m);
  head += ") -> " + outputType(m);
  head += " {\n";
  switch (m.kind) {
  case Kind::Conv:
    return head + convText(m);
  case Kind::Depthwise:
    return head + depthwiseText(m);
  case Kind::Matmul:
    return head + matmulText(m);
  case Kind::Add:
    return head + addText(m);
  case Kind::GlobalSum:
    return head + sumText(m);
  case Kind::Requant:
    return head + requantText(m, "%x", "i8");
  default:
    return head + poolText(m);
  }
}

std::vector<int8_t> referenceResult(const KernelModel &m, const std::vector<int8_t> &a,
                                    const std::vector<int8_t> &b) {
  std::vector<int8_t> out;
  out.reserve(m.outputBytes());
  bool contraction = m.kind == Kind::Conv || m.kind == Kind::Matmul;
  bool max = m.kind == Kind::MaxPool || m.kind == Kind::MaxPoolRequant;
  int64_t kh = m.kind == Kind::GlobalSum ? m.h : m.kh, kw = m.kind == Kind::GlobalSum ? m.w : m.kw;
  for (int64_t n = 0; n < m.b; ++n)
    for (int64_t y = 0; y < m.oh(); ++y)
      for (int64_t x = 0; x < m.ow(); ++x)
        for (int64_t o = 0; o < m.oc; ++o) {
          if (m.kind == Kind::Add) {
            size_t at = out.size();
            out.push_back(requant(m, a[at] * m.factorA + b[at] * m.factorB, o));
            continue;
          }
          int32_t acc = max ? -128 : 0;
          for (int64_t i = 0; i < kh; ++i)
            for (int64_t j = 0; j < kw; ++j) {
              int64_t iy = y * m.sh - m.pt + i * m.dh, ix = x * m.sw - m.pl + j * m.dw;
              bool inside = iy >= 0 && iy < m.h && ix >= 0 && ix < m.w;
              auto value = [&](int64_t c) {
                return inside ? a[((n * m.h + iy) * m.w + ix) * m.c + c] : m.pad;
              };
              if (contraction)
                for (int64_t c = 0; c < m.c; ++c)
                  acc += value(c) * (m.weights[((o * kh + i) * kw + j) * m.c + c] - m.weightZero);
              else if (m.kind == Kind::Depthwise)
                acc += value(o) * (m.weights[(o * kh + i) * kw + j] - m.weightZero);
              else if (max)
                acc = std::max<int32_t>(acc, value(o));
              else
                acc += value(o);
            }
          out.push_back(m.kind == Kind::MaxPool ? static_cast<int8_t>(acc) : requant(m, acc, o));
        }
  return out;
}

void randomConstants(KernelModel &m, std::mt19937 &random, bool uniform) {
  if (m.kind == Kind::Conv || m.kind == Kind::Matmul)
    m.weights.resize(m.oc * m.kh * m.kw * m.c);
  if (m.kind == Kind::Depthwise)
    m.weights.resize(m.oc * m.kh * m.kw);
  for (int8_t &w : m.weights)
    w = pick(random, -127, 127);
  int base = m.kind == Kind::Add ? 44 : m.weights.empty() ? 32 : 40;
  for (int64_t k = 0; k < m.oc; ++k) {
    bool copy = uniform && k > 0;
    m.bias.push_back(copy ? m.bias[0] : pick(random, -3000, 3000));
    m.multiplier.push_back(copy ? m.multiplier[0] : pick(random, 1 << 30, INT32_MAX));
    m.shift.push_back(copy ? m.shift[0] : pick(random, base, base + 2));
  }
  m.factorA = pick(random, -(1 << 22), 1 << 22);
  m.factorB = pick(random, -(1 << 22), 1 << 22);
  m.zeroPoint = pick(random, -128, 127);
  m.lo = pick(random, 0, 3) ? -128 : m.zeroPoint;
  m.hi = pick(random, 0, 3) ? 127 : std::max(m.lo, 90);
  m.rounding = pick(random, 0, 4) ? isa::Rounding::HalfEven : isa::Rounding::HalfUp;
}

KernelModel layer(Kind kind, int64_t size, int64_t c, int64_t oc, int64_t k, int64_t stride) {
  KernelModel m;
  m.kind = kind;
  m.h = m.w = size, m.c = c, m.oc = oc, m.kh = m.kw = k, m.sh = m.sw = stride;
  m.pt = m.pl = m.pb = m.pr = k / 2;
  m.pad = kind == Kind::Conv ? 3 : -128;
  return m;
}

KernelModel randomKernel(Kind kind, std::mt19937 &random) {
  KernelModel m;
  m.kind = kind;
  m.c = pick(random, 0, 2) ? pick(random, 1, 70) : 16 * pick(random, 1, 4);
  m.oc = kind == Kind::Conv || kind == Kind::Matmul ? pick(random, 1, 70) : m.c;
  m.w = pick(random, 1, 19);
  if (kind != Kind::Matmul) {
    m.b = pick(random, 0, 3) ? 1 : 2;
    m.h = pick(random, 1, 19);
  }
  if (m.isWindow()) {
    m.kh = pick(random, 1, 5),
    m.kw = pick(random, kind == Kind::Depthwise ? 2 : 1, 5); // else it sums nothing
    m.sh = pick(random, 1, 3), m.sw = pick(random, 1, 3);
    m.dh = pick(random, 0, 2) ? 1 : pick(random, 2, 4), m.dw = pick(random, 0, 2) ? 1 : pick(random, 2, 4);
    bool pads = pick(random, 0, 3);
    int64_t up = m.dh * (m.kh - 1), across = m.dw * (m.kw - 1);
    m.pt = pads ? pick(random, 0, up) : 0, m.pb = pads ? pick(random, 0, up) : 0;
    m.pl = pads ? pick(random, 0, across) : 0, m.pr = pads ? pick(random, 0, across) : 0;
    m.h = std::max(m.h, up + 1 - m.pt - m.pb), m.w = std::max(m.w, across + 1 - m.pl - m.pr);
    m.pad =
        kind == Kind::Conv || kind == Kind::Depthwise ? static_cast<int8_t>(pick(random, -128, 127)) : -128;
  }
  randomConstants(m, random, pick(random, 0, 1));
  return m;
}

} // namespace daedalus::testing
