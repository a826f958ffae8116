// Random shapes and numbers of the tests of the CPU's loops on vectors.
#pragma once

#include "run_model.h"

namespace daedalus::test {

/// Always the same of one seed.
class Draw {
public:
  explicit Draw(unsigned seed) : random(seed) {}
  int64_t of(int64_t least, int64_t most) { return least + int64_t(random() % uint64_t(most - least + 1)); }
  template <class T> const T &one(const std::vector<T> &of) { return of[random() % of.size()]; }

  /// Of sizes around whole vectors.
  OnnxBuilder::Shape shape() {
    static const std::vector<int64_t> sizes = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 130};
    OnnxBuilder::Shape shape = {one(sizes)};
    for (int64_t more = of(0, 3); more > 0 && count(shape) < 3000; --more)
      shape.push_back(one(sizes));
    return shape;
  }

  std::vector<float> numbers(int64_t size) {
    std::vector<float> values(size);
    for (float &value : values)
      value = float(of(-4000, 4000)) / 1000;
    return values;
  }

private:
  std::mt19937_64 random;
};

} // namespace daedalus::test
