/* The accelerator in another process: `daedalus serve` runs a simulator behind a socket. Registers are read
 * and written by messages, because a file that is mapped cannot see a write; the memory is a file that both
 * processes map. What is opened is the same as in dae_linux.h.
 *
 * The socket is one of SOCK_SEQPACKET in the Unix domain. Each request gets one reply, in order; numbers have
 * the host's byte order, since both are on one host.
 */
#ifndef DAE_LINUX_SOCKET_H
#define DAE_LINUX_SOCKET_H

#include "dae_linux.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "DAE1": another protocol has another number. A server closes a connection without it. */
#define DAE_SOCKET_MAGIC 0x31454144u

/* What a server calls its socket and its memory, which lie in one folder. */
#define DAE_SOCKET_NAME "registers"
#define DAE_SOCKET_MEMORY "memory"

enum dae_socket_operation {
  DAE_SOCKET_READ,  /* the register at `offset`: its value */
  DAE_SOCKET_WRITE, /* `value` to the register at `offset`: 0 */
  DAE_SOCKET_WAIT   /* for the interrupt, `value` milliseconds at most: 1 if it is there, else 0 */
};

struct dae_socket_request {
  uint32_t magic, operation, offset, value;
};

struct dae_socket_reply {
  uint32_t magic, value;
};

/* Opens the socket of a server, and its memory. Where the server ends or does not answer within `timeout_ms`
 * milliseconds and one second, device->error says so, registers read as 0 from then on, and waits give up.
 * Result and other arguments as of dae_linux_open. */
int dae_linux_socket_open(struct dae_linux *device, const char *socket_path, const char *memory,
                          uint32_t timeout_ms);

/* Whichever of the two `registers` is for: a socket or a UIO device. */
int dae_linux_open_any(struct dae_linux *device, const char *registers, const char *memory,
                       uint32_t timeout_ms);

#ifdef __cplusplus
}
#endif

#endif
