/* The accelerator from Linux's user space: the registers and the interrupt of a UIO device, and a buffer
 * whose physical addresses are contiguous, as the module u-dma-buf makes it; together a `struct
 * dae_platform`. C11 and C++17 with POSIX, no heap.
 *
 *   dae_linux_open -> (blob and arena into device.memory) -> dae_open(..., &device.platform, ...) -> dae_run
 *                  -> dae_linux_close
 *
 * dae_linux_socket.h has the same for a simulator in another process. Interfaces: Documentation/driver-api/
 * uio-howto.rst of Linux; the sysfs attributes in the README of u-dma-buf 4.
 */
#ifndef DAE_LINUX_H
#define DAE_LINUX_H

#include "dae_firmware.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DAE_LINUX_ERROR_BYTES 512u

/* An accelerator that is open. The caller owns it and leaves it at its place. */
struct dae_linux {
  struct dae_platform platform;      /* its registers and hooks, for dae_open; its ctx is this struct */
  uint8_t *memory;                   /* what processor and accelerator share, a multiple of 4096 */
  size_t memory_bytes;               /* of it; less than 4 GiB */
  uint64_t memory_address;           /* of its first byte, for the accelerator, a multiple of 4096 */
  char error[DAE_LINUX_ERROR_BYTES]; /* a sentence about the last failure or timeout; "": none */
  /* The rest is for the files of this folder. Descriptors that are not there are -1. */
  uint32_t timeout_ms;
  int has_failed; /* nothing is waited for any more */
  void *registers;
  size_t registers_bytes;
  int registers_file, memory_file;
  int interrupt_file; /* read: waits for an interrupt; written: enables the next one */
  int for_device_file, for_cpu_file;
};

/* Opens `registers`, a UIO device ("/dev/uio0") whose map 0 holds the accelerator's registers, and `memory`,
 * a buffer ("/dev/udmabuf0") whose address and size are in /sys/class/u-dma-buf. Either may be a regular file
 * in its place: of registers, which are then polled; of memory, with the attributes `phys_addr` and `size`
 * beside it. The buffer is this caller's alone until dae_linux_close. Where the buffer has `sync_for_device`
 * and `sync_for_cpu`, the processor's cache is kept for it and these are written; otherwise it is opened with
 * O_SYNC. A wait gives up behind `timeout_ms` milliseconds.
 * 0: open. -1: device->error says why not, and nothing is open. */
int dae_linux_open(struct dae_linux *device, const char *registers, const char *memory, uint32_t timeout_ms);

/* Closes what is open. */
void dae_linux_close(struct dae_linux *device);

#ifdef __cplusplus
}
#endif

#endif
