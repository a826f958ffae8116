#include "served_folder.h"

#include "dae_linux_socket.h"

#include "daedalus/support/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace daedalus::runtime {
namespace {

Error failed(const std::string &what, const std::string &path) {
  return error("cannot " + what + " '" + path + "': " + std::strerror(errno));
}

Result<void> checkLength(const std::string &path) {
  if (path.size() < sizeof(sockaddr_un::sun_path))
    return {};
  return error("'" + path + "' has " + std::to_string(path.size()) +
               " bytes, and the path of a socket at most " +
               std::to_string(sizeof(sockaddr_un::sun_path) - 1) + "; choose a shorter folder");
}

} // namespace

Result<std::unique_ptr<ServedFolder>> ServedFolder::create(const std::string &folder, uint64_t bytes,
                                                           uint64_t address) {
  std::unique_ptr<ServedFolder> served(new ServedFolder(folder));
  Result<void> ok = checkLength(served->registers());
  if (ok)
    ok = served->makeFolder();
  if (ok)
    ok = served->makeMemory(bytes);
  if (ok)
    ok = served->describeMemory(bytes, address);
  return ok ? Result<std::unique_ptr<ServedFolder>>(std::move(served)) : error(ok.error());
}

ServedFolder::~ServedFolder() {
  if (listening >= 0)
    close(listening);
  if (mapped.data())
    munmap(mapped.data(), mapped.size());
}

std::string ServedFolder::registers() const {
  return path(DAE_SOCKET_NAME);
}

std::string ServedFolder::memoryFile() const {
  return path(DAE_SOCKET_MEMORY);
}

void ServedFolder::willMake(const char *name) {
  made.push_back(std::make_unique<Temporary>(path(name)));
}

Result<void> ServedFolder::makeFolder() {
  auto removal = std::make_unique<Temporary>(folder);
  if (mkdir(folder.c_str(), 0700) == 0) {
    made.push_back(std::move(removal));
    return {};
  }
  removal->keep();
  const int why = errno;
  std::error_code problem;
  if (why == EEXIST && std::filesystem::is_empty(folder, problem) && !problem &&
      std::filesystem::is_directory(folder, problem))
    return {};
  errno = why;
  return why == EEXIST ? error("'" + folder +
                               "' is there and is no empty folder; expected a new folder, or an "
                               "empty one")
                       : failed("make the folder", folder);
}

Result<void> ServedFolder::makeMemory(uint64_t bytes) {
  willMake(DAE_SOCKET_MEMORY);
  const std::string file = memoryFile();
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    made.back()->keep();
    return failed("make", file);
  }
  void *const address = ftruncate(descriptor, static_cast<off_t>(bytes)) == 0
                            ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
                            : MAP_FAILED;
  const Error why = failed("make " + std::to_string(bytes) + " bytes of memory of", file);
  close(descriptor);
  if (address == MAP_FAILED)
    return why;
  mapped = {static_cast<uint8_t *>(address), static_cast<size_t>(bytes)};
  return {};
}

/// As u-dma-buf writes them.
Result<void> ServedFolder::describeMemory(uint64_t bytes, uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%016llx\n", static_cast<unsigned long long>(address));
  willMake("phys_addr");
  if (auto ok = writeFileAtomically(path("phys_addr"), text); !ok)
    return ok;
  willMake("size");
  return writeFileAtomically(path("size"), std::to_string(bytes) + "\n");
}

/// The socket gets its name when it accepts connections: who finds it can connect.
Result<void> ServedFolder::listen() {
  constexpr const char *unfinished = ".r"; // no longer than the socket's
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path(unfinished).c_str());
  willMake(unfinished);
  willMake(DAE_SOCKET_NAME);
  listening = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (listening < 0 || bind(listening, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
      ::listen(listening, SOMAXCONN) != 0 || rename(address.sun_path, registers().c_str()) != 0)
    return failed("make the socket", registers());
  return {};
}

} // namespace daedalus::runtime
