// See random_program.h.

#include "random_program.h"

#include "random_pieces.h"

#include <algorithm>

namespace daedalus::testing {
namespace {

class Maker : public RandomPieces {
public:
  using RandomPieces::RandomPieces;

  std::string any() {
    const int64_t kind = pick(1, 100);
    if (kind <= 45)
      return network();
    const bool isExactHere = kind <= 60;
    return mixed(isExactHere);
  }

  std::string exact(const std::string &form) {
    const Value image = input(imageShape());
    return program({form == "product"
                        ? product(of<Value>({image, reshaped(image, {image.shape[1], elementsOf(image.shape) /
                                                                                         image.shape[1]})}))
                    : form == "maximum"           ? requantized(poolSums(image, "maxsi"))
                    : form == "minimum"           ? requantized(poolSums(image, "minsi"))
                    : form == "sum"               ? ended(poolSums(image, "addi"))
                    : form == "32-bit sum"        ? wideSums(image, input(image.shape))
                    : form == "difference"        ? differenceOfTwo(image, input(image.shape))
                    : form == "shift"             ? shiftOfTwo(image, input(image.shape))
                    : form == "wrapped pair"      ? wrappedPair(image, input(image.shape))
                    : form == "read elsewhere"    ? readElsewhere(image)
                    : form == "depthwise product" ? depthwise(image)
                    : form == "product of inputs" ? inputProduct(image)
                    : form == "sum of two"        ? sumOfTwo(image, input(image.shape))
                    : form == "product of two"    ? productOfTwo(image, input(image.shape))
                    : form == "requantization"    ? requantized(image)
                    : form == "table"             ? table(image)
                    : form == "concatenation"     ? concatenated({image, input(image.shape)})
                    : form == "repetition"        ? repeated(image)
                                                  : residual(image)});
  }

private:
  Shape imageShape() {
    return {chance(85) ? 1 : 2, pick(1, 8), pick(2, 8), of<int64_t>({1, 3, 8, 16, 17, 20, 32})};
  }

  Shape anyShape() {
    Shape shape;
    for (int64_t d = pick(1, 4); d > 0; --d)
      shape.push_back(of<int64_t>({1, 2, 3, 5, 8, 9, 16, 17}));
    if (elementsOf(shape) > 3000)
      shape.resize(2);
    return shape;
  }

  /// A product with another tensor added behind its requantization.
  Value residual(const Value &x) {
    const Value own = product(x);
    return sumOfTwo(own, chance(50) && own.shape == x.shape ? x : input(own.shape));
  }

  Value tensorLike(const Value &x) {
    std::vector<Value> same;
    for (const Value &value : values)
      if (value.shape == x.shape && value.element == x.element && value.name != x.name)
        same.push_back(value);
    return same.empty() || chance(30) ? input(x.shape) : of(same);
  }

  /// A first layer that a plan transforms: few channels, many channels, more weights than pixels, or a window
  /// of its own channel on so many pixels that GEMM and VECTOR share it where GEMM has no window.
  Value first() {
    const auto layer = [&](const Shape &shape, const Wanted &wanted) {
      return requantized(productSums(input(shape), wanted));
    };
    const int64_t kind = pick(1, 100);
    if (kind <= 30)
      return layer({1, pick(2, 6), pick(2, 9), pick(1, 3)}, {pick(2, 3), of<int64_t>({16, 64, 128})});
    if (kind <= 55)
      return layer({1, 4, of<int64_t>({4, 8}), 16}, {1, 128});
    if (kind <= 67)
      return layer({1, 2, 12, 16}, {2, 128});
    if (kind <= 75)
      return depthwise(input({1, 20, pick(20, 24), 16}));
    if (kind <= 80)
      return layer({pick(1, 2), pick(100, 300)}, {1, of<int64_t>({40, 88})});
    if (kind <= 90) {
      const int64_t channels = of<int64_t>({32, 48});
      return layer({1, pick(3, 6), pick(3, 6), channels}, {pick(1, 3), 4, channels / 4});
    }
    return input({1, pick(4, 14), pick(4, 14), of<int64_t>({3, 4, 8, 16, 24, 40})});
  }

