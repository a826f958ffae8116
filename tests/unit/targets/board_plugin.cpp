// An engine in a shared object: an accelerator that is mapped (board.h).

#include "../../support/board.h"

#include "daedalus/runtime/drivers.h"

namespace daedalus::test {
namespace {

/// One session's port, with the board that it is mapped to.
class BoardPort : public AcceleratorPort {
public:
  BoardPort(std::unique_ptr<Board> given, std::unique_ptr<AcceleratorPort> opened)
      : board(std::move(given)), port(std::move(opened)) {}

  uint32_t readRegister(uint32_t offset) override { return port->readRegister(offset); }
  void writeRegister(uint32_t offset, uint32_t value) override { port->writeRegister(offset, value); }
  Span<uint8_t> memory() override { return port->memory(); }
  uint64_t origin() const override { return port->origin(); }
  Result<void> waitForInterrupt() override { return port->waitForInterrupt(); }

private:
  std::unique_ptr<Board> board;
  std::unique_ptr<AcceleratorPort> port;
};

Result<std::unique_ptr<AcceleratorPort>> openBoard(const AcceleratorRequest &request) {
  auto board = std::make_unique<Board>(request.machine, request.memoryBytes);
  auto port = runtime::openMapped(board->mapped(), request);
  if (!port)
    return error(port.error());
  return Result<std::unique_ptr<AcceleratorPort>>(
      std::make_unique<BoardPort>(std::move(board), std::move(*port)));
}

} // namespace
} // namespace daedalus::test

DAEDALUS_ACCELERATOR("board", daedalus::test::openBoard)
