// Convolutions that cuDNN computes for a package, on the stand-in: their values, that an error of any call is
// a sentence after which nothing is left, and what is refused.
#include "cuda_libraries.h"
#include "on_standin.h"
#include "stored_numbers.h"

#include <algorithm>
#include <random>

namespace daedalus::test {
namespace {

using cuda::Code;
using cuda::Conv;
using cuda::Extent;
using cuda::Gemm;
using cuda::Image;
using cuda::Launch;
using cuda::Parameter;
using package::DType;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Parameter in{Parameter::Kind::Operand, 0, 0}, out{Parameter::Kind::Operand, 1, 0},
    constants{Parameter::Kind::Constant, 0, 0};

/// Images of a package's input, filters of its constants, to its output.
struct Sample {
  Conv conv;
  std::vector<int> x, w;

  static Sample random(std::mt19937 &random, DType type) {
    const auto upTo = [&](uint64_t most) { return 1 + random() % most; };
    Sample sample;
    Conv &conv = sample.conv;
    conv.type = type;
    conv.hasChannelsLast = random() % 2;
    conv.images = upTo(2), conv.channels = upTo(4), conv.results = upTo(4);
    for (Extent *extent : {&conv.rows, &conv.columns}) {
      extent->window = upTo(3), extent->stride = upTo(3), extent->dilation = upTo(3);
      extent->pad = random() % extent->span();
      extent->image = extent->span() + random() % 4;
    }
    sample.draw(random);
    return sample;
  }

  void draw(std::mt19937 &random) {
    const uint64_t bytes = package::byteSize(conv.type);
    x.resize(conv.bytesOfX() / bytes), w.resize(conv.bytesOfW() / bytes);
    for (std::vector<int> *values : {&x, &w})
      for (int &value : *values)
        value = int(random() % 7) - 3;
  }

  /// Where an element is of so many channels, rows and columns.
  size_t place(const std::array<uint64_t, 3> &sizes, uint64_t n, uint64_t c, uint64_t row,
               uint64_t column) const {
    const auto &[channels, rows, columns] = sizes;
    return conv.hasChannelsLast ? ((n * rows + row) * columns + column) * channels + c
                                : ((n * channels + c) * rows + row) * columns + column;
  }

  /// Each element of the image is added to all results whose windows it is in.
  std::vector<int> sums() const {
    const std::array<uint64_t, 3> image{conv.channels, conv.rows.image, conv.columns.image},
        window{conv.channels, conv.rows.window, conv.columns.window},
        result{conv.results, conv.rows.result(), conv.columns.result()};
    std::vector<int> sums(conv.images * result[0] * result[1] * result[2]);
    const auto from = [](const Extent &extent, uint64_t at, uint64_t inWindow) -> uint64_t {
      const uint64_t first =
          at + extent.pad - inWindow * extent.dilation; // wraps in front of the first window
      return first % extent.stride || first > (extent.result() - 1) * extent.stride ? ~uint64_t(0)
                                                                                    : first / extent.stride;
    };
    for (uint64_t n = 0; n < conv.images; ++n)
      for (uint64_t c = 0; c < conv.channels; ++c)
        for (uint64_t h = 0; h < image[1]; ++h)
          for (uint64_t v = 0; v < image[2]; ++v)
            for (uint64_t r = 0; r < window[1]; ++r)
              for (uint64_t s = 0; s < window[2]; ++s) {
                const uint64_t row = from(conv.rows, h, r), column = from(conv.columns, v, s);
                for (uint64_t f = 0; f < conv.results && row != ~uint64_t(0) && column != ~uint64_t(0); ++f)
                  sums[place(result, n, f, row, column)] +=
                      x[place(image, n, c, h, v)] * w[place(window, f, c, r, s)];
              }
    return sums;
  }

  Code code() const {
    Code code;
    code.constants = stored(w, conv.type);
    Launch launch{"cudnn.conv", {1, 1, 1}, {1, 1, 1}, 0, {in, constants, out}};
    launch.call = conv;
    code.images = {{80, false, Image::Kind::Ptx, {'p', 't', 'x'}, {{{launch}}}}};
    return code;
  }
  package::Package package(const Code &code) const {
    const auto elements = static_cast<int64_t>(conv.bytesOfOut() / package::byteSize(conv.type));
    return packageOf(code, {conv.type, {int64_t(x.size())}}, {conv.type, {elements}});
  }
};

class CudaConvolutions : public OnStandin {
protected:
  void SetUp() override {
    OnStandin::SetUp();
    renew();
  }
  void renew() {
    *standin = Standin();
    standin->freeBytes = uint64_t(64) << 20;
  }
  static Conv &convOf(Code &code) { return std::get<Conv>(*code.images[0].kernels[0].launches[0].call); }

