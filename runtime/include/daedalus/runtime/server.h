// A simulated accelerator for other processes: registers and interrupt behind a socket, the DRAM as a file
// that they map (runtime/linux/dae_linux_socket.h). The engine `uio` and exported models open it as they open
// hardware.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/support/result.h"

#include <cstdint>
#include <memory>
#include <string>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::runtime {

struct ServerOptions {
  std::string engine = "systemc";   ///< One of sim::engineNames().
  isa::Machine machine;             ///< What is simulated.
  uint64_t memoryBytes = 64u << 20; ///< Of the DRAM: a multiple of 4096, less than 4 GiB.
};

class Server {
public:
  static constexpr uint64_t memoryAddress = 0x40000000; ///< of the DRAM, for the accelerator

  /// Makes `folder`, or fills it where it is there and empty: the socket `registers`, and the DRAM `memory`
  /// with `phys_addr` and `size` as u-dma-buf has them. All of it goes with this object, and where a signal
  /// ends the process (daedalus/support/temporaries.h). From here on the socket takes connections. Errors: a
  /// folder that cannot be made or is not empty, a path too long for a socket, an engine that is not there.
  static Result<std::unique_ptr<Server>> create(const std::string &folder, const ServerOptions &options);
  ~Server();

  /// Paths of the socket and of the memory.
  std::string registers() const;
  std::string memory() const;

  /// Serves one connection after the other, each to its end; the accelerator runs what it was told to
  /// meanwhile, and is reset behind each. Returns only an error of the socket.
  Error serve();

private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace daedalus::runtime
#pragma GCC visibility pop
