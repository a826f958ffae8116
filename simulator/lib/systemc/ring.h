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

  /// The queue's places as plain values, which a loop keeps in registers: it holds at most as many elements
  /// as window() was told, and the queue is as it was until it gets the window back.
  class Window {
  public:
    bool empty() const { return count == 0; }
    size_t size() const { return count; }
    const T &front() const { return slots[first]; }
    void push_back(const T &value) { slots[(first + count++) & mask] = value; }
    void pop_front() {
      first = (first + 1) & mask;
      --count;
    }

  private:
    friend class Ring;
    T *slots;
    size_t mask, first, count;
  };

  Window window(size_t most) {
    while (mask + 1 < most)
      grow();
    Window view;
    view.slots = slots.data();
    view.mask = mask;
    view.first = first;
    view.count = count;
    return view;
  }
  void take(const Window &view) {
    first = view.first;
    count = view.count;
  }

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
