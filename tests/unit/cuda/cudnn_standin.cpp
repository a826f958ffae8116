// A stand-in for cuDNN, as cublas_standin.cpp is one for cuBLAS: it judges each call by the manual and
// computes convolutions by the strides that it is given. So that a test gets every answer, the first
// algorithm is not supported of dilated windows and asks for too much memory with strides of 3, and none is
// supported with dilations of 4.
#include "standin_state.h"

#include "daedalus/support/float16.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace daedalus::test;

namespace {

// Of cudnnStatus_t of version 8; version 9 has statuses of its own for reasons, such as the last one.
constexpr int badParameter = 3, internalErrorOfDnn = 4, notSupported = 9;
constexpr int badParameter9 = 2000, internalError9 = 4000, notSupportedLayout9 = 3003;

/// As the version has it.
int statusOf(int status) {
  if (parts().state.versionOfDnn == 8)
    return status;
  return status == badParameter         ? badParameter9
         : status == internalErrorOfDnn ? internalError9
         : status == notSupported       ? notSupportedLayout9
                                        : status;
}
constexpr int floats = 0, float16s = 2;

int statusOfDnn(int status) {
  return status ? statusOf(internalErrorOfDnn) : 0;
}

enum class Form { Tensor, Filter, Convolution };

struct Descriptor {
  Form form = Form::Tensor;
  bool isSet = false, hasChannelsLast = false; ///< the latter of filters
  int type = 0;                                ///< of a convolution that of sums
  std::array<int, 4> sizes{};                  ///< N, C, H, W
  std::array<int, 4> strides{};                ///< likewise, of elements
  std::array<int, 2> pads{}, steps{}, dilations{};
  int math = 0;

  size_t place(const std::array<int, 4> &at) const {
    size_t place = 0;
    for (size_t i = 0; i < 4; ++i)
      place += size_t(at[i]) * size_t(strides[i]);
    return place;
  }
  size_t bytes() const {
    return (place({sizes[0] - 1, sizes[1] - 1, sizes[2] - 1, sizes[3] - 1}) + 1) * (type == float16s ? 2 : 4);
  }
};

std::map<void *, Descriptor> descriptors;
std::map<void *, void *> streams; ///< by handle

std::array<int, 4> dense(const std::array<int, 4> &sizes, bool isLast) {
  const int c = sizes[1], h = sizes[2], w = sizes[3];
  return isLast ? std::array<int, 4>{c * h * w, 1, w * c, c} : std::array<int, 4>{c * h * w, h * w, w, 1};
}

int makeDescriptor(const char *name, Form form, void **made) {
  const int status = make(name, Kind::Description, 1, made);
  if (!status)
    descriptors[*made].form = form;
  return statusOfDnn(status);
}

int destroyDescriptor(const char *name, void *descriptor) {
  descriptors.erase(descriptor);
  return statusOfDnn(destroy(name, Kind::Description, descriptor));
}

/// Null, and a mistake, where there is none of the form.
Descriptor *descriptorOf(const char *name, Form form, void *handle) {
  if (!find(name, Kind::Description, handle))
    return nullptr;
  Descriptor &found = descriptors[handle];
  return found.form == form ? &found
                            : (mistake(std::string(name) + " of another descriptor", badParameter), nullptr);
}

int set(const char *name, Form form, void *handle, const Descriptor &as) {
  if (const int status = calledInContext(name))
    return statusOfDnn(status);
  Descriptor *descriptor = descriptorOf(name, form, handle);
  const auto isPositive = [](int size) { return size >= 1; };
  if (!descriptor || !std::all_of(as.sizes.begin(), as.sizes.end(), isPositive) ||
      !std::all_of(as.strides.begin(), as.strides.end(), isPositive) ||
      (as.type != floats && as.type != float16s))
    return statusOf(badParameter);
  *descriptor = as;
  descriptor->form = form;
  descriptor->isSet = true;
  return 0;
}

struct Convolution {
  Descriptor x, w, how, y;
  int algorithm = 0;
  const void *dataX = nullptr, *dataW = nullptr;
  void *dataY = nullptr;
  bool accumulates = false;

