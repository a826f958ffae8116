#include "cuda_conv.h"

#include <initializer_list>

namespace daedalus::cuda {
namespace {

using package::DType;

constexpr uint64_t mostSize = 0x7fffffff;

bool isSize(uint64_t size) {
  return size >= 1 && size <= mostSize;
}

/// Of sizes: whether there are fewer than 2^31 elements.
bool isTensor(std::initializer_list<uint64_t> sizes) {
  uint64_t elements = 1;
  for (uint64_t size : sizes) {
    if (size > mostSize / elements)
      return false;
    elements *= size;
  }
  return true;
}

/// Of sizes below 2^31 no number here overflows.
bool isLegal(const Extent &extent) {
  return isSize(extent.image) && isSize(extent.window) && isSize(extent.stride) && isSize(extent.dilation) &&
         extent.pad < extent.span() && extent.span() <= mostSize &&
         extent.span() <= extent.image + 2 * extent.pad && extent.image + 2 * extent.pad <= mostSize;
}

void write(ByteWriter &out, const Extent &extent) {
  for (uint64_t size : {extent.image, extent.window, extent.pad, extent.stride, extent.dilation})
    out.u64(size);
}

Extent readExtent(ByteReader &in) {
  Extent extent;
  for (uint64_t *size : {&extent.image, &extent.window, &extent.pad, &extent.stride, &extent.dilation})
    *size = in.u64();
  return extent;
}

} // namespace

uint64_t Conv::bytesOfX() const {
  return images * channels * rows.image * columns.image * package::byteSize(type);
}
uint64_t Conv::bytesOfW() const {
  return results * channels * rows.window * columns.window * package::byteSize(type);
}
uint64_t Conv::bytesOfOut() const {
  return images * results * rows.result() * columns.result() * package::byteSize(type);
}

bool isLegal(const Conv &conv) {
  const bool hasType = conv.type == DType::F32 || (conv.type == DType::F16 && !conv.accumulates);
  return hasType && isSize(conv.images) && isSize(conv.channels) && isSize(conv.results) &&
         isLegal(conv.rows) && isLegal(conv.columns) &&
         isTensor({conv.images, conv.channels, conv.rows.image, conv.columns.image}) &&
         isTensor({conv.results, conv.channels, conv.rows.window, conv.columns.window}) &&
         isTensor({conv.images, conv.results, conv.rows.result(), conv.columns.result()});
}

void write(ByteWriter &out, const Conv &conv) {
  out.u8(static_cast<uint8_t>(conv.type));
  out.u8(conv.hasChannelsLast);
  out.u8(conv.accumulates);
  for (uint64_t size : {conv.images, conv.channels, conv.results})
    out.u64(size);
  write(out, conv.rows);
  write(out, conv.columns);
}

Conv readConv(ByteReader &in) {
  Conv conv;
  conv.type = static_cast<DType>(in.u8());
  conv.hasChannelsLast = in.u8() != 0;
  conv.accumulates = in.u8() != 0;
  for (uint64_t *size : {&conv.images, &conv.channels, &conv.results})
    *size = in.u64();
  conv.rows = readExtent(in);
  conv.columns = readExtent(in);
  return conv;
}

} // namespace daedalus::cuda
