/* See dae_linux_socket.h. */

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include "dae_linux_socket.h"

#include "dae_linux_parts.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* How much longer than a wait a reply may take. */
#define GRACE_SECONDS 1u

/* No answer can be told from that to an earlier request any more. */
static uint32_t lose(struct dae_linux *device, const char *why) {
  (void)dae_linux_fail(device, "lost the server of the accelerator", NULL, why);
  (void)close(device->registers_file);
  device->registers_file = -1;
  return 0u;
}

static uint32_t exchange(struct dae_linux *device, enum dae_socket_operation operation, uint32_t offset,
                         uint32_t value) {
  struct dae_socket_request request;
  struct dae_socket_reply reply = {0u, 0u};
  if (device->registers_file < 0) {
    return 0u;
  }
  request.magic = DAE_SOCKET_MAGIC;
  request.operation = (uint32_t)operation;
  request.offset = offset;
  request.value = value;
  ssize_t bytes = send(device->registers_file, &request, sizeof request, MSG_NOSIGNAL);
  while (bytes == (ssize_t)sizeof request && reply.magic == 0u) {
    bytes = recv(device->registers_file, &reply, sizeof reply, 0);
    if (bytes < 0 && errno == EINTR) {
      bytes = (ssize_t)sizeof request;
    }
  }
  if (bytes == (ssize_t)sizeof reply && reply.magic == DAE_SOCKET_MAGIC) {
    return reply.value;
  }
  if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    return lose(device, "it does not answer in time");
  }
  return lose(device, bytes > 0 ? "its answers are of another protocol" : "it has closed the connection");
}

static uint32_t read_register(void *ctx, uint32_t offset) {
  return exchange((struct dae_linux *)ctx, DAE_SOCKET_READ, offset, 0u);
}

static void write_register(void *ctx, uint32_t offset, uint32_t value) {
  (void)exchange((struct dae_linux *)ctx, DAE_SOCKET_WRITE, offset, value);
}

static int wait_for_interrupt(void *ctx) {
  struct dae_linux *device = (struct dae_linux *)ctx;
  dae_linux_forget_timeout(device);
  if (device->has_failed != 0) {
    return 1;
  }
  if (exchange(device, DAE_SOCKET_WAIT, 0u, device->timeout_ms) != 0u) {
    return 0;
  }
  if (device->has_failed == 0) {
    dae_linux_tell_timeout(device);
  }
  return 1;
}

static int connect_to(struct dae_linux *device, const char *path) {
  struct sockaddr_un address;
  struct timeval patience;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address.sun_path) {
    return dae_linux_fail(device, "cannot connect to", path, "the path of a socket has at most 107 bytes");
  }
  memcpy(address.sun_path, path, strlen(path));
  patience.tv_sec = (time_t)(device->timeout_ms / 1000u + GRACE_SECONDS);
  patience.tv_usec = (suseconds_t)(device->timeout_ms % 1000u * 1000u);
  device->registers_file = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (device->registers_file < 0 ||
      setsockopt(device->registers_file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
      connect(device->registers_file, (const struct sockaddr *)(const void *)&address, sizeof address) != 0) {
    return dae_linux_fail(device, "cannot connect to", path,
                          errno == ECONNREFUSED ? "nobody serves it any more" : strerror(errno));
  }
  return 0;
}

int dae_linux_socket_open(struct dae_linux *device, const char *socket_path, const char *memory,
                          uint32_t timeout_ms) {
  dae_linux_begin(device, timeout_ms);
  if (dae_linux_open_memory(device, memory) != 0 || connect_to(device, socket_path) != 0) {
    dae_linux_close(device);
    return -1;
  }
  device->platform.io.read32 = read_register;
  device->platform.io.write32 = write_register;
  device->platform.io.ctx = device;
  device->platform.wait = wait_for_interrupt;
  return 0;
}

int dae_linux_open_any(struct dae_linux *device, const char *registers, const char *memory,
                       uint32_t timeout_ms) {
  struct stat status;
  if (stat(registers, &status) == 0 && S_ISSOCK(status.st_mode)) {
    return dae_linux_socket_open(device, registers, memory, timeout_ms);
  }
  return dae_linux_open(device, registers, memory, timeout_ms);
}
