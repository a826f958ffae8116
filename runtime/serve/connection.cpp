#include "connection.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace daedalus::runtime {

/// Between two looks at the socket; a hundredth of a second of the slowest engine.
static constexpr uint64_t cyclesAtOnce = 1024;

Connection::~Connection() {
  device.writeRegister(DAEDALUS_REG_CONTROL, DAEDALUS_CONTROL_RESET);
  device.writeRegister(DAEDALUS_REG_INTERRUPT_ENABLE, 0);
  close(socket);
}

void Connection::run() {
  for (bool isOpen = true; isOpen;) {
    if (hasRequest())
      isOpen = receive();
    else if (runs)
      runs = !device.advance(cyclesAtOnce);
    isOpen = isOpen && endWait();
  }
}

/// Milliseconds until something has to be done without a request; -1: never.
int Connection::patience() const {
  if (runs || !until)
    return runs ? 0 : -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*until - Clock::now()).count() + 1;
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
}

bool Connection::hasRequest() const {
  pollfd file{socket, POLLIN, 0};
  return poll(&file, 1, patience()) > 0;
}

/// Whether the connection goes on.
bool Connection::receive() {
  dae_socket_request request{};
  const ssize_t bytes = recv(socket, &request, sizeof request, MSG_TRUNC);
  if (bytes < 0 && (errno == EINTR || errno == EAGAIN))
    return true;
  return bytes == static_cast<ssize_t>(sizeof request) && request.magic == DAE_SOCKET_MAGIC && !until &&
         answer(request);
}

bool Connection::answer(const dae_socket_request &request) {
  switch (request.operation) {
  case DAE_SOCKET_READ:
    return reply(device.readRegister(request.offset));
  case DAE_SOCKET_WRITE:
    write(request.offset, request.value);
    return reply(0);
  case DAE_SOCKET_WAIT:
    until = Clock::now() + std::chrono::milliseconds(request.value);
    return true;
  default:
    return false;
  }
}

void Connection::write(uint32_t offset, uint32_t value) {
  device.writeRegister(offset, value);
  runs = runs || offset == DAEDALUS_REG_CONTROL;
}

bool Connection::reply(uint32_t value) {
  const dae_socket_reply message{DAE_SOCKET_MAGIC, value};
  return send(socket, &message, sizeof message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof message);
}

bool Connection::endWait() {
  if (!until || (!device.interruptLine() && Clock::now() < *until))
    return true;
  until.reset();
  return reply(device.interruptLine());
}

} // namespace daedalus::runtime
