// The compiler on damaged ONNX models: each is refused with one sentence that has none of the compiler's own
// words in it, or compiled. corpus/onnx holds what once crashed it, or was refused with such words (most of
// it found by tests/onnx_mutants).
#include "fuzz.h"
#include "onnx_builder.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Settings.h"

#include "llvm/Support/Signals.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <regex>

using daedalus::test::OnnxBuilder;
using Type = onnx::TensorProto;

namespace {

/// A file in memory that lives as long as this.
class MemoryFile {
public:
  MemoryFile(const uint8_t *data, size_t size) : handle(memfd_create("model.onnx", 0)) {
    daedalus::fuzz::require(handle >= 0 && write(handle, data, size) == static_cast<ssize_t>(size),
                            "there is no file in memory");
  }
  ~MemoryFile() { close(handle); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(handle); }

private:
  int handle;
};

/// One line without words of the compiler's own, but for those that the model itself holds as names.
bool isSentence(const std::string &message, const std::string &model) {
  static const std::regex internal(
      "'((?:tensor|linalg|tosa|arith|memref|func|llvm|scf|cf|math|quant|dae|host)\\.\\w+)"
      "|(mistake of the compiler|without a reason|\\(op_type)");
  if (message.empty() || message.find('\n') != std::string::npos)
    return false;
  const std::sregex_iterator words(message.begin(), message.end(), internal);
  return std::all_of(words, std::sregex_iterator(), [&](const std::smatch &word) {
    static const std::regex number("_\\d+$"); // of a node without a name
    return model.find(std::regex_replace(word[word[1].matched ? 1 : 2].str(), number, "")) !=
           std::string::npos;
  });
}

std::vector<uint8_t> bytesOf(const OnnxBuilder &model) {
  return daedalus::fuzz::bytesOf(model.bytes());
}

} // namespace

std::vector<std::vector<uint8_t>> daedalus::fuzz::seeds() {
  std::vector<std::vector<uint8_t>> all;
  OnnxBuilder gather;
  gather.output(
      gather.node("Gather",
                  {gather.input("x", Type::FLOAT, {3, 4}), gather.integers(Type::INT64, {2}, {0, 2})},
                  {{"axis", 1}}),
      Type::FLOAT, {3, 2});
  all.push_back(::bytesOf(gather));
  OnnxBuilder conv;
  const std::string x = conv.dequantize(conv.input("x", Type::INT8, {1, 2, 4, 4}), 0.5f, 3);
  const std::string w = conv.weights({2, 2, 1, 1}, {1, 2, 3, 4}, {0.5f}, 0);
  conv.output(conv.quantize(conv.node("Conv", {x, w}), 0.25f, -2), Type::INT8, {1, 2, 4, 4});
  all.push_back(::bytesOf(conv));
  return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const MemoryFile file(data, size);
  daedalus::CompileOptions options;
  options.settings.of<daedalus::accelerator::Settings>().machine = *daedalus::isa::loadMachine("tiny");
  const auto compiled = daedalus::compileModel(file.path(), options);
  llvm::sys::unregisterHandlers(); // LLVM's own, which keep libFuzzer from saving what fails below
  daedalus::fuzz::require(compiled || isSentence(compiled.error(), {data, data + size}),
                          "refused with words of the compiler's own: " + (compiled ? "" : compiled.error()));
  return 0;
}
