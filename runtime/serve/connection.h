// One connection of a server: requests by the protocol of runtime/linux/dae_linux_socket.h.
#pragma once

#include "daedalus/simulator/device.h"

#include "dae_linux_socket.h"

#include <chrono>
#include <optional>

namespace daedalus::runtime {

/// The device advances whenever nothing is asked of it, as hardware does.
class Connection {
public:
  /// Closes the socket in the end.
  Connection(sim::Device &device, int socket) : device(device), socket(socket) {}
  /// Resets the device.
  ~Connection();
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;

  /// To its end: the other side has closed it, or speaks another protocol.
  void run();

private:
  using Clock = std::chrono::steady_clock;

  bool hasRequest() const;
  bool receive();
  bool answer(const dae_socket_request &request);
  bool reply(uint32_t value);
  /// Replies to a request that waits, where it is time.
  bool endWait();
  void write(uint32_t offset, uint32_t value);
  int patience() const;

  sim::Device &device;
  const int socket;
  bool runs = false;                      ///< the device has something to do
  std::optional<Clock::time_point> until; ///< somebody waits for the interrupt
};

} // namespace daedalus::runtime
