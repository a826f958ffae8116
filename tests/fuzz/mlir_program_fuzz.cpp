// Tensor programs, and what the compiler printed of them at level dae, as it reads them: each is refused with
// one sentence, or compiled.
#include "fuzz.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Settings.h"

#include "llvm/Support/Signals.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

/// A file named *.mlir that goes with the object.
class ProgramFile {
public:
  ProgramFile(const uint8_t *data, size_t size)
      : path((fs::temp_directory_path() / ("fuzz." + std::to_string(getpid()) + ".mlir")).string()) {
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char *>(data), size);
  }
  ~ProgramFile() { fs::remove(path); }
  const std::string path;
};

daedalus::CompileOptions optionsForTiny() {
  daedalus::CompileOptions options;
  options.settings.of<daedalus::accelerator::Settings>().machine = *daedalus::isa::loadMachine("tiny");
  return options;
}

} // namespace

std::vector<std::vector<uint8_t>> daedalus::fuzz::seeds() {
  std::vector<std::vector<uint8_t>> all;
  for (const auto &entry : fs::directory_iterator(DAEDALUS_SOURCE_DIR "/examples/tensor_programs")) {
    std::stringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    all.push_back(bytesOf(text.str()));
    if (const auto lowered = emitLevel(entry.path().string(), optionsForTiny(), "dae"))
      all.push_back(bytesOf(*lowered));
  }
  return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const ProgramFile file(data, size);
  const auto compiled = daedalus::compileModel(file.path, optionsForTiny());
  llvm::sys::unregisterHandlers(); // LLVM's own, which keep libFuzzer from saving what fails below
  const std::string sentence = compiled ? "" : compiled.error();
  daedalus::fuzz::require(compiled || (!sentence.empty() && sentence.find('\n') == std::string::npos &&
                                       sentence.find("mistake of the compiler") == std::string::npos &&
                                       sentence.find("without a reason") == std::string::npos),
                          "refused without a sentence: " + sentence);
  return 0;
}
