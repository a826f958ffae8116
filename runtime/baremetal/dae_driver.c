/* Register sequences of the accelerator; contracts in dae_driver.h. No function here may become a call into
 * a C library: a test looks at the undefined symbols of the archive. */

#include "dae_driver.h"

#include <stddef.h>

static uint32_t get(const struct dae_io *io, uint32_t offset) {
  return io->read32(io->ctx, offset);
}

static void put(const struct dae_io *io, uint32_t offset, uint32_t value) {
  io->write32(io->ctx, offset, value);
}

static uint64_t get64(const struct dae_io *io, uint32_t lo, uint32_t hi) {
  return (uint64_t)get(io, hi) << 32 | get(io, lo);
}

static void put64(const struct dae_io *io, uint32_t lo, uint32_t hi, uint64_t value) {
  put(io, lo, (uint32_t)value);
  put(io, hi, (uint32_t)(value >> 32));
}

static int leaves_address_space(uint64_t address, uint64_t bytes) {
  return address + bytes < address;
}

static int overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a_bytes != 0u && b_bytes != 0u && a < b + b_bytes && b < a + a_bytes;
}

/* Base register `index` against those before it and the program. */
static enum dae_result check_base(const struct dae_job *job, uint32_t index) {
  const struct dae_range *range = &job->bases[index];
  if (range->limit == 0u) {
    return DAE_OK;
  }
  if (leaves_address_space(range->address, range->limit) != 0) {
    return DAE_BAD_ADDRESS;
  }
  if (range->read_only == 0u && overlap(range->address, range->limit, job->program,
                                        (uint64_t)job->instructions * DAEDALUS_INSTRUCTION_BYTES)) {
    return DAE_RANGES_OVERLAP;
  }
  for (uint32_t i = 0; i < index; ++i) {
    const struct dae_range *other = &job->bases[i];
    if ((range->read_only == 0u || other->read_only == 0u) &&
        overlap(range->address, range->limit, other->address, other->limit)) {
      return DAE_RANGES_OVERLAP;
    }
  }
  return DAE_OK;
}

static enum dae_result check_program(const struct dae_job *job) {
  uint64_t bytes = (uint64_t)job->instructions * DAEDALUS_INSTRUCTION_BYTES;
  if (bytes == 0u || bytes > UINT32_MAX || job->program % DAEDALUS_INSTRUCTION_BYTES != 0u ||
      leaves_address_space(job->program, bytes)) {
    return DAE_BAD_ADDRESS;
  }
  return DAE_OK;
}

static enum dae_result check_job(const struct dae_job *job, uint32_t *culprit) {
  *culprit = DAEDALUS_BASE_REGISTERS;
  enum dae_result result = check_program(job);
  for (uint32_t i = 0; result == DAE_OK && i < DAEDALUS_BASE_REGISTERS; ++i) {
    *culprit = i;
    result = check_base(job, i);
  }
  return result;
}

enum dae_result dae_probe(const struct dae_io *io, uint64_t machine_hash, struct dae_identity *identity) {
  identity->version = get(io, DAEDALUS_REG_VERSION);
  identity->machine_hash = get64(io, DAEDALUS_REG_HASH_LO, DAEDALUS_REG_HASH_HI);
  if (identity->version != DAEDALUS_ISA_VERSION) {
    return DAE_WRONG_VERSION;
  }
  return identity->machine_hash == machine_hash ? DAE_OK : DAE_WRONG_MACHINE;
}

enum dae_result dae_configure(const struct dae_io *io, const struct dae_job *job, uint32_t *culprit) {
  uint32_t ignored;
  enum dae_result result = check_job(job, culprit != NULL ? culprit : &ignored);
  if (result != DAE_OK) {
    return result;
  }
  if (dae_status(io) == DAEDALUS_STATUS_RUNNING) {
    return DAE_BUSY;
  }
  for (uint32_t i = 0; i < DAEDALUS_BASE_REGISTERS; ++i) {
    if (job->bases[i].limit != 0u) {
      put64(io, DAEDALUS_REG_BASE_LO + i * DAEDALUS_REG_BASE_LO_STEP,
            DAEDALUS_REG_BASE_HI + i * DAEDALUS_REG_BASE_HI_STEP, job->bases[i].address);
    }
    put(io, DAEDALUS_REG_LIMIT + i * DAEDALUS_REG_LIMIT_STEP, job->bases[i].limit);
  }
  put64(io, DAEDALUS_REG_PROGRAM_LO, DAEDALUS_REG_PROGRAM_HI, job->program);
  put(io, DAEDALUS_REG_PROGRAM_LENGTH, job->instructions);
  put(io, DAEDALUS_REG_PROGRAM_LIMIT, job->instructions * DAEDALUS_INSTRUCTION_BYTES);
  return DAE_OK;
}

void dae_enable_interrupt(const struct dae_io *io, int enabled) {
  put(io, DAEDALUS_REG_INTERRUPT_ENABLE, enabled != 0 ? DAEDALUS_INTERRUPT_ENABLE_STOP : 0u);
}

enum dae_result dae_start(const struct dae_io *io) {
  if (dae_status(io) == DAEDALUS_STATUS_RUNNING) {
    return DAE_BUSY;
  }
  put(io, DAEDALUS_REG_CONTROL, DAEDALUS_CONTROL_START);
  return DAE_OK;
}

int dae_pending(const struct dae_io *io) {
  return (get(io, DAEDALUS_REG_INTERRUPT) & DAEDALUS_INTERRUPT_PENDING) != 0u;
}

enum dae_result dae_finish(const struct dae_io *io) {
  if (dae_pending(io) == 0) {
    return DAE_NOT_DONE;
  }
  put(io, DAEDALUS_REG_INTERRUPT, DAEDALUS_INTERRUPT_PENDING);
  return dae_status(io) == DAEDALUS_STATUS_DONE ? DAE_OK : DAE_STOPPED_WITH_FAULT;
}

enum dae_result dae_wait(const struct dae_io *io, uint64_t polls) {
  uint64_t left = polls;
  while (left != 0u && dae_pending(io) == 0) {
    --left;
  }
  return dae_finish(io);
}

void dae_reset(const struct dae_io *io) {
  put(io, DAEDALUS_REG_CONTROL, DAEDALUS_CONTROL_RESET);
}

uint32_t dae_status(const struct dae_io *io) {
  return get(io, DAEDALUS_REG_STATUS);
}

struct dae_fault dae_read_fault(const struct dae_io *io) {
  struct dae_fault fault;
  fault.cause = get(io, DAEDALUS_REG_FAULT_CAUSE);
  fault.instruction = get(io, DAEDALUS_REG_FAULT_INDEX);
  fault.module = get(io, DAEDALUS_REG_FAULT_MODULE);
  return fault;
}

uint64_t dae_cycles(const struct dae_io *io) {
  return get64(io, DAEDALUS_REG_CYCLES_LO, DAEDALUS_REG_CYCLES_HI);
}

uint64_t dae_read_counter(const struct dae_io *io, uint32_t module, uint32_t counter_class) {
  uint32_t index = module * DAEDALUS_COUNTER_CLASS_COUNT + counter_class;
  return get64(io, DAEDALUS_REG_COUNTER_LO + index * DAEDALUS_REG_COUNTER_LO_STEP,
               DAEDALUS_REG_COUNTER_HI + index * DAEDALUS_REG_COUNTER_HI_STEP);
}
