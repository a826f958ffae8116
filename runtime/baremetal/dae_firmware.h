/* What exported models share: the system that they run on, their description, and how they are opened and
 * run. Freestanding C11 and C++17, as dae_driver.h: no heap, no libc, no recursion, no writable global state.
 *
 * `daedalus export` writes a model as a constant `struct dae_model` (model.h) and a blob, the constants and
 * the programs. All that a run writes lies in the arena and in the session, both of which the caller gives:
 *
 *   dae_open -> (write the inputs) -> dae_run -> (read the outputs) -> (write the inputs) -> dae_run ...
 *
 * Processor and accelerator share blob and arena, and are little-endian. One session, one caller at a time;
 * sessions that share an accelerator take turns.
 */
#ifndef DAE_FIRMWARE_H
#define DAE_FIRMWARE_H

#include <stddef.h>
#include <stdint.h>

#include "dae_driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The system that a model runs on. A hook that is null has nothing to do. */
struct dae_platform {
  struct dae_io io; /* registers of the accelerator; not used by models that do without it */
  void *ctx;        /* given to every hook */
  /* The accelerator's address of a byte of blob or arena; null: the processor's. */
  uint64_t (*physical)(void *ctx, const void *address);
  /* Writes to memory what the processor's cache holds of the bytes. Lines of at most 64 bytes. */
  void (*clean)(void *ctx, const void *address, size_t bytes);
  /* Forgets what the processor's cache holds of the bytes; none of them is newer than memory. */
  void (*invalidate)(void *ctx, void *address, size_t bytes);
  /* Orders the processor's accesses to memory and to registers: before a start, and behind the stop. */
  void (*barrier)(void *ctx);
  /* Called again and again until the accelerator has stopped: sleeps until an interrupt, or returns at once.
   * 0 goes on waiting; any other value gives up: DAE_TIMED_OUT. Null: the accelerator is polled. */
  int (*wait)(void *ctx);
  uint32_t polls; /* without `wait`: how often the accelerator is polled; 0: 2^32 - 1 times */
  /* Called before a step (`ends` 0) and behind it (1): for cycle counters. */
  void (*step)(void *ctx, uint32_t step, int ends);
};

enum dae_type {
  DAE_BOOL, /* a byte of 0 or 1 */
  DAE_INT8,
  DAE_UINT8,
  DAE_INT16,
  DAE_UINT16,
  DAE_INT32,
  DAE_UINT32,
  DAE_INT64,
  DAE_UINT64,
  DAE_FLOAT16,
  DAE_BFLOAT16,
  DAE_FLOAT32,
  DAE_FLOAT64
};

/* An input or output: dense, the last dimension's elements side by side. */
struct dae_tensor {
  const char *name;
  enum dae_type type;
  uint32_t rank;
  const uint32_t *shape; /* `rank` sizes; null of a scalar */
  uint32_t offset;       /* bytes from the start of the arena */
  uint32_t bytes;
  float scale;        /* real = scale * (element - zero_point); 0: the model does not say */
  int32_t zero_point; /* 0 where `scale` is 0 */
};

struct dae_session;

struct dae_model {
  const char *name;
  const char *machine; /* the accelerator's; empty where `programs` is 0 */
  uint64_t machine_hash;
  uint32_t blob_bytes, blob_alignment;
  uint32_t blob_checksum; /* dae_checksum of the blob */
  uint32_t arena_bytes, arena_alignment;
  uint32_t stack_bytes; /* of dae_run, without hooks and the compiler's builtins */
  uint32_t programs;    /* of the accelerator; 0: the model does without it */
  uint32_t steps;
  const char *const *step_names; /* `steps` of them */
  uint32_t input_count, output_count;
  const struct dae_tensor *inputs, *outputs;
  enum dae_result (*run)(struct dae_session *session);
};

/* A model that was opened. The caller owns it; its members are for reading. */
struct dae_session {
  const struct dae_model *model;
  const struct dae_platform *platform;
  const uint8_t *blob;
  uint8_t *arena;
  uint64_t cycles;        /* of the accelerator in the last run */
  struct dae_fault fault; /* of the last run, where it gave DAE_STOPPED_WITH_FAULT */
  uint32_t step;          /* that the last run reached: where it failed, unless it gave DAE_OK */
};

/* Checks sizes and alignment of blob and arena, the blob's checksum, and the version and the machine of the
 * accelerator, which it resets; makes the blob visible to the accelerator. A model that does without the
 * accelerator takes a null platform. Anything but DAE_OK: the session cannot run. */
enum dae_result dae_open(struct dae_session *session, const struct dae_model *model,
                         const struct dae_platform *platform, const void *blob, size_t blob_bytes,
                         void *arena, size_t arena_bytes);

/* Runs the model once. Its inputs lie in the arena before, its outputs behind; a run may write over the
 * inputs. Where the accelerator faults or does not stop in time it is reset, and the session can run again.
 */
enum dae_result dae_run(struct dae_session *session);

/* Where an input is written and an output is read; null where there is none of this index. */
void *dae_input(const struct dae_session *session, uint32_t index);
const void *dae_output(const struct dae_session *session, uint32_t index);

/* XXH32 with seed 0. `bytes` is a multiple of 16. */
uint32_t dae_checksum(const uint32_t *words, size_t bytes);

/* "DAE_TIMED_OUT"; "unknown" of a number that is no result. */
const char *dae_result_name(enum dae_result result);
/* DAEDALUS_FAULT_BUS_ERROR: "bus_error". */
const char *dae_fault_name(uint32_t cause);

/* The rest is what model.c is made of. */

/* A program of the accelerator in the blob, and the limits of its base registers: constants and arena. */
struct dae_program {
  uint32_t offset, instructions;
  uint32_t constants_limit, arena_limit;
};

/* A kernel of the model's object: `args` are pointers to its inputs, then to its outputs; `context` is null.
 * It returns a status for dae_kernel_result. */
typedef int32_t dae_kernel(void *const *args, const void *context);

/* DAE_OK of a kernel's status 0. */
enum dae_result dae_kernel_result(int32_t status);

uint8_t *dae_constant(const struct dae_session *session, uint32_t offset);
void dae_copy(void *to, const void *from, size_t bytes);

void dae_step_begins(struct dae_session *session, uint32_t step);
enum dae_result dae_step_ends(struct dae_session *session, enum dae_result result);

/* Starts a program and waits until it has stopped. */
enum dae_result dae_execute(struct dae_session *session, const struct dae_program *program);

#ifdef __cplusplus
}
#endif

#endif
