// A view of contiguous elements that somebody else owns (what std::span is from C++20 on).
#pragma once

#include <cassert>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace daedalus {

template <class T> class Span {
public:
  constexpr Span() = default;
  constexpr Span(T *data, size_t size) : first(data), count(size) {}
  template <size_t Size> constexpr Span(T (&array)[Size]) : first(array), count(Size) {}
  /// From anything with data() and size(): vector, array, string, another span.
  template <class Container, class = std::enable_if_t<
                                 std::is_convertible_v<decltype(std::declval<Container &>().data()), T *>>>
  constexpr Span(Container &&container) : first(container.data()), count(container.size()) {}

  constexpr T *data() const { return first; }
  constexpr size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr T *begin() const { return first; }
  constexpr T *end() const { return first + count; }
  constexpr T &operator[](size_t index) const {
    assert(index < count);
    return first[index];
  }

  /// `length` elements from `offset` on, or all that are left.
  constexpr Span subspan(size_t offset, size_t length = static_cast<size_t>(-1)) const {
    assert(offset <= count);
    return Span(first + offset, length < count - offset ? length : count - offset);
  }

private:
  T *first = nullptr;
  size_t count = 0;
};

} // namespace daedalus
