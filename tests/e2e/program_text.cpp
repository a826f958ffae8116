// See program_text.h.

#include "program_text.h"

namespace daedalus::testing {

std::string numberList(const Shape &numbers) {
  Names texts;
  for (int64_t number : numbers)
    texts.push_back(std::to_string(number));
  return "[" + joined(texts) + "]";
}

ProgramValue ProgramText::input(const Shape &shape, const std::string &element) {
  inputs.push_back({"%arg" + std::to_string(inputs.size()), shape, element});
  return inputs.back();
}

ProgramValue ProgramText::define(const Shape &shape, const std::string &element,
                                 const std::string &operation) {
  const std::string name = fresh();
  text += "  " + name + " = " + operation + "\n";
  return {name, shape, element};
}

ProgramValue ProgramText::constantBytes(const Shape &shape) {
  return define(shape, "i8", "arith.constant " + bytes(shape));
}

ProgramValue ProgramText::constantList(int64_t count, int64_t lo, int64_t hi, const std::string &element) {
  return define({count}, element,
                "arith.constant " + list(count, lo, hi) + " : " + tensorType({count}, element));
}

ProgramValue ProgramText::empty(const Shape &shape, const std::string &element) {
  return define(shape, element, "tensor.empty() : " + tensorType(shape, element));
}

ProgramValue ProgramText::filled(const Shape &shape, const std::string &element, int64_t value) {
  const std::string start = scalar(value, element);
  const Value e = empty(shape, element);
  return define(shape, element,
                "linalg.fill ins(" + start + " : " + element + ") outs(" + e.name + " : " + e.type() +
                    ") -> " + e.type());
}

ProgramValue ProgramText::generic(const std::vector<Loop> &loops, const std::vector<Operand> &ins,
                                  const Operand &output, const Body &body) {
  Names loopNames, kinds, maps, operands, types, arguments, elements;
  for (const Loop &loop : loops) {
    loopNames.push_back(loop.name);
    kinds.push_back(loop.isReduction ? "\"reduction\"" : "\"parallel\"");
  }
  for (const Operand &operand : ins) {
    operands.push_back(operand.value.name);
    types.push_back(operand.value.type());
    maps.push_back(affineMap(loopNames, operand.at));
  }
  maps.push_back(affineMap(loopNames, output.at));
  for (size_t k = 0; k <= ins.size(); ++k) {
    const Value &value = k < ins.size() ? ins[k].value : output.value;
    elements.push_back(fresh());
    arguments.push_back(elements.back() + ": " + value.element);
  }
  lines.clear();
  const std::string result = body(elements), computed = lines;
  const std::string type = output.value.type();
  return define(output.value.shape, output.value.element,
                "linalg.generic {indexing_maps = [" + joined(maps) + "], iterator_types = [" + joined(kinds) +
                    "]}" + (ins.empty() ? "" : " ins(" + joined(operands) + " : " + joined(types) + ")") +
                    " outs(" + output.value.name + " : " + type + ") {\n  ^bb0(" + joined(arguments) +
                    "):\n" + computed + "    linalg.yield " + result + " : " + output.value.element +
                    "\n  } -> " + type);
}

ProgramValue ProgramText::pointwise(const std::vector<Value> &values, const std::string &element,
                                    const Body &body) {
  const Shape shape = values.front().shape;
  std::vector<Loop> loops;
  Names all;
  for (size_t d = 0; d < shape.size(); ++d) {
    loops.push_back({"d" + std::to_string(d)});
    all.push_back(loops.back().name);
  }
  std::vector<Operand> operands;
  for (const Value &value : values)
    operands.push_back({value, Names(all.end() - value.shape.size(), all.end())});
  return generic(loops, operands, {empty(shape, element), all}, body);
}

ProgramValue ProgramText::padded(const Value &x, const Shape &low, const Shape &high, int64_t fill) {
  Shape shape;
  Names arguments;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    shape.push_back(x.shape[d] + low[d] + high[d]);
    arguments.push_back(fresh() + ": index");
  }
  const std::string value = scalar(fill, x.element);
  return define(shape, x.element,
                "tensor.pad " + x.name + " low" + numberList(low) + " high" + numberList(high) +
                    " {\n  ^bb0(" + joined(arguments) + "):\n    tensor.yield " + value + " : " + x.element +
                    "\n  } : " + x.type() + " to " + tensorType(shape, x.element));
}

ProgramValue ProgramText::reshaped(const Value &x, const Shape &shape) {
  if (shape == x.shape)
    return x;
  Names groups;
  const auto all = [&](size_t rank) {
    Shape dims;
    for (size_t d = 0; d < rank; ++d)
      dims.push_back(d);
    return "[" + numberList(dims) + "]";
  };
  Value flat = x;
  if (x.shape.size() > 1)
    flat = define({elementsOf(x.shape)}, x.element,
                  "tensor.collapse_shape " + x.name + " " + all(x.shape.size()) + " : " + x.type() +
                      " into " + tensorType({elementsOf(x.shape)}, x.element));
  if (shape.size() == 1)
    return flat;
  return define(shape, x.element,
                "tensor.expand_shape " + flat.name + " " + all(shape.size()) + " output_shape " +
                    numberList(shape) + " : " + flat.type() + " into " + tensorType(shape, x.element));
}

ProgramValue ProgramText::extracted(const Value &x, const Shape &offsets, const Shape &sizes,
                                    const Shape &strides) {
  return define(sizes, x.element,
                "tensor.extract_slice " + x.name + numberList(offsets) + " " + numberList(sizes) + " " +
                    numberList(strides) + " : " + x.type() + " to " + tensorType(sizes, x.element));
}

std::string ProgramText::arith(const std::string &op, const std::string &a, const std::string &b,
                               const std::string &type) {
  const std::string name = fresh();
  lines += "    " + name + " = arith." + op + " " + a + ", " + b + " : " + type + "\n";
  return name;
}

std::string ProgramText::cast(const std::string &op, const std::string &a, const std::string &from,
                              const std::string &to) {
  const std::string name = fresh();
  lines += "    " + name + " = arith." + op + " " + a + " : " + from + " to " + to + "\n";
  return name;
}

std::string ProgramText::requant(const Names &operands, const std::string &attributes) {
  const std::string name = fresh();
  lines += "    " + name + " = qnn.requantize " + joined(operands) + " " + attributes + "\n";
  return name;
}

std::string ProgramText::select(const std::string &predicate, const std::string &a, const std::string &b,
                                const std::string &x, const std::string &y, const std::string &type) {
  const std::string condition = fresh(), name = fresh();
  lines += "    " + condition + " = arith.cmpi " + predicate + ", " + a + ", " + b + " : " + type + "\n    " +
           name + " = arith.select " + condition + ", " + x + ", " + y + " : " + type + "\n";
  return name;
}

std::string ProgramText::program(const std::vector<Value> &results) {
  Names parameters, types, names;
  for (const Value &value : inputs)
    parameters.push_back(value.name + ": " + value.type());
  for (const Value &value : results)
    names.push_back(value.name), types.push_back(value.type());
  return functions + "func.func @main(" + joined(parameters) + ") -> (" + joined(types) + ") {\n" + text +
         "  return " + joined(names) + " : " + joined(types) + "\n}\n";
}

} // namespace daedalus::testing
