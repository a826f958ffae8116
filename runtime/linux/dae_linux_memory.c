/* The buffer that processor and accelerator share: an u-dma-buf, or a file that stands for one. */

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* flock */
#endif

#include "dae_linux_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PAGE_BYTES 4096u
#define LINE_BYTES 64u
/* Directions of a transfer, as u-dma-buf counts them. */
#define TO_DEVICE 1u
#define FROM_DEVICE 2u

static struct dae_linux *of(void *ctx) {
  return (struct dae_linux *)ctx;
}

/* Where the attributes of a buffer are: of a device in sysfs, of a regular file beside it. */
static int find_attributes(struct dae_linux *device, const char *memory, const struct stat *status,
                           char *folder) {
  const char *name = dae_linux_name(memory);
  size_t length = (size_t)(name - memory);
  if (!S_ISCHR(status->st_mode)) {
    if (length >= DAE_LINUX_PATH_BYTES) {
      return dae_linux_fail(device, "cannot open", memory, strerror(ENAMETOOLONG));
    }
    memcpy(folder, length != 0u ? memory : ".", length != 0u ? length : 1u);
    length -= length > 1u ? 1u : 0u; /* without the slash, but of the root */
    folder[length != 0u ? length : 1u] = '\0';
    return 0;
  }
  if (dae_linux_join(device, folder, "/sys/class/u-dma-buf", name) != 0) {
    return -1;
  }
  return access(folder, F_OK) == 0
             ? 0
             : dae_linux_join(device, folder, "/sys/class/udmabuf", name); /* before version 2 */
}

/* A descriptor; -1 where there is no such attribute. */
static int open_attribute(struct dae_linux *device, const char *folder, const char *name) {
  char path[DAE_LINUX_PATH_BYTES];
  return dae_linux_join(device, path, folder, name) == 0 ? open(path, O_WRONLY | O_CLOEXEC) : -1;
}

/* Hands the lines of some bytes to the device, or back. */
static void sync_lines(struct dae_linux *device, int file, const void *address, size_t bytes,
                       uint32_t direction) {
  char command[32];
  size_t first = (size_t)((const uint8_t *)address - device->memory) / LINE_BYTES * LINE_BYTES;
  size_t end = (size_t)((const uint8_t *)address - device->memory) + bytes;
  size_t length = (end - first + LINE_BYTES - 1u) / LINE_BYTES * LINE_BYTES;
  int characters = snprintf(command, sizeof command, "0x%08" PRIX32 "%08" PRIX32, (uint32_t)first,
                            (uint32_t)length | (direction << 2u) | 1u);
  if (pwrite(file, command, (size_t)characters, 0) != (ssize_t)characters) {
    (void)dae_linux_fail(device, "cannot write", command, strerror(errno));
  }
}

static void clean_cache(void *ctx, const void *address, size_t bytes) {
  sync_lines(of(ctx), of(ctx)->for_device_file, address, bytes, TO_DEVICE);
}

static void invalidate_cache(void *ctx, void *address, size_t bytes) {
  sync_lines(of(ctx), of(ctx)->for_cpu_file, address, bytes, FROM_DEVICE);
}

static uint64_t physical_address(void *ctx, const void *address) {
  return of(ctx)->memory_address + (uint64_t)((const uint8_t *)address - of(ctx)->memory);
}

static void order_accesses(void *ctx) {
  (void)ctx;
#if defined(__aarch64__)
  __asm__ volatile("dsb sy" ::: "memory");
#elif defined(__riscv)
  __asm__ volatile("fence iorw, iorw" ::: "memory");
#else
  __sync_synchronize();
#endif
}

/* Address and size by the attributes. */
static int describe_memory(struct dae_linux *device, const char *memory, const char *folder,
                           const struct stat *status) {
  const uint64_t most = (uint64_t)UINT32_MAX / PAGE_BYTES * PAGE_BYTES;
  uint64_t bytes = 0u;
  if (dae_linux_read_number(device, folder, "phys_addr", &device->memory_address) != 0 ||
      dae_linux_read_number(device, folder, "size", &bytes) != 0) {
    return -1;
  }
  if (bytes == 0u || (S_ISREG(status->st_mode) && (uint64_t)status->st_size < bytes)) {
    return dae_linux_fail(device, "cannot use the memory", memory,
                          "it is smaller than its attribute 'size' says");
  }
  if (device->memory_address % PAGE_BYTES != 0u) {
    return dae_linux_fail(device, "cannot use the memory", memory, "its 'phys_addr' is no multiple of 4096");
  }
  device->memory_bytes = (size_t)(bytes < most ? bytes : most);
  return 0;
}

static int map_memory(struct dae_linux *device, const char *memory) {
  if (flock(device->memory_file, LOCK_EX | LOCK_NB) != 0) {
    return dae_linux_fail(device, "cannot use the memory", memory,
                          errno == EWOULDBLOCK ? "somebody uses it already" : strerror(errno));
  }
  device->memory = (uint8_t *)dae_linux_map(device, memory, device->memory_file, device->memory_bytes);
  return device->memory != NULL ? 0 : -1;
}

int dae_linux_open_memory(struct dae_linux *device, const char *memory) {
  char folder[DAE_LINUX_PATH_BYTES];
  struct stat status;
  if (stat(memory, &status) != 0) {
    return dae_linux_fail(device, "cannot open", memory, strerror(errno));
  }
  if (find_attributes(device, memory, &status, folder) != 0) {
    return -1;
  }
  device->for_device_file = open_attribute(device, folder, "sync_for_device");
  device->for_cpu_file = open_attribute(device, folder, "sync_for_cpu");
  int keeps_cache = device->for_device_file >= 0 && device->for_cpu_file >= 0;
  device->memory_file = dae_linux_open_file(device, memory, keeps_cache ? 0 : O_SYNC, &status);
  if (device->memory_file < 0 || describe_memory(device, memory, folder, &status) != 0 ||
      map_memory(device, memory) != 0) {
    return -1;
  }
  device->platform.physical = physical_address;
  device->platform.barrier = order_accesses;
  if (keeps_cache) {
    device->platform.clean = clean_cache;
    device->platform.invalidate = invalidate_cache;
  }
  return 0;
}
