#include "uio_port.h"

#include "dae_linux_socket.h"

#include "daedalus/support/decimal.h"

#include <cstdlib>
#include <filesystem>

namespace daedalus::runtime {
namespace {

namespace fs = std::filesystem;

std::string variable(const char *name, const std::string &otherwise) {
  const char *given = std::getenv(name);
  return given && *given ? given : otherwise;
}

Result<uint32_t> timeout() {
  constexpr uint64_t most = 86'400'000;
  const std::string text = variable("DAEDALUS_UIO_TIMEOUT", "10000");
  const std::optional<uint64_t> milliseconds = parseDecimal(text);
  if (milliseconds && *milliseconds && *milliseconds <= most)
    return static_cast<uint32_t>(*milliseconds);
  return error("DAEDALUS_UIO_TIMEOUT is '" + text + "'; expected milliseconds, a whole number from 1 to " +
               std::to_string(most));
}

class UioPort : public AcceleratorPort {
public:
  ~UioPort() override { dae_linux_close(&device); }

  Result<void> open(const std::string &registers, const std::string &memory, uint32_t timeout,
                    const AcceleratorRequest &request) {
    if (dae_linux_open_any(&device, registers.c_str(), memory.c_str(), timeout) != 0)
      return error(device.error);
    used = request.memoryBytes;
    if (device.memory_bytes < used)
      return error("the package needs " + std::to_string(used) + " bytes of the accelerator's memory, and '" +
                   memory + "' has " + std::to_string(device.memory_bytes));
    dae_identity identity{};
    if (dae_probe(&io(), request.machine.hash(), &identity) == DAE_OK)
      dae_reset(&io()); // what somebody left running; another machine is the session's to refuse
    return device.has_failed ? Result<void>(error(device.error)) : Result<void>();
  }

  uint32_t readRegister(uint32_t offset) override { return io().read32(io().ctx, offset); }
  void writeRegister(uint32_t offset, uint32_t value) override { io().write32(io().ctx, offset, value); }
  Span<uint8_t> memory() override { return {device.memory, device.memory_bytes}; }
  uint64_t origin() const override { return device.memory_address; }

  void begin() override {
    const dae_platform &hooks = device.platform;
    if (hooks.clean)
      hooks.clean(hooks.ctx, device.memory, used);
    hooks.barrier(hooks.ctx);
  }

  Result<void> waitForInterrupt() override {
    const dae_platform &hooks = device.platform;
    if (hooks.wait(hooks.ctx) != 0) {
      dae_reset(&io());
      return error(device.error);
    }
    hooks.barrier(hooks.ctx);
    if (hooks.invalidate)
      hooks.invalidate(hooks.ctx, device.memory, used);
    return {};
  }

  std::string faultDetail() const override { return device.error; }

private:
  const dae_io &io() const { return device.platform.io; }

  dae_linux device{};
  uint64_t used = 0; ///< bytes of the memory, from its beginning
};

Result<void> check(const AcceleratorRequest &request) {
  if (request.timingOnly || !request.waves.empty())
    return error(std::string("it is no simulator: it has no ") +
                 (request.timingOnly ? "timing only" : "waves"));
  return {};
}

} // namespace

Result<std::unique_ptr<AcceleratorPort>> openUio(const AcceleratorRequest &request) {
  if (auto ok = check(request); !ok)
    return error(ok.error());
  const Result<uint32_t> milliseconds = timeout();
  if (!milliseconds)
    return error(milliseconds.error());
  const std::string registers = variable("DAEDALUS_UIO", "/dev/uio0");
  std::error_code none;
  const std::string usual = fs::is_socket(registers, none)
                                ? fs::path(registers).replace_filename(DAE_SOCKET_MEMORY).string()
                                : "/dev/udmabuf0";
  auto port = std::make_unique<UioPort>();
  if (auto ok = port->open(registers, variable("DAEDALUS_UIO_MEMORY", usual), *milliseconds, request); !ok)
    return error(ok.error() + "; DAEDALUS_UIO and DAEDALUS_UIO_MEMORY name the accelerator");
  return Result<std::unique_ptr<AcceleratorPort>>(std::move(port));
}

} // namespace daedalus::runtime
