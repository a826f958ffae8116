// Regular files in the place of a UIO device and a u-dma-buf, in a folder of their own.
#pragma once

#include "dae_linux_socket.h"

#include "daedalus/support/temporaries.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace daedalus::test {

/// Environment variables, back as they were in the end.
class Variables {
public:
  void set(const char *name, const std::string &value) {
    setenv(name, value.c_str(), 1);
    names.push_back(name);
  }
  ~Variables() {
    for (const char *name : names)
      unsetenv(name);
  }

private:
  std::vector<const char *> names;
};

class UioFiles : public ::testing::Test {
protected:
  static constexpr uint64_t address = 0x40000000, registerBytes = 4096, memoryBytes = 1 << 20;

  UioFiles() : scratch(std::move(*ScratchFolder::create())) {
    write("registers", std::string(registerBytes, '\0'));
    write("memory", std::string(memoryBytes, '\0'));
    write("phys_addr", "0x0000000040000000\n");
    write("size", std::to_string(memoryBytes) + "\n");
  }
  ~UioFiles() override { dae_linux_close(&device); }

  std::string path(const std::string &name) const { return scratch->path + "/" + name; }
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string &name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  /// The other process' view of a file.
  void *map(const std::string &name, size_t bytes) const {
    const int file = ::open(path(name).c_str(), O_RDWR);
    void *const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return mapped;
  }
  int open(uint32_t milliseconds = 10'000) {
    return dae_linux_open_any(&device, path("registers").c_str(), path("memory").c_str(), milliseconds);
  }
  /// The sentence of an opening that fails, without the folder.
  std::string problem() {
    EXPECT_EQ(open(), -1);
    std::string text = device.error;
    for (size_t at; (at = text.find(scratch->path + "/")) != std::string::npos;)
      text.erase(at, scratch->path.size() + 1);
    return text;
  }

  const std::unique_ptr<ScratchFolder> scratch;
  dae_linux device = closed();

private:
  static dae_linux closed() {
    dae_linux none{};
    none.registers_file = none.memory_file = none.for_device_file = none.for_cpu_file = -1;
    return none;
  }
};

} // namespace daedalus::test
