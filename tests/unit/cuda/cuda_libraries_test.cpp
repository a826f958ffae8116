// Products that cuBLAS or cuBLASLt computes for a package, on the stand-ins: their values, that an error of
// any call is a sentence after which nothing is left, and what is refused.
#include "cuda_libraries.h"
#include "on_standin.h"
#include "stored_numbers.h"

#include <algorithm>
#include <random>

namespace daedalus::test {
namespace {

using cuda::Code;
using cuda::Gemm;
using cuda::Image;
using cuda::Launch;
using cuda::Parameter;
using cuda::Strides;
using package::DType;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr Parameter in{Parameter::Kind::Operand, 0, 0}, out{Parameter::Kind::Operand, 1, 0},
    constants{Parameter::Kind::Constant, 0, 0};

/// x of a package's input, y of its constants, to its output.
struct Sample {
  Gemm gemm;
  std::vector<int> x, y;

  static Sample random(std::mt19937 &random, DType type) {
    const auto upTo = [&](uint64_t most) { return 1 + random() % most; };
    Sample sample;
    Gemm &gemm = sample.gemm;
    gemm.type = type;
    gemm.batch = upTo(3), gemm.m = 4 * upTo(3), gemm.n = 4 * upTo(3), gemm.k = 4 * upTo(3);
    gemm.x = matrix(random, gemm.m, gemm.k, random() % 2);
    gemm.y = matrix(random, gemm.k, gemm.n, random() % 2);
    if (type == DType::I8) { // as cuBLASLt asks for
      gemm.x = matrix(random, gemm.m, gemm.k, false);
      gemm.y = matrix(random, gemm.k, gemm.n, true);
    }
    gemm.out = {gemm.m * gemm.n, gemm.n, 1};
    for (auto [values, size] :
         {std::pair(&sample.x, gemm.bytesOfX()), std::pair(&sample.y, gemm.bytesOfY())}) {
      values->resize(size / package::byteSize(type));
      for (int &value : *values)
        value = int(random() % 9) - 4;
    }
    return sample;
  }

  /// By rows or by columns, perhaps with something between lines, or one for all of the batch.
  static Strides matrix(std::mt19937 &random, uint64_t rows, uint64_t columns, bool isTransposed) {
    const uint64_t line = (isTransposed ? rows : columns) + 4 * (random() % 2);
    const uint64_t batch = random() % 4 ? line * (isTransposed ? columns : rows) : 0;
    return isTransposed ? Strides{batch, 1, line} : Strides{batch, line, 1};
  }

  std::vector<int> products() const {
    std::vector<int> sums;
    for (uint64_t b = 0; b < gemm.batch; ++b)
      for (uint64_t m = 0; m < gemm.m; ++m)
        for (uint64_t n = 0; n < gemm.n; ++n) {
          int sum = 0;
          for (uint64_t k = 0; k < gemm.k; ++k)
            sum += x[b * gemm.x.batch + m * gemm.x.row + k * gemm.x.column] *
                   y[b * gemm.y.batch + k * gemm.y.row + n * gemm.y.column];
          sums.push_back(sum);
        }
    return sums;
  }

  Code code(const std::string &library) const {
    Code code;
    code.constants = stored(y, gemm.type);
    Launch launch{library + (gemm.type == DType::I8 ? ".matmul_i8" : ".matmul"),
                  {1, 1, 1},
                  {1, 1, 1},
                  0,
                  {in, constants, out}};
    launch.call = gemm;
    code.images = {{80, false, Image::Kind::Ptx, {'p', 't', 'x'}, {{{launch}}}}};
    return code;
  }
  package::Package package(const Code &code) const {
    const auto elements = static_cast<int64_t>(gemm.batch * gemm.m * gemm.n);
    return packageOf(code, {gemm.type, {int64_t(x.size())}}, {gemm.sumType(), {elements}});
  }
};

class LibraryCalls : public OnStandin, public ::testing::WithParamInterface<const char *> {
protected:
  void SetUp() override {
    OnStandin::SetUp();
    renew();
  }
  void renew() {
    *standin = Standin();
    standin->freeBytes = uint64_t(64) << 20;
  }

  /// Runs it; the error of any part.
  std::string errorOf(const Sample &sample, const Code &code) {
    const auto result = run(sample.package(code), stored(sample.x, sample.gemm.type));
    return result ? "" : result.error();
  }
  std::string errorOf(const Sample &sample) { return errorOf(sample, sample.code(library)); }

  const std::string library = GetParam(), title = library == "cublas" ? "cuBLAS" : "cuBLASLt";

