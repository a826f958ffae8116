// The server of a simulated accelerator, and the socket's side of dae_linux: the protocol, and what happens
// to those who break it.

#include "connection.h"
#include "run_package.h"
#include "uio_files.h"

#include "daedalus/runtime.h"
#include "daedalus/runtime/drivers.h"
#include "daedalus/runtime/server.h"

#include <gmock/gmock.h>

#include <csignal>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>

extern "C" int use_c_api(const char *engine, int countsCycles, const void *data, size_t size);

namespace daedalus::runtime {
namespace {

using test::UioFiles;
using ::testing::HasSubstr;

/// A connection to a device of `tiny` that nobody has told anything yet.
class Served : public ::testing::Test {
protected:
  Served() {
    sim::DeviceOptions options;
    options.dramBytes = 4096;
    device = std::move(*sim::createDevice("functional", *isa::loadMachine("tiny"), options));
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    client = ends[0];
    thread = std::thread([this, socket = ends[1]] { Connection(*device, socket).run(); });
  }
  ~Served() override {
    shutdown(client, SHUT_RDWR);
    thread.join();
    close(client);
  }

  /// The value of the reply; nothing where the connection is closed instead.
  std::optional<uint32_t> ask(const void *request, size_t bytes) {
    send(client, request, bytes, MSG_NOSIGNAL);
    dae_socket_reply reply{};
    if (recv(client, &reply, sizeof reply, 0) != ssize_t(sizeof reply) || reply.magic != DAE_SOCKET_MAGIC)
      return std::nullopt;
    return reply.value;
  }
  std::optional<uint32_t> ask(uint32_t operation, uint32_t offset, uint32_t value = 0) {
    const dae_socket_request request{DAE_SOCKET_MAGIC, operation, offset, value};
    return ask(&request, sizeof request);
  }

