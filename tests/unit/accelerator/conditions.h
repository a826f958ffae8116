// Kernels as text that break one condition each: builders of their operations.
#pragma once

#include "recognition.h"

#include <gmock/gmock.h>

namespace daedalus::testing {

inline std::string tensorOf(const std::string &type) {
  return "tensor<" + type + ">";
}

inline std::string elementOf(const std::string &type) {
  return type.substr(type.rfind('x') + 1);
}

/// A dense constant of 8 or 16 bits, of numbers from -20 to 20 times `step`.
inline std::string constant(const std::string &name, const std::string &type, int step = 1) {
  size_t count = 1;
  for (llvm::StringRef rest = type; rest.contains('x'); rest = rest.split('x').second)
    count *= std::stoul(rest.split('x').first.str());
  std::string text = name + " = arith.constant dense<\"0x";
  for (size_t k = 0; k < count; ++k) {
    const int value = (int(k * 17 % 41) - 20) * step;
    for (int shift = 0; shift < (elementOf(type) == "i16" ? 16 : 8); shift += 8) {
      text += "0123456789ABCDEF"[value >> (shift + 4) & 15];
      text += "0123456789ABCDEF"[value >> shift & 15];
    }
  }
  return text + "\"> : " + tensorOf(type) + "\n";
}

inline std::string empty(const std::string &name, const std::string &type) {
  return name + " = tensor.empty() : " + tensorOf(type) + "\n";
}

/// %f of `value` everywhere.
inline std::string filled(const std::string &type, const std::string &value) {
  return empty("%fe", type) + "%fv = arith.constant " + value + " : " + elementOf(type) +
         "\n%f = linalg.fill ins(%fv : " + elementOf(type) + ") outs(%fe : " + tensorOf(type) + ") -> " +
         tensorOf(type) + "\n";
}

/// An operand of a block.
struct Operand {
  std::string name, type, map;
};

/// A block of %a, %b, ... and, of the last operand, %o: `body` computes %v. `kinds` are p and r.
inline std::string block(const std::string &name, const std::string &loops, const std::string &kinds,
                         const std::vector<Operand> &operands, const std::string &body) {
  std::string maps, iterators, inputs, types, arguments;
  for (const Operand &operand : operands)
    maps += (maps.empty() ? "" : ", ") + ("affine_map<" + loops + " -> " + operand.map + ">");
  for (char kind : kinds)
    iterators +=
        (iterators.empty() ? "" : ", ") + std::string(kind == 'p' ? "\"parallel\"" : "\"reduction\"");
  for (size_t k = 0; k + 1 < operands.size(); ++k) {
    inputs += (k ? ", " : "") + operands[k].name;
    types += (k ? ", " : "") + tensorOf(operands[k].type);
    arguments += std::string("%") + char('a' + k) + ": " + elementOf(operands[k].type) + ", ";
  }
  const Operand &out = operands.back();
  return name + " = linalg.generic {indexing_maps = [" + maps + "], iterator_types = [" + iterators + "]}" +
         (inputs.empty() ? "" : " ins(" + inputs + " : " + types + ")") + " outs(" + out.name + " : " +
         tensorOf(out.type) + ") {\n^bb0(" + arguments + "%o: " + elementOf(out.type) + "):\n" + body +
         "linalg.yield %v : " + elementOf(out.type) + "\n} -> " + tensorOf(out.type) + "\n";
}

inline std::string kernel(const std::string &arguments, const std::string &type, const std::string &body) {
  return "func.func private @kernel(" + arguments + ") -> " + tensorOf(type) + " {\n" + body +
         "return %r : " + tensorOf(type) + "\n}\n";
}

/// "(a, b, c)" of the first letters, as many as a type has dimensions.
inline std::string pointOf(const std::string &type) {
  std::string text = "(";
  for (long k = 0; k < std::count(type.begin(), type.end(), 'x'); ++k)
    text += std::string(k ? ", " : "") + char('a' + k);
  return text + ")";
}

/// %r: a 32nd of %s, of `shape`, such as "4x4x".
inline std::string scaled(const std::string &shape) {
  const std::string point = pointOf(shape);
  return empty("%re", shape + "i8") +
         block(
             "%r", point, std::string(std::count(shape.begin(), shape.end(), 'x'), 'p'),
             {{"%s", shape + "i32", point}, {"%re", shape + "i8", point}},
             "%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n%five = arith.constant 5 : i8\n"
             "%v = qnn.requantize %a, %zero, %one, %five {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : "
             "i8, "
             "rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8\n");
}

inline std::string pad(const std::string &type, const std::string &low, const std::string &high,
                       const std::string &to, const std::string &name = "%pad",
                       const std::string &of = "%x") {
  std::string indices;
  for (long k = 0; k < std::count(type.begin(), type.end(), 'x'); ++k)
    indices += std::string(k ? ", " : "") + "%i" + std::to_string(k) + ": index";
  return name + "v = arith.constant 3 : i8\n" + name + " = tensor.pad " + of + " low[" + low + "] high[" +
         high + "] {\n^bb0(" + indices + "):\ntensor.yield " + name + "v : i8\n} : " + tensorOf(type) +
         " to " + tensorOf(to) + "\n";
}

inline const std::string multiplied = "%wa = arith.extsi %a : i8 to i32\n%wb = arith.extsi %b : i8 to i32\n"
                                      "%p = arith.muli %wa, %wb : i32\n%v = arith.addi %o, %p : i32\n";

/// A 32nd of sums of products of %x, or of `data`, with constants.
struct Product {
  std::string x, weights, shape; ///< types, and that of the result such as "4x4x"
  std::string loops, kinds, read, readWeights, written;
  std::string data = "%x", dataType = x, before = "";
  std::string body = multiplied, start = "0";
  std::string constants = constant("%w", weights), weightsName = "%w", weightsType = weights;

