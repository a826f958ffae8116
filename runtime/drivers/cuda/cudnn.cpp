// cuDNN: a convolution is described, and an algorithm chosen that needs no more than the workspace, before
// the first run.
#include "cudnn_api.h"
#include "library_file.h"
#include "opened_library.h"
#include "owned.h"

#include <array>

namespace daedalus::cuda {
namespace {

using Api = CudnnApi;

void findAll(LibraryFile &file, Api &api) {
  file.find(api.create, "cudnnCreate");
  file.find(api.destroy, "cudnnDestroy");
  file.find(api.setStream, "cudnnSetStream");
  file.find(api.createTensor, "cudnnCreateTensorDescriptor");
  file.find(api.setTensor, "cudnnSetTensor4dDescriptorEx");
  file.find(api.destroyTensor, "cudnnDestroyTensorDescriptor");
  file.find(api.createFilter, "cudnnCreateFilterDescriptor");
  file.find(api.setFilter, "cudnnSetFilter4dDescriptor");
  file.find(api.destroyFilter, "cudnnDestroyFilterDescriptor");
  file.find(api.createConvolution, "cudnnCreateConvolutionDescriptor");
  file.find(api.setConvolution, "cudnnSetConvolution2dDescriptor");
  file.find(api.setMath, "cudnnSetConvolutionMathType");
  file.find(api.destroyConvolution, "cudnnDestroyConvolutionDescriptor");
  file.find(api.workspaceBytes, "cudnnGetConvolutionForwardWorkspaceSize");
  file.find(api.convolve, "cudnnConvolutionForward");
  file.find(api.statusText, "cudnnGetErrorString");
}

/// What all convolutions of a session share.
struct Session {
  const Api api;
  const Workspace workspace;
  Api::Handle handle = nullptr;

  Result<void> check(Api::Status status, const std::string &what) const {
    if (status == 0)
      return {};
    const char *text = api.statusText(status);
    return error(what + " failed: cuDNN says " + (text ? text : "status " + std::to_string(status)));
  }
};

/// "convolving 2 x 8 x 7 x 5 by 16 x 8 x 3 x 3 with cuDNN": images and filters, channels first.
std::string describe(const Conv &conv) {
  const auto sizes = [](std::initializer_list<uint64_t> all) {
    std::string text;
    for (uint64_t size : all)
      text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text;
  };
  return "convolving " + sizes({conv.images, conv.channels, conv.rows.image, conv.columns.image}) + " by " +
         sizes({conv.results, conv.channels, conv.rows.window, conv.columns.window}) + " with cuDNN";
}

class Ready : public ReadyCall {
public:
  Ready(const Session &session, const Conv &conv)
      : session(session), api(session.api), conv(conv), what(describe(conv)), x(api.destroyTensor),
        w(api.destroyFilter), y(api.destroyTensor), convolution(api.destroyConvolution) {}

  Result<void> prepare() {
    if (auto ok = describeTensor(x, conv.channels, conv.rows.image, conv.columns.image); !ok)
      return ok;
    if (auto ok = describeTensor(y, conv.results, conv.rows.result(), conv.columns.result()); !ok)
      return ok;
    if (auto ok = describeFilter(); !ok)
      return ok;
    if (auto ok = describeConvolution(); !ok)
      return ok;
    return chooseAlgorithm();
  }

  Result<void> run(Address image, Address filters, Address out) override {
    const float one = 1, before = conv.accumulates ? 1 : 0;
    return check(api.convolve(session.handle, &one, x, asPointer(image), w, asPointer(filters), convolution,
                              algorithm, asPointer(session.workspace.address), session.workspace.bytes,
                              &before, y, asPointer(out)));
  }

private:
  Result<void> check(Api::Status status) const { return session.check(status, what); }
  int type() const { return conv.type == package::DType::F16 ? Api::float16s : Api::floats; }
  static int number(uint64_t size) { return static_cast<int>(size); }

  Result<void> describeTensor(Owned &tensor, uint64_t channels, uint64_t rows, uint64_t columns) {
    if (auto ok = check(tensor.make(api.createTensor)); !ok)
      return ok;
    const bool last = conv.hasChannelsLast;
    return check(api.setTensor(tensor, type(), number(conv.images), number(channels), number(rows),
                               number(columns), number(channels * rows * columns),
                               number(last ? 1 : rows * columns), number(last ? columns * channels : columns),
                               number(last ? channels : 1)));
  }

  Result<void> describeFilter() {
    if (auto ok = check(w.make(api.createFilter)); !ok)
      return ok;
    return check(api.setFilter(w, type(), conv.hasChannelsLast ? Api::channelsLast : Api::channelsFirst,
                               number(conv.results), number(conv.channels), number(conv.rows.window),
                               number(conv.columns.window)));
  }

  Result<void> describeConvolution() {
    if (auto ok = check(convolution.make(api.createConvolution)); !ok)
      return ok;
    const Extent &rows = conv.rows, &columns = conv.columns;
    if (auto ok = check(api.setConvolution(convolution, number(rows.pad), number(columns.pad),
                                           number(rows.stride), number(columns.stride), number(rows.dilation),
                                           number(columns.dilation), Api::crossCorrelation, Api::floats));
        !ok)
      return ok;
    return check(api.setMath(convolution, conv.type == package::DType::F16 ? Api::tensorCores : Api::fma));
  }

  /// The faster one first; the other needs little memory or none.
  Result<void> chooseAlgorithm() {
    for (int candidate : {Api::implicitPrecomputedGemm, Api::implicitGemm}) {
      size_t bytes = 0;
      const Api::Status status = api.workspaceBytes(session.handle, x, w, convolution, y, candidate, &bytes);
      algorithm = candidate;
      const bool isSupported =
          status != Api::notSupported && (status < Api::notSupported9 || status >= Api::internalError9);
      if (isSupported && (status != 0 || bytes <= session.workspace.bytes))
        return check(status);
    }
    return error(what + " failed: it has no algorithm for them on this GPU in a workspace of " +
                 std::to_string(session.workspace.bytes) + " bytes; compile without --cuda-library cudnn");
  }

  const Session &session;
  const Api &api;
  const Conv conv;
  const std::string what;
  Owned x, w, y, convolution;
  int algorithm = Api::implicitGemm;
};

class Cudnn : public OpenedLibrary {
public:
  Cudnn(const Api &api, Workspace workspace) : session{api, workspace} {}
  ~Cudnn() override {
    if (session.handle)
      session.api.destroy(session.handle);
  }

  Result<void> start(Stream stream) {
    if (auto ok = session.check(session.api.create(&session.handle), "starting cuDNN"); !ok)
      return session.handle = nullptr, ok;
    return session.check(session.api.setStream(session.handle, stream), "giving cuDNN a stream");
  }

  Result<std::unique_ptr<ReadyCall>> prepare(const Call &call) override {
    auto ready = std::make_unique<Ready>(session, std::get<Conv>(call));
    if (auto ok = ready->prepare(); !ok)
      return error(ok.error());
    return std::unique_ptr<ReadyCall>(std::move(ready));
  }

private:
  Session session;
};

} // namespace

Result<std::unique_ptr<OpenedLibrary>> openCudnn(const Library &library, Stream stream, Workspace workspace) {
  const Result<Api> api = loadApi<Api>(library, findAll);
  if (!api)
    return error(api.error());
  auto made = std::make_unique<Cudnn>(*api, workspace);
  if (auto ok = made->start(stream); !ok)
    return error(ok.error());
  return std::unique_ptr<OpenedLibrary>(std::move(made));
}

} // namespace daedalus::cuda