  /// Layers one behind the other, as networks have them.
  std::string network() {
    Value x = first();
    values = {x};
    for (int64_t k = pick(1, 4); k > 0; --k) {
      const bool isImage = x.shape.size() == 4;
      const int64_t layer = pick(0, 99);
      if (layer < 45)
        x = product(x);
      else if (layer < 60 && isImage && elementsOf(x.shape) < 4000)
        x = depthwise(x);
      else if (layer < 70)
        x = pool(x);
      else if (layer < 80)
        x = sumOfTwo(x, tensorLike(x));
      else if (layer < 87)
        x = table(x);
      else if (layer < 94)
        x = residual(x);
      else
        x = concatenated({x, tensorLike(x)});
      values.push_back(x);
    }
    return program({x});
  }

  /// Any pieces, of any tensors that are there.
  std::string mixed(bool isExactHere) {
    for (int64_t k = pick(1, 2); k > 0; --k)
      values.push_back(input(chance(50) ? imageShape() : anyShape()));
    std::vector<Value> unused = values;
    for (int64_t k = pick(2, 5); k > 0; --k) {
      const Value x = chance(60) ? of(unused) : of(values);
      const Value y = x.element == "i8" ? (isExactHere ? exactPiece(x) : piece(x)) : x;
      if (y.name == x.name)
        continue;
      unused.erase(std::remove_if(unused.begin(), unused.end(),
                                  [&](const Value &value) { return value.name == x.name; }),
                   unused.end());
      values.push_back(y), unused.push_back(y);
    }
    if (chance(5)) // nobody reads it
      input(anyShape(), of<std::string>({"i8", "i32", "i64", "f32", "f64"}));
    if (chance(10)) // twice, or an argument
      unused.push_back(of(values));
    return program(unused);
  }

  Value exactPiece(const Value &x) {
    switch (pick(0, 26)) {
    case 25:
    case 26:
      return inputProduct(x);
    case 0:
      return sumOfTwo(x, tensorLike(x));
    case 1:
      return productOfTwo(x, tensorLike(x));
    case 2:
      return table(x);
    case 3:
      return pool(x);
    case 4:
      return requantized(x);
    case 5:
      return x.shape.size() == 4 ? repeated(x) : concatenated({x, tensorLike(x)});
    case 6:
      return differenceOfTwo(x, tensorLike(x));
    case 7:
    case 8:
    case 9:
      return shiftOfTwo(x, tensorLike(x));
    case 10:
      return wrappedPair(x, tensorLike(x));
    case 11:
    case 12:
    case 13:
      return wideSums(x, tensorLike(x));
    case 14:
    case 15:
    case 16:
      return readElsewhere(x);
    case 17:
    case 18:
      return pool(x);
    default:
      return product(x);
    }
  }

  Value piece(const Value &x) {
    switch (pick(-2, 13)) {
    case -2:
    case -1:
    case 0:
    case 1:
      return exactPiece(x);
    case 2:
      return chain({x});
    case 3:
      return chain({x, tensorLike(x)});
    case 4:
      return chain({x, tensorLike(x), tensorLike(x)});
    case 5:
      return throughFloat(x);
    case 6:
      return concatenated({x, tensorLike(x)});
    case 7:
      return transposed(x);
    case 8:
      return sliced(x);
    case 9:
      return inAnotherShape(x);
    case 10:
      return looped(x);
    case 11:
      return called(x);
    default:
      return named(x);
    }
  }

  std::vector<Value> values;
};

} // namespace

std::string randomProgram(uint64_t seed) {
  const bool isExact = seed % 4 == 0;
  return Maker(seed, isExact).any();
}

const std::vector<std::string> &exactForms() {
  static const std::vector<std::string> forms = {
      "product",        "maximum",        "minimum",       "sum",        "32-bit sum",   "depthwise product",
      "sum of two",     "product of two", "difference",    "shift",      "wrapped pair", "read elsewhere",
      "requantization", "table",          "concatenation", "repetition", "residual",     "product of inputs"};
  return forms;
}

std::string exactProgram(const std::string &form, uint64_t seed) {
  return Maker(seed, true).exact(form);
}

} // namespace daedalus::testing
