#include "EmulatedConv.h"

#include "daedalus/support/float16.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace daedalus::cuda {
namespace {

using package::DType;

/// Four dimensions that lie dense: of channels c.
struct Layout {
  uint64_t channels, rows, columns;
  bool hasChannelsLast;

  uint64_t place(uint64_t n, uint64_t c, uint64_t row, uint64_t column) const {
    return hasChannelsLast ? ((n * rows + row) * columns + column) * channels + c
                           : ((n * channels + c) * rows + row) * columns + column;
  }
};

class Convolution {
public:
  Convolution(Emulator &emulator, const Conv &conv) : emulator(emulator), conv(conv) {}

  Result<void> run(uint64_t atX, uint64_t atW, uint64_t atOut) {
    const auto x = read(atX, conv.bytesOfX()), w = x ? read(atW, conv.bytesOfW()) : x;
    auto sums = conv.accumulates && w ? read(atOut, conv.bytesOfOut()) : w;
    if (!sums)
      return error(sums.error());
    sums->resize(conv.bytesOfOut() / package::byteSize(conv.type));
    if (!conv.accumulates)
      std::fill(sums->begin(), sums->end(), 0.0F);
    const Layout out = layout(conv.results, conv.rows.result(), conv.columns.result());
    for (uint64_t n = 0; n < conv.images; ++n)
      for (uint64_t f = 0; f < conv.results; ++f)
        for (uint64_t row = 0; row < out.rows; ++row)
          for (uint64_t column = 0; column < out.columns; ++column)
            addWindow((*sums)[out.place(n, f, row, column)], *x, *w, {n, f, row, column});
    return write(atOut, *sums);
  }

private:
  Layout layout(uint64_t channels, uint64_t rows, uint64_t columns) const {
    return {channels, rows, columns, conv.hasChannelsLast};
  }

  /// `at`: an image, a filter, a row and a column of the result.
  void addWindow(float &sum, const std::vector<float> &x, const std::vector<float> &w,
                 const std::array<uint64_t, 4> &at) const {
    const Layout image = layout(conv.channels, conv.rows.image, conv.columns.image),
                 filter = layout(conv.channels, conv.rows.window, conv.columns.window);
    for (uint64_t c = 0; c < conv.channels; ++c)
      for (uint64_t r = 0; r < filter.rows; ++r)
        for (uint64_t s = 0; s < filter.columns; ++s) {
          const uint64_t row = at[2] * conv.rows.stride + r * conv.rows.dilation - conv.rows.pad,
                         column = at[3] * conv.columns.stride + s * conv.columns.dilation - conv.columns.pad;
          if (row < image.rows && column < image.columns) // in front of the image they wrap
            sum += x[image.place(at[0], c, row, column)] * w[filter.place(at[1], c, r, s)];
        }
  }

  Result<std::vector<float>> read(uint64_t address, uint64_t size) {
    std::vector<uint8_t> bytes(size);
    if (auto ok = emulator.read(address, {bytes.data(), bytes.size()}); !ok)
      return error(ok.error());
    std::vector<float> numbers(size / package::byteSize(conv.type));
    for (size_t i = 0; i < numbers.size(); ++i)
      if (conv.type == DType::F16) {
        uint16_t half = 0;
        std::memcpy(&half, bytes.data() + 2 * i, 2);
        numbers[i] = floatOfFloat16(half);
      } else {
        std::memcpy(&numbers[i], bytes.data() + 4 * i, 4);
      }
    return numbers;
  }

  Result<void> write(uint64_t address, const std::vector<float> &numbers) {
    std::vector<uint8_t> bytes(numbers.size() * package::byteSize(conv.type));
    for (size_t i = 0; i < numbers.size(); ++i)
      if (conv.type == DType::F16) {
        const auto half = static_cast<uint16_t>(float16Of(numbers[i]));
        std::memcpy(bytes.data() + 2 * i, &half, 2);
      } else {
        std::memcpy(bytes.data() + 4 * i, &numbers[i], 4);
      }
    return emulator.write(address, {bytes.data(), bytes.size()});
  }

  Emulator &emulator;
  const Conv &conv;
};

} // namespace

Result<EmulationCounts> convolve(Emulator &emulator, const Conv &conv, uint64_t x, uint64_t w, uint64_t out) {
  if (auto ok = Convolution(emulator, conv).run(x, w, out); !ok)
    return error(ok.error());
  EmulationCounts counts;
  counts.instructions = conv.images * conv.results * conv.rows.result() * conv.columns.result() *
                        conv.channels * conv.rows.window * conv.columns.window;
  counts.globalBytesLoaded = conv.bytesOfX() + conv.bytesOfW();
  counts.globalBytesStored = conv.bytesOfOut();
  return counts;
}

} // namespace daedalus::cuda
