// Folding of arithmetic: elementwise operators with numpy's broadcast, reductions, and what makes numbers of
// shapes. Integers are computed in int64, where what overflows is left unknown; floats in float64 and rounded
// to their type, which gives the bits of that type's own arithmetic.

#include "Schema/Fold.h"

#include "Values/Types.h"

#include <cmath>
#include <functional>
#include <numeric>

namespace daedalus::onnximport {
namespace {

using onnx::TensorProto;
using Number = std::optional<int64_t>;

template <class T> using Operation = std::function<std::optional<T>(T, T)>;

Number divided(int64_t x, int64_t y) {
  return y == 0 || (x == INT64_MIN && y == -1) ? Number() : x / y;
}
Number modulo(int64_t x, int64_t y) {
  if (y == 0 || y == -1)
    return y ? Number(0) : Number();
  const int64_t rest = x % y;
  return rest && (rest < 0) != (y < 0) ? rest + y : rest;
}
Number sum(int64_t x, int64_t y) {
  int64_t result;
  return __builtin_add_overflow(x, y, &result) ? Number() : result;
}
Number difference(int64_t x, int64_t y) {
  int64_t result;
  return __builtin_sub_overflow(x, y, &result) ? Number() : result;
}
Number product(int64_t x, int64_t y) {
  int64_t result;
  return __builtin_mul_overflow(x, y, &result) ? Number() : result;
}

const std::map<std::string, Operation<int64_t>> &ofIntegers() {
  using N = int64_t;
  static const std::map<std::string, Operation<N>> all = {
      {"Add", sum},
      {"Sub", difference},
      {"Mul", product},
      {"Div", divided},
      {"Mod", modulo},
      {"Max", [](N x, N y) { return std::max(x, y); }},
      {"Min", [](N x, N y) { return std::min(x, y); }},
      {"And", [](N x, N y) { return x && y; }},
      {"Or", [](N x, N y) { return x || y; }},
      {"Xor", [](N x, N y) { return !x != !y; }},
      {"Equal", [](N x, N y) { return x == y; }},
      {"Greater", [](N x, N y) { return x > y; }},
      {"GreaterOrEqual", [](N x, N y) { return x >= y; }},
      {"Less", [](N x, N y) { return x < y; }},
      {"LessOrEqual", [](N x, N y) { return x <= y; }},
      {"Neg", [](N x, N) { return difference(0, x); }},
      {"Abs", [](N x, N) { return x < 0 ? difference(0, x) : x; }},
      {"Sign", [](N x, N) { return (x > 0) - (x < 0); }},
      {"Not", [](N x, N) { return !x; }}};
  return all;
}

/// The quieter of two numbers where one is a NaN.
template <class F> Operation<double> ofNumbers(F f) {
  return [f](double x, double y) { return std::isnan(x) ? x : std::isnan(y) ? y : f(x, y); };
}

const std::map<std::string, Operation<double>> &ofFloats() {
  using N = double;
  static const std::map<std::string, Operation<N>> all = {
      {"Add", [](N x, N y) { return x + y; }},
      {"Sub", [](N x, N y) { return x - y; }},
      {"Mul", [](N x, N y) { return x * y; }},
      {"Div", [](N x, N y) { return x / y; }},
      {"Max", ofNumbers([](N x, N y) { return std::max(x, y); })},
      {"Min", ofNumbers([](N x, N y) { return std::min(x, y); })},
      {"Neg", [](N x, N) { return -x; }},
      {"Abs", [](N x, N) { return std::abs(x); }},
      {"Sqrt", [](N x, N) { return std::sqrt(x); }},
      {"Floor", [](N x, N) { return std::floor(x); }},
      {"Ceil", [](N x, N) { return std::ceil(x); }},
      {"Round", [](N x, N) { return std::nearbyint(x); }},
      {"Equal", [](N x, N y) { return x == y; }},
      {"Greater", [](N x, N y) { return x > y; }},
      {"GreaterOrEqual", [](N x, N y) { return x >= y; }},
      {"Less", [](N x, N y) { return x < y; }},
      {"LessOrEqual", [](N x, N y) { return x <= y; }}};
  return all;
}

std::shared_ptr<HostTensor> tensorOf(const Known &out) {
  auto host = std::make_shared<HostTensor>();
  host->dtype = out.dtype;
  host->shape.assign(out.shape.begin(), out.shape.end());
  return host;
}

/// Integers; null where one of them does not fit the type.
HostTensorPtr integersOf(const Known &out, const Shape &values) {
  const double least = leastOf(out.dtype), most = mostOf(out.dtype);
  if (llvm::any_of(values, [&](int64_t value) { return double(value) < least || double(value) > most; }))
    return nullptr;
  auto host = tensorOf(out);
  host->ints = narrowed({values.begin(), values.end()}, out.dtype);
  return host;
}

/// Floats, rounded to the type.
HostTensorPtr floatsOf(const Known &out, const std::vector<double> &values) {
  auto host = tensorOf(out);
  if (out.dtype == TensorProto::DOUBLE) {
    host->doubles = values;
    return host;
  }
  host->floats.assign(values.begin(), values.end());
  if (isHalfType(out.dtype))
    host->floats = widenedFloats(narrowedFloats(host->floats, out.dtype), out.dtype);
  return host;
}

double floatAt(const HostTensor &host, int64_t at) {
  return host.isFloat() ? host.floats[at] : host.doubles[at];
}

/// Elements of `all`, joined one input after the other.
template <class T, class Elements>
std::optional<std::vector<T>> elementwise(const C &c, const std::map<std::string, Operation<T>> &table,
                                          Elements all) {
  const auto found = table.find(c.node.proto.op_type());
  if (found == table.end())
    return std::nullopt;
  std::vector<T> values;
  bool isKnown = true;
  forEachPosition(c.outputs[0].shape, [&](const Shape &at) {
    std::optional<T> value = all(0, broadcastIndex(c.shape(0), at));
    if (c.inputs.size() == 1)
      value = found->second(*value, T());
    for (size_t i = 1; value && i < c.inputs.size(); ++i)
      value = found->second(*value, all(i, broadcastIndex(c.shape(i), at)));
    isKnown &= value.has_value();
    values.push_back(value.value_or(T()));
  });
  return isKnown ? std::optional(values) : std::nullopt;
}

/// Before opset 7 an attribute says where an operand lies in the other.
bool broadcasts(const C &c) {
  for (const Known &input : c.inputs)
    if (broadcastShapes(input.shape, c.outputs[0].shape) != c.outputs[0].shape)
      return false;
  return true;
}

HostTensorPtr elementwise(const C &c) {
  if (!broadcasts(c))
    return nullptr;
  if (c.node.proto.op_type() == "Mod" && c.integer("fmod", 0))
    return nullptr;
  const Known &out = c.outputs[0];
  if (isFloatType(c.dtype(0)) && (out.dtype == c.dtype(0) || out.dtype == TensorProto::BOOL)) {
    const auto values =
        elementwise(c, ofFloats(), [&](size_t input, int64_t at) { return floatAt(*c.constant(input), at); });
    if (!values)
      return nullptr;
    return out.dtype == TensorProto::BOOL ? integersOf(out, Shape(values->begin(), values->end()))
                                          : floatsOf(out, *values);
  }
  if (isFloatType(c.dtype(0)) || isFloatType(out.dtype))
    return nullptr;
  const auto values = elementwise(
      c, ofIntegers(), [&](size_t input, int64_t at) -> int64_t { return c.constant(input)->ints[at]; });
  return values ? integersOf(c.outputs[0], Shape(values->begin(), values->end())) : nullptr;
}

/// Of all elements.
HostTensorPtr reduced(const C &c) {
  static const std::map<std::string, std::pair<const char *, int64_t>> joins = {
      {"ReduceSum", {"Add", 0}},
      {"ReduceProd", {"Mul", 1}},
      {"ReduceMax", {"Max", INT64_MIN}},
      {"ReduceMin", {"Min", INT64_MAX}}};
  const auto found = joins.find(c.node.proto.op_type());
  const std::optional<Shape> values = c.integers(0);
  if (found == joins.end() || !values || isFloatType(c.dtype(0)) || c.rank(0) > 1 ||
      llvm::any_of(c.outputs[0].shape, [](int64_t size) { return size != 1; }))
    return nullptr;
  Number result = found->second.second;
  for (int64_t value : *values)
    result = result ? ofIntegers().at(found->second.first)(*result, value) : result;
  return result ? integersOf(c.outputs[0], {*result}) : nullptr;
}

/// Whether a number that is rounded to float32, as floats of 16 bits are first, is rounded once.
bool isRoundedOnce(const Known &out, double value) {
  return !isHalfType(out.dtype) || double(float(value)) == value || std::isnan(value);
}

/// To floats; an integer that float64 does not hold is left unknown.
HostTensorPtr castToFloats(const Known &out, const HostTensor &in) {
  std::vector<double> values;
  for (int64_t i = 0; i < in.size(); ++i) {
    const double value = isFloatType(in.dtype) ? floatAt(in, i) : double(in.ints[i]);
    if (!isRoundedOnce(out, value) || (!isFloatType(in.dtype) && std::abs(value) > 0x1p53))
      return nullptr;
    values.push_back(value);
  }
  return floatsOf(out, values);
}

HostTensorPtr cast(const C &c) {
  const Known &out = c.outputs[0];
  const HostTensor &in = *c.constant(0);
  if (isFloatType(out.dtype))
    return castToFloats(out, in);
  const bool isTruth = out.dtype == TensorProto::BOOL, isFloat = isFloatType(in.dtype);
  Shape values;
  for (int64_t i = 0; i < in.size(); ++i) {
    if (isFloat && !(std::abs(floatAt(in, i)) < 9.0e18))
      return nullptr;
    const bool holds = isFloat ? floatAt(in, i) != 0 : in.ints[i] != 0;
    values.push_back(isTruth ? holds : isFloat ? static_cast<int64_t>(floatAt(in, i)) : in.ints[i]);
  }
  return integersOf(out, values);
}

/// Of uint64 the upper half does not.
bool fitInt64(const HostTensor &host) {
  return host.dtype != TensorProto::UINT64 ||
         llvm::all_of(host.ints, [](int64_t value) { return value >= 0; });
}

HostTensorPtr shapeOf(const C &c) {
  if (c.node.proto.op_type() == "Size")
    return integersOf(c.outputs[0], {c.elements(0)});
  const auto [start, end] = shapeRange(c.node, c.rank(0));
  return integersOf(c.outputs[0], Shape(c.shape(0).begin() + start, c.shape(0).begin() + end));
}

HostTensorPtr filled(const C &c) {
  const auto *value = c.attribute("value");
  const size_t count = elementCount({c.outputs[0].shape.begin(), c.outputs[0].shape.end()});
  if (!value)
    return floatsOf(c.outputs[0], std::vector<double>(count, 0));
  const Result<HostTensorPtr> host = decodeTensor(value->t()); // the rule has decoded it
  if (isFloatType(c.outputs[0].dtype))
    return floatsOf(c.outputs[0], std::vector<double>(count, floatAt(**host, 0)));
  return integersOf(c.outputs[0], Shape(count, (*host)->ints[0]));
}

HostTensorPtr range(const C &c) {
  if (isFloatType(c.dtype(0)))
    return nullptr;
  Shape values;
  const int64_t start = c.constant(0)->ints[0], step = c.constant(2)->ints[0];
  for (int64_t i = 0; i < c.outputs[0].shape[0]; ++i)
    values.push_back(start + i * step);
  return integersOf(c.outputs[0], values);
}

} // namespace

HostIntegers narrowed(const std::vector<int64_t> &values, int32_t dtype) {
  switch (dtype) {
  case TensorProto::INT32:
    return std::vector<int32_t>(values.begin(), values.end());
  case TensorProto::UINT32:
    return std::vector<uint32_t>(values.begin(), values.end());
  case TensorProto::INT16:
    return std::vector<int16_t>(values.begin(), values.end());
  case TensorProto::UINT16:
    return std::vector<uint16_t>(values.begin(), values.end());
  case TensorProto::INT8:
    return std::vector<int8_t>(values.begin(), values.end());
  case TensorProto::UINT8:
  case TensorProto::BOOL:
    return std::vector<uint8_t>(values.begin(), values.end());
  default:
    return values;
  }
}

HostTensorPtr computed(const NodeCheck &c) {
  const std::string &type = c.node.proto.op_type();
  if (type == "Shape" || type == "Size")
    return shapeOf(c);
  for (size_t i = 0; i < c.inputs.size(); ++i)
    if (!c.constant(i) || !fitInt64(*c.constant(i)))
      return nullptr;
  if (type == "ConstantOfShape")
    return filled(c);
  if (type == "Cast")
    return cast(c);
  if (type == "Range")
    return range(c);
  HostTensorPtr result = reduced(c);
  return result ? result : elementwise(c);
}

} // namespace daedalus::onnximport
