// random_graph_models FOLDER COUNT: writes the ONNX models of the random graphs 0 to COUNT as
// FOLDER/graph_SEED.onnx.
#include "graph_to_onnx.h"
#include "random_graph.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

int main(int argc, char **argv) {
  const unsigned long count = argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 0;
  if (count == 0) {
    std::cerr << "usage: random_graph_models FOLDER COUNT\n";
    return 2;
  }
  for (unsigned long seed = 0; seed < count; ++seed) {
    const std::string path = std::string(argv[1]) + "/graph_" + std::to_string(seed) + ".onnx";
    const std::string model = daedalus::testing::toOnnx(daedalus::testing::randomGraph(seed));
    if (!(std::ofstream(path, std::ios::binary) << model).flush()) {
      std::cerr << "random_graph_models: error: cannot write '" << path << "'\n";
      return 1;
    }
  }
}
