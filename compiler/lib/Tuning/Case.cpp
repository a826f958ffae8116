#include "Tuning/Case.h"

#include <regex>

namespace daedalus::tuning {
namespace {

using package::DType;

std::string sizes(std::initializer_list<int64_t> list) {
  std::string text;
  for (int64_t size : list)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

CpuCase product(int64_t m, int64_t k, int64_t n) {
  CpuCase c;
  c.m = m;
  c.k = k;
  c.n = n;
  return c;
}

CpuCase image(CaseKind kind, int64_t batch, int64_t channels, int64_t size, int64_t kernel, int64_t stride,
              int64_t pad) {
  CpuCase c;
  c.kind = kind;
  c.batch = batch;
  c.channels = channels;
  c.height = c.width = size;
  c.kernel = kernel;
  c.stride = stride;
  c.pad = pad;
  c.outputs = channels;
  return c;
}

CpuCase convolution(int64_t channels, int64_t size, int64_t outputs, int64_t kernel, int64_t stride) {
  CpuCase c = image(CaseKind::Conv, 1, channels, size, kernel, stride, kernel / 2);
  c.outputs = outputs;
  return c;
}

CpuCase depthwise(int64_t channels, int64_t size, int64_t stride) {
  CpuCase c = convolution(channels, size, channels, 3, stride);
  c.groups = channels;
  return c;
}

/// What is bound by arithmetic: the same in float32 and in int8.
std::vector<CpuCase> products() {
  return {
      product(256, 256, 256),          product(512, 512, 512),          product(1024, 1024, 1024),
      product(2048, 2048, 2048),       product(1, 2048, 1000),          product(128, 768, 768),
      product(128, 3072, 768),         product(16384, 64, 64),          product(12544, 64, 256),
      convolution(3, 224, 64, 7, 2),   convolution(64, 56, 64, 3, 1),   convolution(64, 56, 128, 3, 2),
      convolution(64, 56, 128, 1, 2),  convolution(128, 28, 128, 3, 1), convolution(128, 28, 256, 3, 2),
      convolution(128, 28, 256, 1, 2), convolution(256, 14, 256, 3, 1), convolution(256, 14, 512, 3, 2),
      convolution(256, 14, 512, 1, 2), convolution(512, 7, 512, 3, 1),  depthwise(32, 112, 1),
      depthwise(144, 56, 2),           depthwise(384, 14, 1),           depthwise(960, 7, 1),
  };
}

/// Of tensors of 256 MiB.
std::vector<CpuCase> memoryBound(bool isInt8) {
  const int64_t batch = isInt8 ? 64 : 16;
  std::vector<CpuCase> cases = {image(CaseKind::Add, batch, 64, 256, 1, 1, 0),
                                image(CaseKind::MaxPool, batch, 64, 256, 3, 2, 1),
                                image(CaseKind::AveragePool, batch, 64, 256, 2, 2, 0),
                                image(CaseKind::GlobalAveragePool, batch, 64, 256, 256, 1, 0)};
  if (!isInt8)
    for (CaseKind kind : {CaseKind::LayerNorm, CaseKind::Softmax}) {
      CpuCase rows;
      rows.kind = kind;
      rows.m = 65536;
      rows.n = 1024;
      cases.insert(cases.begin(), rows);
    }
  return cases;
}

std::string title(CaseKind kind) {
  switch (kind) {
  case CaseKind::MatMul:
    return "matmul";
  case CaseKind::Conv:
    return "conv";
  case CaseKind::Softmax:
    return "softmax";
  case CaseKind::LayerNorm:
    return "layernorm";
  case CaseKind::Add:
    return "add";
  case CaseKind::MaxPool:
    return "maxpool";
  case CaseKind::AveragePool:
    return "averagepool";
  case CaseKind::GlobalAveragePool:
    return "globalaveragepool";
  }
  return "";
}

} // namespace

std::string CpuCase::name() const {
  if (kind == CaseKind::MatMul)
    return title(kind) + "-" + sizes({m, k, n});
  if (kind == CaseKind::Softmax || kind == CaseKind::LayerNorm)
    return title(kind) + "-" + sizes({m, n});
  if (kind == CaseKind::Add || kind == CaseKind::GlobalAveragePool)
    return title(kind) + "-" + sizes({batch, channels, height, width});
  const std::string window = sizes({kernel, kernel}) + (stride > 1 ? "s" + std::to_string(stride) : "") + "-";
  if (kind != CaseKind::Conv)
    return title(kind) + window + sizes({batch, channels, height, width});
  const std::string image = window + sizes({channels, height, width});
  return groups > 1 ? "depthwise" + image : title(kind) + image + "-" + std::to_string(outputs);
}

std::string CpuCase::dtype() const {
  return isInt8 ? "int8" : "float32";
}

std::string CpuCase::label() const {
  return name() + "/" + dtype();
}

bool CpuCase::isImage() const {
  return kind != CaseKind::MatMul && m == 0;
}

bool CpuCase::isMemoryBound() const {
  return kind != CaseKind::MatMul && kind != CaseKind::Conv;
}

int64_t CpuCase::outHeight() const {
  return (height + 2 * pad - kernel) / stride + 1;
}

int64_t CpuCase::outWidth() const {
  return (width + 2 * pad - kernel) / stride + 1;
}

package::TensorType CpuCase::input() const {
  const DType dtype = isInt8 ? DType::I8 : DType::F32;
  if (isImage())
    return {dtype, {batch, channels, height, width}};
  return {dtype, {m, kind == CaseKind::MatMul ? k : n}};
}

package::TensorType CpuCase::output() const {
  const DType dtype = isInt8 ? DType::I8 : DType::F32;
  if (isImage())
    return {dtype, {batch, outputs, outHeight(), outWidth()}};
  return {dtype, {m, n}};
}

package::TensorType CpuCase::weights() const {
  const DType dtype = isInt8 ? DType::I8 : DType::F32;
  if (kind == CaseKind::MatMul)
    return {dtype, {k, n}};
  if (kind == CaseKind::Conv)
    return {dtype, {outputs, channels / groups, kernel, kernel}};
  return {dtype, {}};
}

uint64_t CpuCase::macs() const {
  if (kind == CaseKind::MatMul)
    return static_cast<uint64_t>(m * k * n);
  if (kind == CaseKind::Conv)
    return elementCount(output()) * static_cast<uint64_t>(channels / groups * kernel * kernel);
  return 0;
}

uint64_t CpuCase::movedBytes() const {
  return (kind == CaseKind::Add ? 2 : 1) * byteSize(input()) + byteSize(output());
}

std::vector<CpuCase> cpuCases() {
  std::vector<CpuCase> cases = products();
  for (CpuCase c : products()) {
    c.isInt8 = true;
    cases.push_back(c);
  }
  for (bool isInt8 : {false, true})
    for (CpuCase c : memoryBound(isInt8)) {
      c.isInt8 = isInt8;
      cases.push_back(c);
    }
  return cases;
}

Result<std::vector<CpuCase>> cpuCases(const std::string &regex) {
  std::vector<CpuCase> chosen;
  std::string labels;
  try {
    const std::regex pattern(regex);
    for (const CpuCase &c : cpuCases()) {
      labels += (labels.empty() ? "" : ", ") + c.label();
      if (std::regex_search(c.label(), pattern))
        chosen.push_back(c);
    }
  } catch (const std::regex_error &problem) {
    return error("'" + regex + "' is not a regular expression (" + problem.what() +
                 "); expected one such as matmul or conv3x3.*int8");
  }
  if (chosen.empty())
    return error("no case matches '" + regex + "'; the cases are " + labels);
  return chosen;
}

} // namespace daedalus::tuning
