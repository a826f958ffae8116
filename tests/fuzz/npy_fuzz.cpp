// The reader of .npy files: what it accepts it writes, and reads back as the same tensor.
#include "fuzz.h"

#include "daedalus/runtime/npy.h"

using namespace daedalus;
using namespace daedalus::runtime;

std::vector<std::vector<uint8_t>> fuzz::seeds() {
  std::vector<std::vector<uint8_t>> all;
  for (const DType dtype : {DType::I8, DType::I64, DType::F32, DType::Bool})
    for (const std::vector<int64_t> &shape : {std::vector<int64_t>{}, {3}, {2, 0}, {1, 2, 2}}) {
      const TensorType type{dtype, shape};
      all.push_back(formatNpy({"", type, std::vector<uint8_t>(byteSize(type), 1)}));
    }
  return all;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto tensor = parseNpy({data, size}, "input.npy");
  if (!tensor)
    return 0;
  fuzz::require(tensor->data.size() == byteSize(tensor->type), "a tensor has not the bytes of its type");
  const std::vector<uint8_t> written = formatNpy(*tensor);
  auto again = parseNpy(written, "written.npy");
  fuzz::require(again && again->type == tensor->type && again->data == tensor->data,
                "a tensor that was written is read back as another one");
  return 0;
}
