#include "entries.h"

#include <fstream>
#include <sstream>

namespace daedalus::test {
namespace {

bool readTimed(std::istream &words, Entry &entry) {
  std::string what;
  words >> what;
  entry.kind = what == "product"      ? Entry::Kind::Product
               : what == "transposed" ? Entry::Kind::Transposed
               : what == "bytes"      ? Entry::Kind::Bytes
                                      : Entry::Kind::Products;
  for (size_t i = 0; i < (entry.isOfMatrices() ? 3U : 1U); ++i)
    words >> entry.sizes[i];
  return bool(words);
}

} // namespace

Result<std::vector<Entry>> readEntries(const std::string &folder) {
  std::ifstream file(folder + "/list");
  if (!file)
    return error("there is no file '" + folder + "/list'; 'cuda.sh prepare' makes such a folder");
  std::vector<Entry> entries;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Entry entry;
    std::string verb;
    words >> verb >> entry.name;
    const bool isRead = verb == "check" ? bool(words >> entry.relative >> entry.absolute)
                                        : verb == "time" && readTimed(words, entry);
    if (!isRead)
      return error("'" + folder + "/list' has the line '" + line + "'; expected one of cuda.sh's");
    entries.push_back(std::move(entry));
  }
  return entries;
}

} // namespace daedalus::test
