#include "rotation.h"

#include "device.h"

#include "daedalus/runtime/drivers.h"
#include "daedalus/support/stopwatch.h"

#include <algorithm>
#include <map>

namespace daedalus::test {
namespace {

constexpr uint64_t alignment = 256;
constexpr size_t warmRounds = 2; ///< the second one makes a graph of the round
constexpr size_t leastRounds = 5, mostRounds = 101;
constexpr double mostSeconds = 0.3;

uint64_t aligned(uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

class Rotation {
public:
  explicit Rotation(const package::Kernel &kernel) : kernel(kernel) {
    for (const package::KernelArgument &argument : kernel.arguments)
      bytesOfTurn += aligned(package::byteSize(argument.type));
    turns = turnsOf(bytesOfTurn);
  }

  uint64_t bytes() const { return turns * bytesOfTurn; }

  Result<std::vector<double>> run(runtime::DeviceDriver &driver, Random &random) {
    if (auto ok = fill(driver, random); !ok)
      return error(ok.error());
    const double ticks = driver.properties().ticksPerMicrosecond;
    std::vector<double> times;
    Stopwatch watch;
    double seconds = 0;
    for (size_t round = 0; round < warmRounds + leastRounds || (round < mostRounds && seconds < mostSeconds);
         ++round) {
      const Result<std::vector<uint64_t>> taken = timesOfRound(driver);
      if (!taken)
        return error(taken.error());
      for (const uint64_t time : *taken)
        if (round >= warmRounds)
          times.push_back(double(time) / (ticks > 0 ? ticks * 1000 : 1));
      seconds += watch.lap();
    }
    return times;
  }

private:
  Result<void> fill(runtime::DeviceDriver &driver, Random &random) {
    for (uint64_t turn = 0; turn < turns; ++turn) {
      uint64_t offset = turn * bytesOfTurn;
      operands.emplace_back();
      for (const package::KernelArgument &argument : kernel.arguments) {
        if (argument.access == package::KernelArgument::Access::Read) {
          const std::vector<uint8_t> &data = contentsOf(argument.type, offset % bytesOfTurn, random);
          if (auto ok = driver.write(offset, Span<const uint8_t>(data.data(), data.size())); !ok)
            return ok;
        }
        operands.back().push_back(offset);
        offset += aligned(package::byteSize(argument.type));
      }
    }
    return {};
  }

  /// The same in each turn, for making them takes longer than all launches.
  const std::vector<uint8_t> &contentsOf(const TensorType &type, uint64_t offset, Random &random) {
    std::vector<uint8_t> &data = contents[offset];
    if (data.empty())
      data = randomTensor("", type, random).data;
    return data;
  }

  Result<std::vector<uint64_t>> timesOfRound(runtime::DeviceDriver &driver) {
    std::vector<uint64_t> tickets, times;
    for (const std::vector<uint64_t> &offsets : operands) {
      const Result<uint64_t> ticket = driver.submit(0, Span<const uint64_t>(offsets.data(), offsets.size()));
      if (!ticket)
        return error(ticket.error());
      tickets.push_back(*ticket);
    }
    for (const uint64_t ticket : tickets) {
      const Result<uint64_t> time = driver.wait(ticket);
      if (!time)
        return error(time.error());
      times.push_back(*time);
    }
    return times;
  }

  const package::Kernel &kernel;
  uint64_t bytesOfTurn = 0, turns = 0;
  std::map<uint64_t, std::vector<uint8_t>> contents; ///< of operands by their offset in a turn
  std::vector<std::vector<uint64_t>> operands;
};

} // namespace

Result<std::vector<double>> timesOfKernel(const package::Package &package, Random &random) {
  if (package.devices.size() != 1 || package.devices[0].kernels.size() != 1 || package.functions.size() != 1)
    return error("the package has other than one kernel");
  package::Device device = package.devices[0];
  const runtime::DeviceDriverFactory *open = runtime::findDriver(device.name);
  if (!open)
    return error("there is no driver of a device '" + device.name + "'");
  const package::Kernel kernel = device.kernels[0];
  Rotation rotation(kernel);
  device.memoryBytes = rotation.bytes();
  const Result<std::unique_ptr<runtime::DeviceDriver>> driver = (*open)(device);
  return driver ? rotation.run(**driver, random) : error(driver.error());
}

} // namespace daedalus::test
