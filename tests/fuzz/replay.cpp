// replay [CORPUS]: runs the fuzz target that it is linked with on the target's seeds, on every file of the
// folder CORPUS, and on some damaged copies of each (DAEDALUS_FUZZ_MUTATIONS; a fixed random sequence). What
// ends the process is the last line on stderr. replay --write-seeds FOLDER: writes the seeds there, where
// libFuzzer finds them.
#include "fuzz.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace daedalus::fuzz {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

struct Input {
  std::string name;
  Bytes bytes;
};

std::vector<Input> readCorpus(const fs::path &folder) {
  std::vector<fs::path> paths;
  std::error_code none;
  for (const auto &entry : fs::directory_iterator(folder, none))
    if (entry.is_regular_file())
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Input> inputs;
  for (const fs::path &path : paths) {
    std::ifstream in(path, std::ios::binary);
    inputs.push_back({path.filename().string(), Bytes(std::istreambuf_iterator<char>(in), {})});
  }
  return inputs;
}

/// A copy with one to four bytes changed, inserted, removed, or taken from another input.
Bytes damaged(Bytes bytes, const Bytes &other, std::mt19937 &random) {
  const auto below = [&](size_t bound) { return bound ? random() % bound : 0; };
  for (unsigned edits = 1 + below(4); edits > 0; --edits) {
    const size_t at = below(bytes.size() + 1), count = std::min<size_t>(1 + below(8), bytes.size() - at);
    switch (below(5)) {
    case 0:
      bytes.erase(bytes.begin() + at, bytes.begin() + at + count);
      break;
    case 1:
      bytes.insert(bytes.begin() + at, 1 + below(4), static_cast<uint8_t>(random()));
      break;
    case 2: {
      const size_t from = below(other.size() + 1), length = std::min<size_t>(below(32), other.size() - from);
      bytes.insert(bytes.begin() + at, other.begin() + from, other.begin() + from + length);
      break;
    }
    case 3:
      for (size_t i = 0; i < count; ++i)
        bytes[at + i] = static_cast<uint8_t>(below(2) ? 0xff : 0);
      break;
    default:
      if (at < bytes.size())
        bytes[at] ^= static_cast<uint8_t>(1u << below(8));
    }
  }
  return bytes;
}

void runOne(const std::string &name, const Bytes &bytes) {
  std::cerr << name << "\n";
  const Bytes exact(bytes); // nothing behind the last byte, so that the sanitizer sees a read past it
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

int replay(const fs::path &folder) {
  std::vector<Input> inputs = readCorpus(folder);
  for (Bytes &seed : seeds())
    inputs.push_back({"seed " + std::to_string(inputs.size()), std::move(seed)});
  for (const Input &input : inputs)
    runOne(input.name, input.bytes);
  const char *setting = std::getenv("DAEDALUS_FUZZ_MUTATIONS");
  const unsigned long mutations = setting ? std::strtoul(setting, nullptr, 10) : 20;
  std::mt19937 random(1);
  for (const Input &input : inputs)
    for (unsigned long i = 0; i < mutations; ++i)
      runOne("mutation " + std::to_string(i) + " of " + input.name,
             damaged(input.bytes, inputs[random() % inputs.size()].bytes, random));
  std::cout << inputs.size() << " inputs and " << inputs.size() * mutations << " mutations\n";
  return inputs.empty();
}

int writeSeeds(const fs::path &folder) {
  fs::create_directories(folder);
  unsigned number = 0;
  for (const Bytes &seed : seeds())
    std::ofstream(folder / ("seed_" + std::to_string(number++)), std::ios::binary)
        .write(reinterpret_cast<const char *>(seed.data()), static_cast<std::streamsize>(seed.size()));
  return 0;
}

} // namespace
} // namespace daedalus::fuzz

int main(int argc, char **argv) {
  using namespace daedalus::fuzz;
  if (argc == 3 && std::string(argv[1]) == "--write-seeds")
    return writeSeeds(argv[2]);
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " CORPUS | --write-seeds FOLDER\n";
    return 2;
  }
  return replay(argv[1]);
}