  /// Runs it; the error of any part.
  std::string errorOf(const Sample &sample) {
    const auto result = run(sample.package(sample.code()), stored(sample.x, sample.conv.type));
    return result ? "" : result.error();
  }

  std::mt19937 random{7};
};

TEST_F(CudaConvolutions, AreThoseOfAnyImages) {
  for (DType type : {DType::F32, DType::F16})
    for (int round = 0; round < 200; ++round) {
      const Sample sample = Sample::random(random, type);
      Code code = sample.code();
      std::vector<int> expected = sample.sums();
      if (round % 2 && type == DType::F32) { // once more, added to the first
        std::vector<Launch> &launches = code.images[0].kernels[0].launches;
        launches.push_back(launches[0]);
        std::get<Conv>(*launches[1].call).accumulates = true;
        for (int &sum : expected)
          sum *= 2;
      }
      renew();
      standin->versionOfDnn = round % 4 < 2 ? 8 : 9;
      const auto result = run(sample.package(code), stored(sample.x, type));
      ASSERT_TRUE(result) << round << ": " << result.error();
      EXPECT_EQ(result->outputs[0].data, stored(expected, type)) << package::name(type) << " " << round;
      EXPECT_EQ(std::count(standin->calls.begin(), standin->calls.end(), "cudnnCreate"), 1);
      EXPECT_EQ(standin->alive, 0);
    }
}

TEST_F(CudaConvolutions, AnErrorOfAnyCallIsASentenceAndLeavesNothing) {
  const Sample sample = Sample::random(random, DType::F32);
  ASSERT_EQ(errorOf(sample), "");
  const std::vector<std::string> calls = standin->calls;
  ASSERT_EQ(std::count(calls.begin(), calls.end(), "cudnnConvolutionForward"), 1);
  const auto lastCopy = std::find(calls.rbegin(), calls.rend(), "cuMemcpyDtoHAsync");
  const size_t ended = size_t(calls.rend() - lastCopy) + 1; // with the wait for it
  for (size_t call = 1; call <= calls.size(); ++call) {
    renew();
    standin->failing = call;
    const std::string said = errorOf(sample), &name = calls[call - 1];
    if (call > ended) // of giving back
      EXPECT_EQ(said, "") << call << " " << name;
    else if (name.substr(0, 5) == "cudnn")
      EXPECT_THAT(said, HasSubstr("failed: cuDNN says CUDNN_STATUS_INTERNAL_ERROR")) << call << " " << name;
    else
      EXPECT_THAT(said, HasSubstr("failed: unknown error (CUDA_ERROR_UNKNOWN)")) << call << " " << name;
    EXPECT_EQ(standin->alive, 0) << call << " " << name;
    EXPECT_TRUE(standin->mistakes.empty()) << call << " " << name << ": " << standin->mistakes[0];
  }
}

TEST_F(CudaConvolutions, SayWhatTheLibraryRefuses) {
  Sample sample;
  sample.conv.channels = 3, sample.conv.results = 2;
  for (Extent *extent : {&sample.conv.rows, &sample.conv.columns})
    *extent = {9, 2, 0, 1, 4};
  sample.draw(random);
  for (int version : {8, 9}) {
    renew();
    standin->versionOfDnn = version;
    EXPECT_THAT(
        errorOf(sample),
        HasSubstr("convolving 1 x 3 x 9 x 9 by 2 x 3 x 2 x 2 with cuDNN failed: it has no algorithm for "
                  "them on this GPU in a workspace of 33554432 bytes; compile without --cuda-library"));
  }
}

TEST_F(CudaConvolutions, AreRefusedWithoutTheLibrary) {
  const Sample sample = Sample::random(random, DType::F32);
  const package::Package package = sample.package(sample.code());
  setenv("DAEDALUS_CUDNN", "/nowhere/lib.so", 1);
  EXPECT_THAT(openError(package),
              AllOf(HasSubstr("this host lacks cuDNN (/nowhere/lib.so: cannot open"),
                    HasSubstr("install NVIDIA's cuDNN, name its file in DAEDALUS_CUDNN, or compile without "
                              "--cuda-library")));
  setenv("DAEDALUS_CUDNN", "libc.so.6", 1);
  EXPECT_THAT(openError(package),
              HasSubstr("the file of cuDNN has no function cudnnCreate; expected cuDNN 8 or "
                        "newer, or its file in DAEDALUS_CUDNN"));
}

TEST_F(CudaConvolutions, StayWithinTheirOperands) {
  const Sample sample = Sample::random(random, DType::F16);
  const auto errorWith = [&](auto change) {
    Code code = sample.code();
    change(code.images[0].kernels[0].launches[0]);
    return openError(sample.package(code));
  };
  const auto damaged = HasSubstr("the launch of 'cudnn.conv' in its code is damaged");
  const auto errorOfConv = [&](auto change) {
    return errorWith([&](Launch &launch) { change(std::get<Conv>(*launch.call)); });
  };
  EXPECT_EQ(errorWith([](Launch &) {}), "");
  for (uint64_t Conv::*size : {&Conv::images, &Conv::channels, &Conv::results})
    for (uint64_t value : {uint64_t(0), uint64_t(5000), uint64_t(1) << 31, ~uint64_t(0)})
      EXPECT_THAT(errorOfConv([&](Conv &conv) { conv.*size = value; }), damaged) << value;
  for (Extent Conv::*of : {&Conv::rows, &Conv::columns})
    for (uint64_t Extent::*size :
         {&Extent::image, &Extent::window, &Extent::pad, &Extent::stride, &Extent::dilation})
      for (uint64_t value : {uint64_t(1) << 31, uint64_t(1) << 62, ~uint64_t(0)})
        EXPECT_THAT(errorOfConv([&](Conv &conv) {
                      (conv.*of).window = 2;
                      (conv.*of).*size = value;
                    }),
                    damaged)
            << value;
  EXPECT_THAT(errorOfConv([](Conv &conv) { conv.rows.stride = 0; }), damaged);
  EXPECT_THAT(errorOfConv([](Conv &conv) { conv.rows.pad = conv.rows.span(); }), damaged);
  EXPECT_THAT(errorOfConv([](Conv &conv) { conv.rows.image += 5000; }), damaged);
  EXPECT_THAT(errorOfConv([](Conv &conv) { conv.type = DType::I8; }), damaged);
  EXPECT_THAT(errorOfConv([](Conv &conv) { conv.accumulates = true; }), damaged); // of float16
  EXPECT_THAT(errorWith([](Launch &launch) { launch.parameters.pop_back(); }), damaged);
  EXPECT_THAT(errorWith([](Launch &launch) { launch.parameters[2] = constants; }), damaged);
  EXPECT_THAT(errorWith([](Launch &launch) { launch.parameters[1].kind = Parameter::Kind::Status; }),
              damaged);
  EXPECT_THAT(errorWith([](Launch &launch) { launch.call = Gemm(); }), damaged);
  EXPECT_THAT(errorWith([](Launch &launch) { launch.function = "cublas.matmul"; }),
              HasSubstr("the launch of 'cublas.matmul' in its code is damaged"));
}

TEST_F(CudaConvolutions, AreReadAsTheyWereWritten) {
  const Sample sample = Sample::random(random, DType::F16);
  package::Package package = sample.package(sample.code());
  const auto code = cuda::readCode(package.devices[0]);
  ASSERT_TRUE(code) << code.error();
  std::vector<uint8_t> &bytes = package.devices[0].code;
  EXPECT_EQ(cuda::writeCode(*code), bytes);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(cuda::readCode(Span<const uint8_t>(bytes.data(), size), {{4096, 4096}})) << size;
  const std::string name = "cudnn.conv";
  const auto kind = std::search(bytes.begin(), bytes.end(), name.begin(), name.end()) + int64_t(name.size());
  ASSERT_EQ(*kind, 2);
  *kind = 3; // of no call
  EXPECT_THAT(openError(package), HasSubstr("its code is cut off or damaged"));
}

} // namespace
} // namespace daedalus::test
