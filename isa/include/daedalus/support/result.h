// Results without exceptions: a Result<T> holds a T or an Error, an Error is one sentence for the user.
//
//   Result<Machine> machine = loadMachine("default");
//   if (!machine)
//     return error(machine.error());
//   use(machine->n);
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace daedalus {

/// What went wrong: one sentence with the user's names, the value found and what was expected.
struct Error {
  std::string message;
};

inline Error error(std::string message) {
  return Error{std::move(message)};
}

/// A value or an error. The value may only be taken when the result converts to true.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : content(std::in_place_index<0>, std::move(value)) {}
  Result(Error failure) : content(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const { return content.index() == 0; }

  T &operator*() & { return value(); }
  const T &operator*() const & { return const_cast<Result *>(this)->value(); }
  T &&operator*() && { return std::move(value()); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &const_cast<Result *>(this)->value(); }

  /// The message; only of a result that is an error.
  const std::string &error() const {
    assert(!*this && "a result that holds a value has no error");
    return std::get<1>(content).message;
  }

private:
  T &value() {
    assert(*this && "the value of a result that is an error");
    return std::get<0>(content);
  }

  std::variant<T, Error> content;
};

/// Success, or an error.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error failure) : failure(std::move(failure)) {}

  explicit operator bool() const { return !failure; }

  /// The message; only of a result that is an error.
  const std::string &error() const {
    assert(failure && "a result that is a success has no error");
    return failure->message;
  }

private:
  std::optional<Error> failure;
};

} // namespace daedalus
