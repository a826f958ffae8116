// A folder of a test's own, removed at its end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace daedalus::test {

struct TemporaryFolder {
  std::filesystem::path path;

  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "daedalus-test-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path, none);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
};

} // namespace daedalus::test
