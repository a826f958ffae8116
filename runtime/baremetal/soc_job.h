/* A job for the firmware `runner`: what lies at the first byte of DRAM. It is written by the host and read by
 * the firmware, both little endian. The table of steps follows the header; constants, programs, arena and
 * results lie behind it, wherever their addresses say. */
#ifndef DAEDALUS_JOB_H
#define DAEDALUS_JOB_H

#include <stdint.h>

#define DAEDALUS_JOB_STEPS 64u         /* at most */
#define DAEDALUS_JOB_MAGIC 0x424f4a44u /* "DJOB" */

/* Numbers of marks (MARK of daedalus_soc.h). */
enum daedalus_mark {
  DAEDALUS_MARK_BOOTED = 1,   /* main() begins */
  DAEDALUS_MARK_CHECKED = 2,  /* the job's checksum is right */
  DAEDALUS_MARK_PROBED = 3,   /* the accelerator is the job's */
  DAEDALUS_MARK_DONE = 4,     /* the last step of an inference has ended: its outputs are in the arena */
  DAEDALUS_MARK_STEP = 0x1000 /* plus the number of a step: it begins */
};

enum daedalus_step_kind { DAEDALUS_STEP_COPY = 0, DAEDALUS_STEP_RUN = 1 };

struct daedalus_job_step {
  uint32_t kind;
  uint32_t from, to, bytes;              /* COPY: addresses */
  uint32_t program, instructions;        /* RUN: an address */
  uint32_t constants_limit, arena_limit; /* RUN: of base registers 0 and 1 */
};

struct daedalus_job {
  uint32_t magic;
  uint32_t checked_bytes; /* from the header on, a multiple of 4: header, steps, constants and programs */
  uint32_t checksum;      /* of these bytes with this word zero (daedalus_job_checksum) */
  uint32_t steps;
  uint64_t machine_hash;
  uint32_t watchdog_cycles;  /* within which a program has to stop */
  uint32_t constants, arena; /* addresses */
  uint32_t result;           /* address of a daedalus_job_result */
  uint32_t inferences;       /* how often the steps run; each begins when the inputs are in the arena */
  uint32_t reserved;
};

#define DAEDALUS_JOB_MARKS 256u

/* What the firmware leaves. */
struct daedalus_job_result {
  uint32_t marks; /* how many were noted; the first DAEDALUS_JOB_MARKS of them stand below */
  uint32_t mark[DAEDALUS_JOB_MARKS];
  uint32_t cycle[DAEDALUS_JOB_MARKS]; /* the low half of the processor's counter of cycles */
};

/* One step of the checksum: Fletcher's sums over words, modulo 2^32. It starts with two zeros, and is second
 * ^ first. */
static inline void daedalus_job_add(uint32_t *first, uint32_t *second, uint32_t word) {
  *first += word;
  *second += *first;
}

#endif
