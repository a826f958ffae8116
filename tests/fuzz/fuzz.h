// What a fuzz target is: one file TARGET_fuzz.cpp with the two functions below. replay.cpp runs it on
// everything kept in corpus/TARGET, which is what the tests do; with the preset `fuzz` clang's libFuzzer
// searches for more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <pthread.h>
#include <string>
#include <vector>

extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace daedalus::fuzz {

/// What a sanitizer ends a copy of the process for is nothing that libFuzzer has to keep.
inline const int silentCopies = pthread_atfork(nullptr, nullptr, [] {
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(nullptr);
});

/// Small valid inputs that are made rather than kept; the files of corpus/TARGET come on top.
std::vector<std::vector<uint8_t>> seeds();

inline std::vector<uint8_t> bytesOf(const std::string &text) {
  return {text.begin(), text.end()};
}

/// What has to be true of every input that a reader accepts; ends the process where it is not.
inline void require(bool holds, const std::string &what) {
  if (holds)
    return;
  std::cerr << "fuzz: " << what << "\n";
  std::abort();
}

} // namespace daedalus::fuzz

/// One input. It may be refused with an error; anything else that goes wrong ends the process.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
