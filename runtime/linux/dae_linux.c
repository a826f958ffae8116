/* Registers and interrupt of a UIO device; contracts in dae_linux.h. */

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include "dae_linux_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Up to the last register. */
#define REGISTERS_BYTES                                                                                      \
  (DAEDALUS_REG_COUNTER_HI + (DAEDALUS_REG_COUNTER_HI_COUNT - 1u) * DAEDALUS_REG_COUNTER_HI_STEP + 4u)

void dae_linux_begin(struct dae_linux *device, uint32_t timeout_ms) {
  memset(device, 0, sizeof *device);
  device->timeout_ms = timeout_ms;
  device->registers_file = -1;
  device->memory_file = -1;
  device->interrupt_file = -1;
  device->for_device_file = -1;
  device->for_cpu_file = -1;
  device->platform.ctx = device;
}

/* Milliseconds of a clock that only goes on. */
static uint64_t now_ms(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

/* Enables the interrupt, which a driver disables when it comes; one without that switch says ENOSYS. */
static int enable_interrupt(const struct dae_linux *device) {
  const uint32_t on = 1u;
  return write(device->interrupt_file, &on, sizeof on) == (ssize_t)sizeof on || errno == ENOSYS ? 0 : -1;
}

/* Returns behind an interrupt, or `left` milliseconds later. The count that is read says nothing: an earlier
 * interrupt may not have been waited for. */
static int sleep_until_interrupt(struct dae_linux *device, uint64_t left) {
  struct pollfd file = {device->interrupt_file, POLLIN, 0};
  uint32_t count = 0u;
  int ready = enable_interrupt(device);
  if (ready == 0 && dae_pending(&device->platform.io) == 0) {
    ready = poll(&file, 1, (int)left);
  }
  if (ready > 0 && read(device->interrupt_file, &count, sizeof count) != (ssize_t)sizeof count) {
    ready = -1;
  }
  if (ready < 0 && errno != EINTR) {
    return dae_linux_fail(device, "cannot wait for an interrupt", NULL, strerror(errno));
  }
  return 0;
}

/* The hook `wait`: 0 with a pending interrupt. */
static int wait_for_stop(void *ctx) {
  static const struct timespec moment = {0, 50000};
  struct dae_linux *device = (struct dae_linux *)ctx;
  const uint64_t end = now_ms() + device->timeout_ms;
  dae_linux_forget_timeout(device);
  while (device->has_failed == 0 && dae_pending(&device->platform.io) == 0) {
    const uint64_t now = now_ms();
    if (now >= end) {
      dae_linux_tell_timeout(device);
      return 1;
    }
    if (device->interrupt_file < 0) {
      (void)nanosleep(&moment, NULL);
    } else {
      (void)sleep_until_interrupt(device, end - now);
    }
  }
  return device->has_failed;
}

/* Bytes of map 0, and where the registers begin in it. */
static int describe_registers(struct dae_linux *device, const char *registers, const struct stat *status,
                              uint64_t *bytes, uint64_t *offset) {
  char device_folder[DAE_LINUX_PATH_BYTES];
  char folder[DAE_LINUX_PATH_BYTES];
  *offset = 0u;
  *bytes = (uint64_t)status->st_size;
  if (S_ISCHR(status->st_mode) &&
      (dae_linux_join(device, device_folder, "/sys/class/uio", dae_linux_name(registers)) != 0 ||
       dae_linux_join(device, folder, device_folder, "maps/map0") != 0 ||
       dae_linux_read_number(device, folder, "size", bytes) != 0 ||
       dae_linux_read_number(device, folder, "offset", offset) != 0)) {
    return -1;
  }
  return *bytes >= REGISTERS_BYTES ? 0
                                   : dae_linux_fail(device, "cannot use the registers", registers,
                                                    "the map is smaller than they are");
}

static int open_registers(struct dae_linux *device, const char *registers) {
  struct stat status;
  uint64_t bytes = 0u;
  uint64_t offset = 0u;
  device->registers_file = dae_linux_open_file(device, registers, O_SYNC, &status);
  if (device->registers_file < 0 || describe_registers(device, registers, &status, &bytes, &offset) != 0) {
    return -1;
  }
  device->registers_bytes = (size_t)(offset + REGISTERS_BYTES);
  device->registers = dae_linux_map(device, registers, device->registers_file, device->registers_bytes);
  if (device->registers == NULL) {
    return -1;
  }
  device->platform.io = dae_mmio((uint8_t *)device->registers + offset);
  device->platform.wait = wait_for_stop;
  device->interrupt_file = S_ISCHR(status.st_mode) ? device->registers_file : -1;
  return 0;
}

int dae_linux_open(struct dae_linux *device, const char *registers, const char *memory, uint32_t timeout_ms) {
  dae_linux_begin(device, timeout_ms);
  if (open_registers(device, registers) != 0 || dae_linux_open_memory(device, memory) != 0) {
    dae_linux_close(device);
    return -1;
  }
  return 0;
}

static void close_file(int *file) {
  if (*file >= 0) {
    (void)close(*file);
  }
  *file = -1;
}

void dae_linux_close(struct dae_linux *device) {
  if (device->registers != NULL) {
    (void)munmap(device->registers, device->registers_bytes);
  }
  if (device->memory != NULL) {
    (void)munmap(device->memory, device->memory_bytes);
  }
  device->registers = NULL;
  device->memory = NULL;
  device->interrupt_file = -1;
  close_file(&device->registers_file);
  close_file(&device->memory_file);
  close_file(&device->for_device_file);
  close_file(&device->for_cpu_file);
}
