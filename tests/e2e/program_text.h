// A tensor program in the making, as text: its inputs, what it has computed so far, and the operations that
// random programs are made of.
#pragma once

#include "text_generator.h"

#include <functional>

namespace daedalus::testing {

/// A tensor that the program has.
struct ProgramValue {
  std::string name;
  Shape shape;
  std::string element;

  std::string type() const { return tensorType(shape, element); }
};

class ProgramText : public TextGenerator {
protected:
  using Value = ProgramValue;
  using TextGenerator::TextGenerator;

  struct Loop {
    std::string name;
    bool isReduction = false;
  };
  struct Operand {
    Value value;
    Names at; ///< coordinates as sums of multiples of loops
  };
  /// Yields the name of a value of the names of the operands' elements, the output's last.
  using Body = std::function<std::string(const Names &)>;

  Value input(const Shape &shape, const std::string &element = "i8");
  Value constantBytes(const Shape &shape);
  Value constantList(int64_t count, int64_t lo, int64_t hi, const std::string &element);
  Value empty(const Shape &shape, const std::string &element);
  Value filled(const Shape &shape, const std::string &element, int64_t value);

  /// An operation as it is written behind "%name = "; `%` alone there is not replaced.
  Value define(const Shape &shape, const std::string &element, const std::string &operation);

  Value generic(const std::vector<Loop> &loops, const std::vector<Operand> &inputs, const Operand &output,
                const Body &body);
  /// Element by element of tensors of one shape, to a new one; those of fewer dimensions are the last ones of
  /// each position.
  Value pointwise(const std::vector<Value> &inputs, const std::string &element, const Body &body);
  Value padded(const Value &x, const Shape &low, const Shape &high, int64_t fill);
  /// The same elements in another shape.
  Value reshaped(const Value &x, const Shape &shape);
  Value extracted(const Value &x, const Shape &offsets, const Shape &sizes, const Shape &strides);

  // One operation of a body.
  std::string arith(const std::string &op, const std::string &a, const std::string &b,
                    const std::string &type = "i32");
  std::string cast(const std::string &op, const std::string &a, const std::string &from,
                   const std::string &to);
  std::string wide(const std::string &a) { return cast("extsi", a, "i8", "i32"); }
  std::string requant(const Names &operands, const std::string &attributes);
  std::string select(const std::string &predicate, const std::string &a, const std::string &b,
                     const std::string &x, const std::string &y, const std::string &type = "i32");

  /// The whole program: `results` are what it returns.
  std::string program(const std::vector<Value> &results);

  std::vector<Value> inputs;
  std::string functions; ///< beside @main

private:
  std::string lines; ///< of the body that is being made
};

/// "[2, 3]" of numbers.
std::string numberList(const Shape &numbers);

} // namespace daedalus::testing