  std::mt19937 random{7};
};

TEST_P(LibraryCalls, AreProductsOfAnyMatrices) {
  for (DType type : {DType::F32, DType::F16, DType::BF16, DType::I8})
    for (int round = 0; round < 40; ++round) {
      const Sample sample = Sample::random(random, type);
      Code code = sample.code(library);
      std::vector<int> expected = sample.products();
      if (round % 2) { // once more, added to the first
        std::vector<Launch> &launches = code.images[0].kernels[0].launches;
        launches.push_back(launches[0]);
        std::get<Gemm>(*launches[1].call).accumulates = true;
        for (int &sum : expected)
          sum *= 2;
      }
      renew();
      const auto result = run(sample.package(code), stored(sample.x, type));
      ASSERT_TRUE(result) << result.error();
      EXPECT_EQ(result->outputs[0].data, stored(expected, sample.gemm.sumType()))
          << package::name(type) << " " << round;
      EXPECT_EQ(std::count(standin->calls.begin(), standin->calls.end(),
                           library == "cublas" ? "cublasCreate" : "cublasLtCreate"),
                1);
      EXPECT_EQ(standin->alive, 0);
    }
}

// The third run's products are those of a graph.
TEST_P(LibraryCalls, AreCapturedWithTheirSequence) {
  for (int round = 0; round < 10; ++round) {
    Sample sample = Sample::random(random, DType::F32);
    Code code = sample.code(library);
    std::vector<Launch> &launches = code.images[0].kernels[0].launches;
    launches.push_back(launches[0]);
    std::get<Gemm>(*launches[1].call).accumulates = true;
    renew();
    const package::Package package = sample.package(code);
    const auto session = runtime::Session::create(package, {});
    ASSERT_TRUE(session) << session.error();
    for (int run = 0; run < 4; ++run) {
      std::shuffle(sample.x.begin(), sample.x.end(), random);
      std::vector<int> expected = sample.products();
      for (int &sum : expected)
        sum *= 2;
      const auto result = (*session)->run(
          size_t(0), {{"in", package.functions[0].inputs[0].type, stored(sample.x, DType::F32)}});
      ASSERT_TRUE(result) << result.error();
      EXPECT_EQ(result->outputs[0].data, stored(expected, DType::F32)) << round << " " << run;
    }
    const auto count = [&](const char *name) {
      return std::count(standin->calls.begin(), standin->calls.end(), name);
    };
    EXPECT_EQ(count("cuGraphLaunch"), 2);
    EXPECT_EQ(count(library == "cublas" ? "cublasGemmStridedBatchedEx" : "cublasLtMatmul"), 2 * (2 + 1));
  }
}

TEST_P(LibraryCalls, AnErrorOfAnyIsASentenceAndLeavesNothing) {
  const Sample sample = Sample::random(random, DType::F32);
  ASSERT_EQ(errorOf(sample), "");
  const std::vector<std::string> calls = standin->calls;
  ASSERT_EQ(std::count(calls.begin(), calls.end(),
                       library == "cublas" ? "cublasGemmStridedBatchedEx" : "cublasLtMatmul"),
            1);
  const auto lastCopy = std::find(calls.rbegin(), calls.rend(), "cuMemcpyDtoHAsync");
  const size_t ended = size_t(calls.rend() - lastCopy) + 1; // with the wait for it
  for (size_t call = 1; call <= calls.size(); ++call) {
    renew();
    standin->failing = call;
    const std::string said = errorOf(sample), &name = calls[call - 1];
    if (call > ended) // of giving back
      EXPECT_EQ(said, "") << call << " " << name;
    else if (name.substr(0, 6) == "cublas" && name.find("Destroy") != std::string::npos)
      EXPECT_EQ(said, "") << call << " " << name; // of what was needed for a while
    else if (name.substr(0, 6) == "cublas")
      EXPECT_THAT(said, HasSubstr("failed: an internal operation failed (CUBLAS_STATUS_INTERNAL_ERROR)"))
          << call << " " << name;
    else
      EXPECT_THAT(said, HasSubstr("failed: unknown error (CUDA_ERROR_UNKNOWN)")) << call << " " << name;
    EXPECT_EQ(standin->alive, 0) << call << " " << name;
    EXPECT_TRUE(standin->mistakes.empty()) << call << " " << name << ": " << standin->mistakes[0];
  }
}

TEST_P(LibraryCalls, SayWhatTheLibraryRefuses) {
  Sample sample = Sample::random(random, DType::I8);
  sample.gemm.batch = 1, sample.gemm.m = 4, sample.gemm.k = 3, sample.gemm.n = 4;
  sample.gemm.x = {0, 3, 1}, sample.gemm.y = {0, 1, 3}, sample.gemm.out = {0, 4, 1};
  sample.x.resize(12), sample.y.resize(12);
  EXPECT_THAT(
      errorOf(sample),
      HasSubstr("multiplying 4 x 3 by 3 x 4 with " + title + " failed: " +
                (library == "cublas"
                     ? "an error that cuBLAS does not name (CUBLAS_STATUS_NOT_SUPPORTED)"
                     : "it has no algorithm for them on this GPU; compile with --cuda-library cublas")));
}

TEST_P(LibraryCalls, AreRefusedWithoutTheLibrary) {
  const Sample sample = Sample::random(random, DType::F32);
  const package::Package package = sample.package(sample.code(library));
  const std::string variable = cuda::findLibrary(library)->variable;
  setenv(variable.c_str(), "/nowhere/lib.so", 1);
  EXPECT_THAT(openError(package),
              AllOf(HasSubstr("this host lacks " + title + " (/nowhere/lib.so: cannot open"),
                    HasSubstr("install NVIDIA's CUDA Toolkit, name its file in " + variable +
                              ", or compile without --cuda-library")));
  setenv(variable.c_str(), "libc.so.6", 1);
  EXPECT_THAT(openError(package), HasSubstr("the file of " + title + " has no function cublas"));
  setenv(variable.c_str(), DAEDALUS_TEST_STANDIN, 1);
  standin->freeBytes = 1 << 20;
  EXPECT_THAT(openError(package), HasSubstr("1048576 bytes of memory free, and the package needs 335"));
}

TEST_P(LibraryCalls, StayWithinTheirOperands) {
  const Sample sample = Sample::random(random, DType::F16);
  const auto errorWith = [&](auto change) {
    Code code = sample.code(library);
    change(code.images[0].kernels[0].launches[0]);
    return openError(sample.package(code));
  };
  EXPECT_EQ(errorWith([](Launch &) {}), "");
  const auto damaged = HasSubstr("in its code is damaged");
  for (uint64_t Gemm::*size : {&Gemm::batch, &Gemm::m, &Gemm::n, &Gemm::k})
    for (uint64_t value : {uint64_t(0), sample.gemm.*size + 1000, uint64_t(1) << 31, ~uint64_t(0)})
      EXPECT_THAT(errorWith([&](Launch &launch) { std::get<Gemm>(*launch.call).*size = value; }), damaged)
          << value;
  for (Strides Gemm::*matrix : {&Gemm::x, &Gemm::y, &Gemm::out})
    for (uint64_t Strides::*stride : {&Strides::batch, &Strides::row, &Strides::column})
      for (uint64_t value : {uint64_t(5000), uint64_t(1) << 40, ~uint64_t(0)})
        EXPECT_THAT(errorWith([&](Launch &launch) {
                      Gemm &gemm = std::get<Gemm>(*launch.call);
                      gemm.batch = 2;
                      gemm.*matrix.*stride = value;
                    }),
                    damaged)
            << value;
  EXPECT_THAT(errorWith([](Launch &launch) { launch.parameters.pop_back(); }), damaged);
  EXPECT_THAT(errorWith([](Launch &launch) { launch.parameters[2] = constants; }), damaged);
  EXPECT_THAT(errorWith([](Launch &launch) { launch.parameters[0].kind = Parameter::Kind::Status; }),
              damaged);
  EXPECT_THAT(errorWith([](Launch &launch) { std::get<Gemm>(*launch.call).type = DType::F64; }), damaged);
  EXPECT_THAT(errorWith([](Launch &launch) { launch.function = "cublas.conv"; }),
              HasSubstr("the launch of 'cublas.conv' in its code is damaged"));
}

TEST_P(LibraryCalls, AreReadAsTheyWereWritten) {
  const Sample sample = Sample::random(random, DType::I8);
  package::Package package = sample.package(sample.code(library));
  const auto code = cuda::readCode(package.devices[0]);
  ASSERT_TRUE(code) << code.error();
  EXPECT_EQ(cuda::writeCode(*code), package.devices[0].code);
  std::vector<uint8_t> &bytes = package.devices[0].code;
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(cuda::readCode(Span<const uint8_t>(bytes.data(), size), {{4096, 4096}})) << size;
  bytes[7] = '1';
  EXPECT_THAT(openError(package), HasSubstr("its code for GPUs has format 1; expected format 3; compile the "
                                            "model again"));
}

INSTANTIATE_TEST_SUITE_P(Libraries, LibraryCalls, ::testing::Values("cublas", "cublaslt"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
} // namespace daedalus::test
