// A thing of a library's while it is needed.
#pragma once

namespace daedalus::cuda {

class Owned {
public:
  explicit Owned(int (*destroy)(void *)) : destroy(destroy) {}
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  ~Owned() {
    if (thing)
      destroy(thing);
  }

  /// By a call that makes it and gives a status, which is 0 where it did.
  template <class Create> int make(Create create) {
    const int status = create(&thing);
    if (status != 0)
      thing = nullptr;
    return status;
  }
  operator void *() const { return thing; } // NOLINT: what the library takes

private:
  int (*const destroy)(void *);
  void *thing = nullptr;
};

} // namespace daedalus::cuda
