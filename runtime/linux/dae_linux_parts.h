/* What the files of Linux's back end share; dae_linux.h and dae_linux_socket.h are for its users. Functions
 * that return an int give 0, or -1 with the sentence in device->error. */
#ifndef DAE_LINUX_PARTS_H
#define DAE_LINUX_PARTS_H

#include "dae_linux.h"

#include <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DAE_LINUX_PATH_BYTES 4096u

/* Nothing is open. */
void dae_linux_begin(struct dae_linux *device, uint32_t timeout_ms);

/* "WHAT 'PATH': WHY"; without the path where it is null. Always -1. */
int dae_linux_fail(struct dae_linux *device, const char *what, const char *path, const char *why);
/* The sentence of a wait that gave up; it may be tried again. */
void dae_linux_tell_timeout(struct dae_linux *device);
void dae_linux_forget_timeout(struct dae_linux *device);

/* A descriptor, or -1. */
int dae_linux_open_file(struct dae_linux *device, const char *path, int flags, struct stat *status);
/* Null where it fails. */
void *dae_linux_map(struct dae_linux *device, const char *path, int file, size_t bytes);

/* What follows the last slash. */
const char *dae_linux_name(const char *path);
/* FOLDER/NAME in `path`, of DAE_LINUX_PATH_BYTES. */
int dae_linux_join(struct dae_linux *device, char *path, const char *folder, const char *name);
/* The number in the file FOLDER/NAME: decimal, or hexadecimal behind 0x. */
int dae_linux_read_number(struct dae_linux *device, const char *folder, const char *name, uint64_t *number);

/* The buffer, its address and its hooks. */
int dae_linux_open_memory(struct dae_linux *device, const char *memory);

#ifdef __cplusplus
}
#endif

#endif