  int extentOfResult(int i) const {
    const int span = how.dilations[size_t(i)] * (w.sizes[size_t(i) + 2] - 1) + 1;
    return (x.sizes[size_t(i) + 2] + 2 * how.pads[size_t(i)] - span) / how.steps[size_t(i)] + 1;
  }
  /// What version 8 would say.
  int judge() const {
    if (!x.isSet || !w.isSet || !how.isSet || !y.isSet || x.sizes[1] != w.sizes[1] ||
        y.sizes[0] != x.sizes[0] || y.sizes[1] != w.sizes[0] || y.sizes[2] != extentOfResult(0) ||
        y.sizes[3] != extentOfResult(1))
      return badParameter;
    if (x.strides != dense(x.sizes, w.hasChannelsLast) || y.strides != dense(y.sizes, w.hasChannelsLast))
      return notSupported;
    if (x.type != w.type || x.type != y.type || how.type != floats || how.math != (x.type == floats ? 3 : 1))
      return notSupported;
    const bool isDilated = how.dilations[0] > 1 || how.dilations[1] > 1;
    if (how.dilations[0] >= 4 || (algorithm == 1 && isDilated) || algorithm < 0 || algorithm > 1)
      return notSupported;
    return 0;
  }
  size_t workspaceBytes() const { return algorithm == 0 ? 0 : how.steps[0] == 3 ? 64 << 20 : 4096; }
};

float numberAt(const void *data, int type, size_t i) {
  return type == float16s ? daedalus::floatOfFloat16(static_cast<const uint16_t *>(data)[i])
                          : static_cast<const float *>(data)[i];
}

double sumOf(const Convolution &of, int n, int f, int row, int column) {
  double sum = 0;
  for (int c = 0; c < of.w.sizes[1]; ++c)
    for (int r = 0; r < of.w.sizes[2]; ++r)
      for (int s = 0; s < of.w.sizes[3]; ++s) {
        const int h = row * of.how.steps[0] + r * of.how.dilations[0] - of.how.pads[0],
                  v = column * of.how.steps[1] + s * of.how.dilations[1] - of.how.pads[1];
        if (h >= 0 && v >= 0 && h < of.x.sizes[2] && v < of.x.sizes[3])
          sum += double(numberAt(of.dataX, of.x.type, of.x.place({n, c, h, v}))) *
                 double(numberAt(of.dataW, of.w.type, of.w.place({f, c, r, s})));
      }
  return sum;
}

void compute(const Convolution &of) {
  for (int n = 0; n < of.y.sizes[0]; ++n)
    for (int f = 0; f < of.y.sizes[1]; ++f)
      for (int row = 0; row < of.y.sizes[2]; ++row)
        for (int column = 0; column < of.y.sizes[3]; ++column) {
          const size_t i = of.y.place({n, f, row, column});
          const auto sum = static_cast<float>(sumOf(of, n, f, row, column) +
                                              (of.accumulates ? numberAt(of.dataY, of.y.type, i) : 0));
          if (of.y.type == float16s)
            static_cast<uint16_t *>(of.dataY)[i] = daedalus::float16Of(sum);
          else
            static_cast<float *>(of.dataY)[i] = sum;
        }
}

/// A convolution of descriptors that are alive; false, and a mistake, of others.
bool describe(const char *name, Convolution &made, void *handle, void *x, void *w, void *how, void *y) {
  const Descriptor *all[] = {descriptorOf(name, Form::Tensor, x), descriptorOf(name, Form::Filter, w),
                             descriptorOf(name, Form::Convolution, how), descriptorOf(name, Form::Tensor, y)};
  if (!find(name, Kind::Blas, handle) || std::count(std::begin(all), std::end(all), nullptr))
    return false;
  made.x = *all[0], made.w = *all[1], made.how = *all[2], made.y = *all[3];
  return true;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

const char *cudnnGetErrorString(int status) {
  return status == statusOf(badParameter)         ? "CUDNN_STATUS_BAD_PARAM"
         : status == statusOf(internalErrorOfDnn) ? "CUDNN_STATUS_INTERNAL_ERROR"
         : status == notSupported                 ? "CUDNN_STATUS_NOT_SUPPORTED"
         : status == notSupportedLayout9          ? "CUDNN_STATUS_NOT_SUPPORTED_LAYOUT"
                                                  : "CUDNN_UNKNOWN_STATUS";
}
int cudnnCreate(void **handle) {
  return statusOfDnn(make("cudnnCreate", Kind::Blas, 1, handle));
}
int cudnnDestroy(void *handle) {
  streams.erase(handle);
  return statusOfDnn(destroy("cudnnDestroy", Kind::Blas, handle));
}
int cudnnSetStream(void *handle, void *stream) {
  if (find("cudnnSetStream", Kind::Blas, handle) && find("cudnnSetStream", Kind::Stream, stream))
    streams[handle] = stream;
  return statusOfDnn(calledInContext("cudnnSetStream"));
}
int cudnnCreateTensorDescriptor(void **made) {
  return makeDescriptor("cudnnCreateTensorDescriptor", Form::Tensor, made);
}
int cudnnDestroyTensorDescriptor(void *descriptor) {
  return destroyDescriptor("cudnnDestroyTensorDescriptor", descriptor);
}
int cudnnSetTensor4dDescriptorEx(void *tensor, int type, int n, int c, int h, int w, int strideN, int strideC,
                                 int strideH, int strideW) {
  Descriptor as;
  as.type = type, as.sizes = {n, c, h, w}, as.strides = {strideN, strideC, strideH, strideW};
  return set("cudnnSetTensor4dDescriptorEx", Form::Tensor, tensor, as);
}
int cudnnCreateFilterDescriptor(void **made) {
  return makeDescriptor("cudnnCreateFilterDescriptor", Form::Filter, made);
}
int cudnnDestroyFilterDescriptor(void *descriptor) {
  return destroyDescriptor("cudnnDestroyFilterDescriptor", descriptor);
}
int cudnnSetFilter4dDescriptor(void *filter, int type, int format, int k, int c, int h, int w) {
  Descriptor as;
  as.type = type, as.sizes = {k, c, h, w};
  as.hasChannelsLast = format == 1;
  as.strides = dense(as.sizes, as.hasChannelsLast);
  return format < 0 || format > 1 ? statusOf(badParameter)
                                  : set("cudnnSetFilter4dDescriptor", Form::Filter, filter, as);
}
int cudnnCreateConvolutionDescriptor(void **made) {
  return makeDescriptor("cudnnCreateConvolutionDescriptor", Form::Convolution, made);
}
int cudnnDestroyConvolutionDescriptor(void *descriptor) {
  return destroyDescriptor("cudnnDestroyConvolutionDescriptor", descriptor);
}
int cudnnSetConvolution2dDescriptor(void *convolution, int padRows, int padColumns, int strideRows,
                                    int strideColumns, int dilationRows, int dilationColumns, int mode,
                                    int type) {
  Descriptor as;
  as.type = type, as.sizes = {strideRows, strideColumns, dilationRows, dilationColumns};
  as.strides = {1, 1, 1, 1};
  as.pads = {padRows, padColumns}, as.steps = {strideRows, strideColumns};
  as.dilations = {dilationRows, dilationColumns};
  return padRows < 0 || padColumns < 0 || mode != 1
             ? statusOf(badParameter)
             : set("cudnnSetConvolution2dDescriptor", Form::Convolution, convolution, as);
}
int cudnnSetConvolutionMathType(void *convolution, int math) {
  if (Descriptor *found = descriptorOf("cudnnSetConvolutionMathType", Form::Convolution, convolution))
    found->math = math;
  return statusOfDnn(calledInContext("cudnnSetConvolutionMathType"));
}
int cudnnGetConvolutionForwardWorkspaceSize(void *handle, void *x, void *w, void *how, void *y, int algorithm,
                                            size_t *bytes) {
  constexpr const char *name = "cudnnGetConvolutionForwardWorkspaceSize";
  if (const int status = calledInContext(name))
    return statusOfDnn(status);
  Convolution asked;
  asked.algorithm = algorithm;
  if (!describe(name, asked, handle, x, w, how, y))
    return statusOf(badParameter);
  *bytes = asked.workspaceBytes();
  return statusOf(asked.judge());
}
int cudnnConvolutionForward(void *handle, const void *alpha, void *x, const void *dataX, void *w,
                            const void *dataW, void *how, int algorithm, void *workspace,
                            size_t workspaceBytes, const void *beta, void *y, void *dataY) {
  constexpr const char *name = "cudnnConvolutionForward";
  if (const int status = calledInContext(name))
    return statusOfDnn(status);
  Convolution asked;
  asked.algorithm = algorithm;
  if (!describe(name, asked, handle, x, w, how, y))
    return statusOf(badParameter);
  asked.dataX = dataX, asked.dataW = dataW, asked.dataY = dataY;
  const float one = *static_cast<const float *>(alpha), before = *static_cast<const float *>(beta);
  asked.accumulates = before == 1;
  if (const int status = asked.judge())
    return statusOf(status);
  if (one != 1 || (before != 0 && before != 1) || workspaceBytes < asked.workspaceBytes())
    return statusOf(badParameter);
  if (!isWithinMemory(workspace, workspaceBytes))
    return mistake(std::string(name) + " with a workspace beyond the memory", statusOf(badParameter));
  if (!isWithinMemory(dataX, asked.x.bytes()) || !isWithinMemory(dataW, asked.w.bytes()) ||
      !isWithinMemory(dataY, asked.y.bytes()))
    return mistake(std::string(name) + " beyond the memory", statusOf(badParameter));
  Thing *stream = find(name, Kind::Stream, streams[handle]);
  if (!stream)
    return statusOf(badParameter);
  give(*stream, {[asked] { compute(asked); }, {dataX, dataW, dataY}});
  return 0;
}

} // extern "C"
#pragma GCC visibility pop
