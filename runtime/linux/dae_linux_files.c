/* Files of devices and of sysfs; contracts in dae_linux_parts.h. */

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include "dae_linux_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Characters of a path in a sentence. */
#define SHOWN 300

int dae_linux_fail(struct dae_linux *device, const char *what, const char *path, const char *why) {
  if (path != NULL) {
    (void)snprintf(device->error, sizeof device->error, "%.60s '%.*s': %.120s", what, SHOWN, path, why);
  } else {
    (void)snprintf(device->error, sizeof device->error, "%.60s: %.120s", what, why);
  }
  device->has_failed = 1;
  return -1;
}

void dae_linux_tell_timeout(struct dae_linux *device) {
  (void)snprintf(device->error, sizeof device->error, "no interrupt came within %" PRIu32 " ms",
                 device->timeout_ms);
}

void dae_linux_forget_timeout(struct dae_linux *device) {
  if (device->has_failed == 0) {
    device->error[0] = '\0';
  }
}

int dae_linux_open_file(struct dae_linux *device, const char *path, int flags, struct stat *status) {
  int file = open(path, flags | O_RDWR | O_CLOEXEC);
  if (file < 0) {
    return dae_linux_fail(device, "cannot open", path, strerror(errno));
  }
  if (fstat(file, status) != 0) {
    int why = errno;
    (void)close(file);
    return dae_linux_fail(device, "cannot look at", path, strerror(why));
  }
  return file;
}

void *dae_linux_map(struct dae_linux *device, const char *path, int file, size_t bytes) {
  void *address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (address == MAP_FAILED) {
    (void)dae_linux_fail(device, "cannot map", path, strerror(errno));
    return NULL;
  }
  return address;
}

const char *dae_linux_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

int dae_linux_join(struct dae_linux *device, char *path, const char *folder, const char *name) {
  int characters = snprintf(path, DAE_LINUX_PATH_BYTES, "%s/%s", folder, name);
  return characters >= 0 && (size_t)characters < DAE_LINUX_PATH_BYTES
             ? 0
             : dae_linux_fail(device, "cannot look into", folder, strerror(ENAMETOOLONG));
}

int dae_linux_read_number(struct dae_linux *device, const char *folder, const char *name, uint64_t *number) {
  char path[DAE_LINUX_PATH_BYTES];
  char text[64];
  char *end = text;
  if (dae_linux_join(device, path, folder, name) != 0) {
    return -1;
  }
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return dae_linux_fail(device, "cannot open", path, strerror(errno));
  }
  ssize_t bytes = read(file, text, sizeof text - 1u);
  (void)close(file);
  text[bytes > 0 ? bytes : 0] = '\0';
  *number = strtoull(text, &end, 0);
  return end != text && (*end == '\0' || *end == '\n')
             ? 0
             : dae_linux_fail(device, "expected a number in", path, "it holds another text");
}