  std::string text() const {
    return kernel("%x: " + tensorOf(x), shape + "i8",
                  constants + before + filled(shape + "i32", start) +
                      block("%s", loops, kinds,
                            {{data, dataType, read},
                             {weightsName, weightsType, readWeights},
                             {"%f", shape + "i32", written}},
                            body) +
                      scaled(shape));
  }
};

inline const std::string largest = "%v = arith.maxsi %a, %o : i8\n";

/// The maxima of elements of %x, or of `data`.
struct Maximum {
  std::string x, type; ///< types, of the result too
  std::string loops, kinds, read, written;
  std::string data = "%x", dataType = x, before = "", start = "-128", body = largest;

  std::string text() const {
    return kernel("%x: " + tensorOf(x), type,
                  before + filled(type, start) +
                      block("%r", loops, kinds, {{data, dataType, read}, {"%f", type, written}}, body));
  }
};

/// An elementwise kernel of %x, or of `data`, and perhaps a constant %k; the body computes %v.
inline std::string elementwise(const std::string &x, const std::string &type, const std::string &loops,
                               const std::string &read, const std::string &written, const std::string &body,
                               const std::string &before = "", const std::string &data = "%x",
                               const std::string &dataType = "", const std::vector<Operand> &more = {}) {
  std::vector<Operand> operands = {{data, dataType.empty() ? x : dataType, read}};
  operands.insert(operands.end(), more.begin(), more.end());
  operands.push_back({"%e", type, written});
  return kernel("%x: " + tensorOf(x), type,
                before + empty("%e", type) +
                    block("%r", loops, std::string(std::count(loops.begin(), loops.end(), ',') + 1, 'p'),
                          operands, body));
}

inline const std::string negated = "%z = arith.constant 7 : i8\n%v = arith.minsi %a, %z : i8\n";
inline const std::string copied = "%z = arith.constant 0 : i8\n%v = arith.addi %a, %z : i8\n";
inline const std::string doubled = "%v = arith.addi %a, %a : i8\n";

class Conditions : public RecognitionTest {
protected:
  void refused(const std::string &text, const std::string &reason) {
    EXPECT_THAT(reasonFor(text), ::testing::HasSubstr(reason)) << text;
  }
  /// In dimensions that are too many to be taken, or taken and right.
  void refusedOrRight(const std::string &text) {
    const std::string reason = reasonFor(text);
    if (reason.empty())
      return compare(text, text);
    EXPECT_EQ(reason, "its inputs lie in more than four dimensions that are not one behind the other")
        << text;
  }
  void right(const std::string &text) {
    ASSERT_EQ(reasonFor(text), "") << text;
    compare(text, text);
  }
};

} // namespace daedalus::testing