  std::unique_ptr<sim::Device> device;
  int client = -1;
  std::thread thread;
};

TEST_F(Served, ReadsAndWritesRegisters) {
  EXPECT_EQ(ask(DAE_SOCKET_READ, DAEDALUS_REG_VERSION), DAEDALUS_ISA_VERSION);
  EXPECT_EQ(ask(DAE_SOCKET_WRITE, DAEDALUS_REG_PROGRAM_LENGTH, 7), 0u);
  EXPECT_EQ(ask(DAE_SOCKET_READ, DAEDALUS_REG_PROGRAM_LENGTH), 7u);
  EXPECT_EQ(ask(DAE_SOCKET_READ, 0xffffffff), 0u);
}

TEST_F(Served, TheDeviceRunsWhileNobodyWaits) {
  ask(DAE_SOCKET_WRITE, DAEDALUS_REG_CONTROL, DAEDALUS_CONTROL_START); // an empty program: a fault
  for (int i = 0; i < 10'000 && ask(DAE_SOCKET_READ, DAEDALUS_REG_STATUS) == DAEDALUS_STATUS_RUNNING; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(ask(DAE_SOCKET_READ, DAEDALUS_REG_STATUS), DAEDALUS_STATUS_FAULT);
}

TEST_F(Served, WaitsForTheInterruptOnlySoLong) {
  EXPECT_EQ(ask(DAE_SOCKET_WAIT, 0, 20), 0u);
  ask(DAE_SOCKET_WRITE, DAEDALUS_REG_CONTROL, DAEDALUS_CONTROL_START);
  EXPECT_EQ(ask(DAE_SOCKET_WAIT, 0, 20), 0u); // not enabled
  ask(DAE_SOCKET_WRITE, DAEDALUS_REG_INTERRUPT_ENABLE, DAEDALUS_INTERRUPT_ENABLE_STOP);
  EXPECT_EQ(ask(DAE_SOCKET_WAIT, 0, 60'000), 1u);
}

TEST_F(Served, AnotherProtocolEndsTheConnection) {
  const dae_socket_request other{DAE_SOCKET_MAGIC + 1, DAE_SOCKET_READ, 0, 0};
  EXPECT_FALSE(ask(&other, sizeof other));
}

TEST_F(Served, AnUnknownOperationEndsTheConnection) {
  EXPECT_FALSE(ask(99, 0));
}

TEST_F(Served, ARequestOfAnotherSizeEndsTheConnection) {
  const dae_socket_request requests[2] = {{DAE_SOCKET_MAGIC, DAE_SOCKET_READ, 0, 0}, {}};
  EXPECT_FALSE(ask(requests, sizeof requests));
}

TEST_F(Served, TheNextConnectionFindsAResetDevice) {
  ask(DAE_SOCKET_WRITE, DAEDALUS_REG_INTERRUPT_ENABLE, DAEDALUS_INTERRUPT_ENABLE_STOP);
  ask(DAE_SOCKET_WRITE, DAEDALUS_REG_CONTROL, DAEDALUS_CONTROL_START);
  EXPECT_EQ(ask(DAE_SOCKET_WAIT, 0, 60'000), 1u);
  shutdown(client, SHUT_RDWR);
  thread.join();
  EXPECT_EQ(device->readRegister(DAEDALUS_REG_STATUS), DAEDALUS_STATUS_IDLE);
  EXPECT_FALSE(device->interruptLine());
  EXPECT_EQ(device->readRegister(DAEDALUS_REG_INTERRUPT_ENABLE), 0u);
  thread = std::thread([] {});
}

TEST(Server, MakesAFolderThatGoesWithIt) {
  const auto scratch = std::move(*ScratchFolder::create());
  ServerOptions options;
  options.machine = *isa::loadMachine("tiny");
  const std::string folder = scratch->path + "/served";
  {
    const auto server = Server::create(folder, options);
    ASSERT_TRUE(server) << server.error();
    for (const char *name : {"registers", "memory", "phys_addr", "size"})
      EXPECT_EQ(access((folder + "/" + name).c_str(), F_OK), 0) << name;
    const auto again = Server::create(folder, options);
    EXPECT_THAT(again.error(), HasSubstr("'" + folder + "' is there and is no empty folder"));
    EXPECT_EQ(access((*server)->registers().c_str(), F_OK), 0) << "the second one removed it";
  }
  EXPECT_NE(access(folder.c_str(), F_OK), 0);
}

TEST(Server, LeavesAFolderThatItDidNotMake) {
  const auto scratch = std::move(*ScratchFolder::create());
  ServerOptions options;
  options.machine = *isa::loadMachine("tiny");
  ASSERT_TRUE(Server::create(scratch->path, options));
  EXPECT_EQ(rmdir(scratch->path.c_str()), 0) << "it is not empty";
}

TEST(Server, SaysWhatItCannotServe) {
  const auto scratch = std::move(*ScratchFolder::create());
  ServerOptions options;
  options.machine = *isa::loadMachine("tiny");
  EXPECT_THAT(Server::create(scratch->path + "/" + std::string(108, 'x'), options).error(),
              HasSubstr("and the path of a socket at most 107; choose a shorter folder"));
  EXPECT_THAT(
      Server::create(scratch->path + "/none/served", options).error(),
      HasSubstr("cannot make the folder '" + scratch->path + "/none/served': No such file or directory"));
  options.engine = "abacus";
  EXPECT_THAT(Server::create(scratch->path + "/served", options).error(),
              HasSubstr("unknown engine 'abacus'"));
  EXPECT_NE(access((scratch->path + "/served").c_str(), F_OK), 0);
  options.memoryBytes = 4097;
  EXPECT_THAT(Server::create(scratch->path + "/served", options).error(),
              HasSubstr("a memory of 4097 bytes"));
}

/// A server in a process of its own.
class ServerProcess {
public:
  ServerProcess(const std::string &folder, const ServerOptions &options) : id(fork()) {
    if (id == 0) {
      const auto server = Server::create(folder, options);
      if (server)
        (*server)->serve();
      _exit(1);
    }
    for (int i = 0; i < 10'000 && access((folder + "/registers").c_str(), F_OK) != 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ~ServerProcess() {
    kill(id, SIGKILL);
    waitpid(id, nullptr, 0);
  }

private:
  const pid_t id;
};

TEST(Server, IsADeviceOfTheCApi) {
  const auto scratch = std::move(*ScratchFolder::create());
  ServerOptions options;
  options.machine = *isa::loadMachine("tiny");
  options.engine = "functional";
  const ServerProcess server(scratch->path, options);
  test::Variables variables;
  variables.set("DAEDALUS_UIO", scratch->path + "/registers");
  const std::vector<uint8_t> package = package::writePackage(test::runnablePackage());
  EXPECT_EQ(use_c_api(hardwareEngine, 0, package.data(), package.size()), 0)
      << "line of c_api_user.c: " << daedalus_last_error();
}

/// A server that is none: what it does with the first connection.
class OddServer : public UioFiles {
protected:
  OddServer() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    unlink(path("registers").c_str());
    path("registers").copy(address.sun_path, sizeof address.sun_path - 1);
    listening = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    EXPECT_EQ(bind(listening, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listening, 1), 0);
  }
  ~OddServer() override { close(listening); }

  std::string errorOfRead(uint32_t milliseconds) {
    EXPECT_EQ(open(milliseconds), 0) << device.error;
    EXPECT_EQ(device.platform.io.read32(device.platform.io.ctx, DAEDALUS_REG_VERSION), 0u);
    EXPECT_EQ(device.platform.wait(device.platform.ctx), 1);
    return device.error;
  }

  int listening = -1;
};

TEST_F(OddServer, ThatCloses) {
  std::thread server([this] { close(accept(listening, nullptr, nullptr)); });
  EXPECT_EQ(errorOfRead(10'000), "lost the server of the accelerator: it has closed the connection");
  server.join();
}

TEST_F(OddServer, ThatSpeaksAnotherProtocol) {
  std::thread server([this] {
    const int client = accept(listening, nullptr, nullptr);
    const dae_socket_reply reply{DAE_SOCKET_MAGIC + 1, 0};
    EXPECT_EQ(send(client, &reply, sizeof reply, 0), ssize_t(sizeof reply));
    char request[64];
    EXPECT_EQ(recv(client, request, sizeof request, 0), ssize_t(sizeof(dae_socket_request)));
    EXPECT_EQ(recv(client, request, sizeof request, 0), 0) << "the connection is open";
    close(client);
  });
  EXPECT_EQ(errorOfRead(10'000), "lost the server of the accelerator: its answers are of another protocol");
  server.join();
}

TEST_F(OddServer, ThatDoesNotAnswer) {
  EXPECT_EQ(errorOfRead(1), "lost the server of the accelerator: it does not answer in time");
}

TEST_F(OddServer, ThatHasGone) {
  close(listening);
  EXPECT_EQ(problem(), "cannot connect to 'registers': nobody serves it any more");
}

TEST_F(OddServer, WhosePathIsTooLong) {
  EXPECT_EQ(dae_linux_socket_open(&device, std::string(108, 'x').c_str(), path("memory").c_str(), 1), -1);
  EXPECT_THAT(device.error, HasSubstr("the path of a socket has at most 107 bytes"));
}

} // namespace
} // namespace daedalus::runtime
