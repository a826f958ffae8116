/* Driver core of the accelerator: freestanding C11, no heap, no libc, no global state.
 *
 * The same code runs on bare metal, over memory-mapped registers of a host and under the simulators; only
 * `struct dae_io` differs. It knows registers and addresses, not packages: the caller places constants,
 * arena and program in the device's DRAM and says where they are. One core, one caller at a time.
 *
 *   dae_probe -> dae_enable_interrupt -> dae_configure -> dae_start -> (wait for the interrupt) -> dae_finish
 *             -> dae_read_counter
 */
#ifndef DAE_DRIVER_H
#define DAE_DRIVER_H

#include <stdint.h>

#include "daedalus_isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Access to the core's 32-bit registers at byte offsets of isa.yaml. Both functions are required. */
struct dae_io {
  uint32_t (*read32)(void *ctx, uint32_t offset);
  void (*write32)(void *ctx, uint32_t offset, uint32_t value);
  void *ctx;
};

/* Registers mapped at `base`, a multiple of 4. */
struct dae_io dae_mmio(volatile void *base);

enum dae_result {
  DAE_OK = 0,
  DAE_WRONG_VERSION,      /* the core has another version of the instruction set */
  DAE_WRONG_MACHINE,      /* the core's hash differs from the program's */
  DAE_BUSY,               /* the core is running */
  DAE_NOT_DONE,           /* it has not stopped yet */
  DAE_BAD_ADDRESS,        /* a range leaves the 64-bit address space, or the program's address is no multiple
                             of 64, or the program is empty or has 4 GiB */
  DAE_RANGES_OVERLAP,     /* two ranges share a byte and one of them may be written */
  DAE_STOPPED_WITH_FAULT, /* see dae_read_fault */
  /* Of dae_firmware.h alone: */
  DAE_TIMED_OUT,       /* the accelerator did not stop before the platform gave up; it was reset */
  DAE_BLOB_TOO_SMALL,  /* fewer bytes than the model's blob has */
  DAE_BLOB_UNALIGNED,  /* its address is no multiple of the model's blob_alignment */
  DAE_BLOB_DAMAGED,    /* its checksum is not the model's: damaged, or of another export */
  DAE_ARENA_TOO_SMALL, /* fewer bytes than the model's arena_bytes */
  DAE_ARENA_UNALIGNED, /* its address is no multiple of the model's arena_alignment */
  DAE_NO_PLATFORM,     /* the model needs the accelerator, and the platform has no registers */
  DAE_OTHER_SHAPE, /* an input that says a shape (shape, axes, starts, pads) says another than the compiled
                      one */
  DAE_OTHER_INDEX  /* an index or label is outside of its dimension */
};

struct dae_identity {
  uint32_t version;
  uint64_t machine_hash;
};

/* A base register: `limit` bytes from `address` on; limit 0 is an unused one, whose address is not
 * written. */
struct dae_range {
  uint64_t address;
  uint32_t limit;
  uint8_t read_only;
};

struct dae_job {
  struct dae_range bases[DAEDALUS_BASE_REGISTERS];
  uint64_t program;      /* DRAM address, a multiple of 64 */
  uint32_t instructions; /* at least 1; what they occupy is all that FETCH may read */
};

struct dae_fault {
  uint32_t cause;       /* DAEDALUS_FAULT_... */
  uint32_t instruction; /* index in the program */
  uint32_t module;      /* DAEDALUS_COUNTER_MODULE_... */
};

/* Reads the identity, and compares the version with the one this driver was made for and the hash with
 * `machine_hash`. `identity` is filled in any case. */
enum dae_result dae_probe(const struct dae_io *io, uint64_t machine_hash, struct dae_identity *identity);

/* Checks the job and writes it to the core's registers; writes nothing where it returns an error. The proofs
 * about a program hold for each base register alone, so ranges that share a byte are refused, unless both
 * are read-only; the program's own words are such a read-only range. With DAE_RANGES_OVERLAP and
 * DAE_BAD_ADDRESS, `*culprit` (may be null) is the base register, or DAEDALUS_BASE_REGISTERS for the program.
 */
enum dae_result dae_configure(const struct dae_io *io, const struct dae_job *job, uint32_t *culprit);

/* Whether a stop raises the core's wire to the host. Off behind the hardware's reset, and nothing else here
 * changes it; dae_pending and dae_wait do without. */
void dae_enable_interrupt(const struct dae_io *io, int enabled);

/* Starts what was configured, which clears an old interrupt. */
enum dae_result dae_start(const struct dae_io *io);

/* Nonzero where the interrupt is pending: the core has stopped since dae_start. */
int dae_pending(const struct dae_io *io);

/* After the stop: acknowledges the interrupt. DAE_OK, DAE_STOPPED_WITH_FAULT, or DAE_NOT_DONE before it. */
enum dae_result dae_finish(const struct dae_io *io);

/* Polls until the core has stopped, at most `polls` times, and finishes. */
enum dae_result dae_wait(const struct dae_io *io, uint64_t polls);

/* Stops and clears the core. */
void dae_reset(const struct dae_io *io);

uint32_t dae_status(const struct dae_io *io); /* DAEDALUS_STATUS_... */
struct dae_fault dae_read_fault(const struct dae_io *io);

/* Cycles from start to stop; and those that a module spent in a class. Zero while the core runs: from its
 * stop on both halves of a number stand still. */
uint64_t dae_cycles(const struct dae_io *io);
uint64_t dae_read_counter(const struct dae_io *io, uint32_t module, uint32_t counter_class);

#ifdef __cplusplus
}
#endif

#endif
