// What a user says of a model's inputs that the model leaves open.

#ifndef DAEDALUS_IMPORT_ONNX_GIVENINPUTS_H
#define DAEDALUS_IMPORT_ONNX_GIVENINPUTS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace daedalus {

struct GivenInputs {
  /// The sizes of an input by its name; "" is the only input.
  std::map<std::string, std::vector<int64_t>> shapes;
  /// The number that all elements of an input are, as text; it is no input any more.
  std::map<std::string, std::string> constants;

  bool empty() const { return shapes.empty() && constants.empty(); }
};

} // namespace daedalus

#endif
