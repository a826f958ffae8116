// A queue in one block of memory, which grows but never shrinks: what is pushed and popped all the time costs
// no allocation.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace daedalus::sim::systemc {

template <class T> class Ring {
public:
  bool empty() const { return count == 0; }
  size_t size() const { return count; }
  void clear() { count = 0; }

  T &operator[](size_t i) { return slots[(first + i) & mask]; }
  const T &operator[](size_t i) const { return slots[(first + i) & mask]; }
  T &front() { return slots[first]; }
  const T &front() const { return slots[first]; }
  T &back() { return (*this)[count - 1]; }

  void push_back(const T &value) {
    if (count > mask)
      grow();
    slots[(first + count++) & mask] = value;
  }
  void pop_front() {
    first = (first + 1) & mask;
    --count;
  }
  void pop_back() { --count; }

private:
  [[gnu::noinline]] void grow() { // seldom called: push_back stays small enough to be inlined
    std::vector<T> wider(2 * slots.size());
    for (size_t i = 0; i < count; ++i)
      wider[i] = (*this)[i];
    slots = std::move(wider);
    mask = slots.size() - 1;
    first = 0;
  }

  std::vector<T> slots = std::vector<T>(16); ///< a power of two of them
  size_t mask = slots.size() - 1, first = 0, count = 0;
};

} // namespace daedalus::sim::systemc
