// A queue in one block of memory, which grows but never shrinks: what is pushed and popped all the time costs
// no allocation.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace daedalus::sim::systemc {

template <class T> class Ring {
public:
  /// The queue's places as plain values, which a loop keeps in registers; there has to be room for what is
  /// pushed.
  class Window {
  public:
    bool empty() const { return count == 0; }
    size_t size() const { return count; }
    T &operator[](size_t i) { return slots[(first + i) & mask]; }
    const T &operator[](size_t i) const { return slots[(first + i) & mask]; }
    T &front() { return slots[first]; }
    const T &front() const { return slots[first]; }
    void push_back(const T &value) { slots[(first + count++) & mask] = value; }
    void pop_front() {
      first = (first + 1) & mask;
      --count;
    }

  private:
    friend class Ring;
    T *slots = nullptr;
    size_t mask = 0, first = 0, count = 0;
  };

  Ring() { lookAt(16); }
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;

  bool empty() const { return places.empty(); }
  size_t size() const { return places.size(); }
  void clear() { places.count = 0; }

  T &operator[](size_t i) { return places[i]; }
  const T &operator[](size_t i) const { return places[i]; }
  T &front() { return places.front(); }
  const T &front() const { return places.front(); }
  T &back() { return places[size() - 1]; }

  void push_back(const T &value) {
    if (places.count > places.mask)
      grow();
    places.push_back(value);
  }
  void pop_front() { places.pop_front(); }
  void pop_back() { --places.count; }

  /// With room for `most` elements in all; the queue is as it was until take() gets it back.
  Window window(size_t most) {
    while (places.mask + 1 < most)
      grow();
    return places;
  }
  void take(const Window &view) { places = view; }

private:
  [[gnu::noinline]] void grow() { // seldom called: push_back stays small enough to be inlined
    const std::vector<T> before = std::move(slots);
    const Window full = places;
    lookAt(2 * before.size());
    for (size_t i = 0; i < full.size(); ++i)
      places.push_back(full[i]);
  }
  /// So many empty places.
  void lookAt(size_t size) {
    slots = std::vector<T>(size);
    places = Window();
    places.slots = slots.data();
    places.mask = size - 1;
  }

  std::vector<T> slots; ///< a power of two of them
  Window places;        ///< of these
};

} // namespace daedalus::sim::systemc
