// Whether a function is called as another one: what is declared here of a library, and what its headers
// declare.
#pragma once

#include <type_traits>

namespace daedalus::cuda {

/// Whether values are passed the same way: both pointers, or numbers of a size.
template <class Ours, class Theirs>
inline constexpr bool isPassedAs = std::is_pointer_v<Ours> == std::is_pointer_v<Theirs> &&
                                   sizeof(Ours) == sizeof(Theirs);

template <class Ours, class Theirs> struct IsCalledAs : std::false_type {};
template <class R, class... Ours, class S, class... Theirs> struct IsCalledAs<R (*)(Ours...), S(Theirs...)> {
  static constexpr bool hasAsMany = sizeof...(Ours) == sizeof...(Theirs);
  static constexpr bool value = [] {
    if constexpr (hasAsMany)
      return isPassedAs<R, S> && (isPassedAs<Ours, Theirs> && ...);
    else
      return false;
  }();
};

} // namespace daedalus::cuda
