// What users tell the CUDA backend.

#include "Libraries/LibraryChoice.h"
#include "State.h"

#include "daedalus/Target/CUDA/Settings.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

const std::vector<Architecture> &knownArchitectures() {
  static const std::vector<Architecture> all = {{80, false}, {86, false},       {89, false},     {90, false},
                                                {90, true},  {80, false, true}, {90, true, true}};
  return all;
}

std::string namesOfArchitectures() {
  std::vector<std::string> names;
  for (const Architecture &architecture : knownArchitectures())
    names.push_back(architecture.name());
  return llvm::join(llvm::drop_end(names), ", ") + " or " + names.back();
}

TargetOption architecturesOption() {
  TargetOption architectures{"cuda-arch", "ARCH,..."};
  architectures.meaning =
      "Architectures to generate code for: " + namesOfArchitectures() +
      ", several with commas between them (sm_80 runs on later ones too, sm_90a on GPUs "
      "of 9.0 alone, emulated on none: a driver that is loaded emulates sm_80's code, or that of sm_90a)";
  architectures.initial = Settings().architectures;
  architectures.refusal = "which already holds its code";
  architectures.give = given(&Settings::architectures);
  return architectures;
}

TargetOption calibrationOption() {
  TargetOption option{"cuda-calibration", "FILE"};
  option.meaning = "Costs of work on the GPU, for placement by price (default: those that bench --calibrate "
                   "--target cuda measured on this host)";
  option.isFile = true;
  option.refusal = "which was placed when it was compiled";
  option.give = given(&Settings::calibration);
  return option;
}

TargetOption librariesOption() {
  TargetOption option{"cuda-library", "LIBRARY[:PATTERN+...],..."};
  option.meaning =
      "Compute products on the GPU with cublas or cublaslt (matmul and matmul_i8, or only the patterns after "
      "a colon: cublas:matmul) and convolutions with cudnn (conv). Of several, separated by commas, the "
      "first that fits is used. A host that runs the package needs the library";
  option.refusal = "where it is decided already what a library computes";
  option.give = given(&Settings::libraries);
  return option;
}

} // namespace

Result<std::vector<Architecture>> parseArchitectures(const std::string &list) {
  std::vector<Architecture> result;
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(list).split(names, ',');
  for (llvm::StringRef name : names) {
    const auto found =
        llvm::find_if(knownArchitectures(), [&](const Architecture &a) { return a.name() == name; });
    if (found == knownArchitectures().end())
      return error("--cuda-arch has '" + name.str() + "'; expected " + namesOfArchitectures() +
                   ", several with commas between them");
    if (llvm::any_of(result, [&](const Architecture &a) { return a.name() == name; }))
      return error("--cuda-arch has '" + name.str() + "' twice");
    result.push_back(*found);
  }
  if (result.size() > 1 && llvm::any_of(result, [](const Architecture &a) { return a.isEmulated; }))
    return error("--cuda-arch has an emulated GPU beside others; expected it alone");
  return result;
}

std::vector<TargetOption> targetOptions() {
  return {architecturesOption(), calibrationOption(), librariesOption()};
}

Result<void> State::open(const TargetSettings &settings, ModuleOp) {
  architectures = *parseArchitectures(settings.of<Settings>().architectures); // check() took them
  libraries = settings.of<Settings>().libraries;
  file = settings.of<Settings>().calibration;
  return {};
}

Result<void> State::calibrate() {
  if (isCalibrated)
    return {};
  const Result<std::string> path = file.empty() ? calibrationFile() : Result<std::string>(file);
  Result<Calibration> read = path ? readCalibration(*path) : Result<Calibration>(error(path.error()));
  if (!read)
    return error("placement by price: " + read.error());
  calibration = std::move(*read);
  isCalibrated = true;
  return {};
}

} // namespace daedalus::cuda
