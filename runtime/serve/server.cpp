// See server.h.

#include "daedalus/runtime/server.h"

#include "connection.h"
#include "served_folder.h"

#include "daedalus/simulator/device.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace daedalus::runtime {

struct Server::State {
  std::unique_ptr<ServedFolder> folder;
  std::unique_ptr<sim::Device> device; ///< uses the folder's memory
};

Server::Server(std::unique_ptr<State> state) : state(std::move(state)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::create(const std::string &folder, const ServerOptions &options) {
  if (!options.memoryBytes || options.memoryBytes % 4096 || options.memoryBytes >> 32)
    return error("a memory of " + std::to_string(options.memoryBytes) +
                 " bytes; expected a multiple of 4096 below 4 GiB");
  auto served = ServedFolder::create(folder, options.memoryBytes, memoryAddress);
  if (!served)
    return error(served.error());
  auto state = std::make_unique<State>();
  state->folder = std::move(*served);
  sim::DeviceOptions device;
  device.dramBytes = options.memoryBytes;
  device.dram = state->folder->memory().data();
  device.memory.origin = memoryAddress;
  auto created = sim::createDevice(options.engine, options.machine, device);
  if (!created)
    return error(created.error());
  state->device = std::move(*created);
  if (auto ok = state->folder->listen(); !ok)
    return error(ok.error());
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::string Server::registers() const {
  return state->folder->registers();
}

std::string Server::memory() const {
  return state->folder->memoryFile();
}

Error Server::serve() {
  for (;;) {
    const int socket = accept4(state->folder->socket(), nullptr, nullptr, SOCK_CLOEXEC);
    if (socket >= 0)
      Connection(*state->device, socket).run();
    else if (errno != EINTR && errno != ECONNABORTED)
      return error("cannot accept a connection to '" + registers() + "': " + std::strerror(errno));
  }
}

} // namespace daedalus::runtime
