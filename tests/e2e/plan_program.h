// A small tensor program that has all that plans decide about: a fold, a group, a fusion, a concatenation in
// place and copied, a depthwise convolution; and a folder for files that goes with its object.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace daedalus::testing {

/// @main takes %x: 1x12x12x3 and %y: 1x6x6x16, int8.
std::string planProgram();

class Folder {
public:
  explicit Folder(const std::string &name)
      : path(std::filesystem::temp_directory_path() / (name + "." + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }

private:
  std::filesystem::path path;
};

} // namespace daedalus::testing
