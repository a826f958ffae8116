/* See dae_firmware.h. */

#include "dae_firmware.h"

/* Constants of XXH32. */
#define PRIME_1 0x9e3779b1u
#define PRIME_2 0x85ebca77u
#define PRIME_3 0xc2b2ae3du

static uint32_t rotated(uint32_t value, unsigned bits) {
  return (value << bits) | (value >> (32u - bits));
}

static uint32_t mixed(uint32_t lane, uint32_t word) {
  return rotated(lane + word * PRIME_2, 13u) * PRIME_1;
}

uint32_t dae_checksum(const uint32_t *words, size_t bytes) {
  uint32_t a = PRIME_1 + PRIME_2, b = PRIME_2, c = 0u, d = 0u - PRIME_1;
  size_t left = bytes / 16u;
  for (; left != 0u; --left) {
    a = mixed(a, words[0]);
    b = mixed(b, words[1]);
    c = mixed(c, words[2]);
    d = mixed(d, words[3]);
    words += 4;
  }
  uint32_t hash = rotated(a, 1u) + rotated(b, 7u) + rotated(c, 12u) + rotated(d, 18u);
  hash += (uint32_t)bytes;
  hash = (hash ^ (hash >> 15u)) * PRIME_2;
  hash = (hash ^ (hash >> 13u)) * PRIME_3;
  return hash ^ (hash >> 16u);
}

static int is_aligned(const void *address, uint32_t alignment) {
  return ((uintptr_t)address & ((uintptr_t)alignment - 1u)) == 0u;
}

static enum dae_result check_memory(const struct dae_model *model, const void *blob, size_t blob_bytes,
                                    const void *arena, size_t arena_bytes) {
  if (blob_bytes < model->blob_bytes) {
    return DAE_BLOB_TOO_SMALL;
  }
  if (!is_aligned(blob, model->blob_alignment)) {
    return DAE_BLOB_UNALIGNED;
  }
  if (arena_bytes < model->arena_bytes) {
    return DAE_ARENA_TOO_SMALL;
  }
  if (!is_aligned(arena, model->arena_alignment)) {
    return DAE_ARENA_UNALIGNED;
  }
  if (dae_checksum((const uint32_t *)blob, model->blob_bytes) != model->blob_checksum) {
    return DAE_BLOB_DAMAGED;
  }
  return DAE_OK;
}

static void order(const struct dae_platform *platform) {
  if (platform->barrier != NULL) {
    platform->barrier(platform->ctx);
  }
}

static void clean(const struct dae_platform *platform, const void *address, size_t bytes) {
  if (platform->clean != NULL && bytes != 0u) {
    platform->clean(platform->ctx, address, bytes);
  }
}

static enum dae_result open_accelerator(const struct dae_session *session) {
  struct dae_identity identity;
  if (session->platform == NULL || session->platform->io.read32 == NULL ||
      session->platform->io.write32 == NULL) {
    return DAE_NO_PLATFORM;
  }
  clean(session->platform, session->blob, session->model->blob_bytes);
  order(session->platform);
  enum dae_result result = dae_probe(&session->platform->io, session->model->machine_hash, &identity);
  if (result == DAE_OK) {
    dae_reset(&session->platform->io);
    dae_enable_interrupt(&session->platform->io, 1);
  }
  return result;
}

enum dae_result dae_open(struct dae_session *session, const struct dae_model *model,
                         const struct dae_platform *platform, const void *blob, size_t blob_bytes,
                         void *arena, size_t arena_bytes) {
  session->model = model;
  session->platform = platform;
  session->blob = (const uint8_t *)blob;
  session->arena = (uint8_t *)arena;
  session->cycles = 0u;
  session->fault.cause = DAEDALUS_FAULT_NONE;
  session->fault.instruction = 0u;
  session->fault.module = 0u;
  session->step = 0u;
  enum dae_result result = check_memory(model, blob, blob_bytes, arena, arena_bytes);
  if (result == DAE_OK && model->programs != 0u) {
    result = open_accelerator(session);
  }
  return result;
}

enum dae_result dae_run(struct dae_session *session) {
  session->cycles = 0u;
  session->fault.cause = DAEDALUS_FAULT_NONE;
  return session->model->run(session);
}

void *dae_input(const struct dae_session *session, uint32_t index) {
  return index < session->model->input_count ? session->arena + session->model->inputs[index].offset : NULL;
}

const void *dae_output(const struct dae_session *session, uint32_t index) {
  return index < session->model->output_count ? session->arena + session->model->outputs[index].offset : NULL;
}

enum dae_result dae_kernel_result(int32_t status) {
  if (status == 0) {
    return DAE_OK;
  }
  return ((uint32_t)status & 1u) != 0u ? DAE_OTHER_SHAPE : DAE_OTHER_INDEX;
}

uint8_t *dae_constant(const struct dae_session *session, uint32_t offset) {
  return (uint8_t *)(uintptr_t)(session->blob + offset); /* kernels only read through it */
}

void dae_copy(void *to, const void *from, size_t bytes) {
  uint8_t *destination = (uint8_t *)to;
  const uint8_t *source = (const uint8_t *)from;
  for (; bytes != 0u; --bytes) {
    *destination = *source;
    ++destination;
    ++source;
  }
}

static void tell_step(const struct dae_session *session, int ends) {
  if (session->platform != NULL && session->platform->step != NULL) {
    session->platform->step(session->platform->ctx, session->step, ends);
  }
}

void dae_step_begins(struct dae_session *session, uint32_t step) {
  session->step = step;
  tell_step(session, 0);
}

enum dae_result dae_step_ends(struct dae_session *session, enum dae_result result) {
  tell_step(session, 1);
  return result;
}

static uint64_t physical(const struct dae_platform *platform, const void *address) {
  return platform->physical != NULL ? platform->physical(platform->ctx, address)
                                    : (uint64_t)(uintptr_t)address;
}

static void set_base(struct dae_range *base, uint64_t address, uint32_t limit, uint8_t read_only) {
  base->address = limit != 0u ? address : 0u;
  base->limit = limit;
  base->read_only = read_only;
}

/* The processor's caches hold nothing of the arena that memory lacks: no line is written back over what the
 * accelerator writes. */
static enum dae_result begin(struct dae_session *session, const struct dae_program *program) {
  const struct dae_platform *platform = session->platform;
  struct dae_job job;
  uint32_t i = 0u;
  for (; i < DAEDALUS_BASE_REGISTERS; ++i) {
    set_base(&job.bases[i], 0u, 0u, 1u);
  }
  set_base(&job.bases[0], physical(platform, session->blob), program->constants_limit, 1u);
  set_base(&job.bases[1], physical(platform, session->arena), program->arena_limit, 0u);
  job.program = physical(platform, session->blob + program->offset);
  job.instructions = program->instructions;
  enum dae_result result = dae_configure(&platform->io, &job, NULL);
  if (result == DAE_OK) {
    clean(platform, session->arena, session->model->arena_bytes);
    order(platform);
    result = dae_start(&platform->io);
  }
  return result;
}

/* Whether the accelerator has stopped in time. */
static int stops(const struct dae_platform *platform) {
  uint32_t polls = platform->polls != 0u ? platform->polls : UINT32_MAX;
  while (!dae_pending(&platform->io)) {
    if (platform->wait != NULL) {
      if (platform->wait(platform->ctx) != 0) {
        return dae_pending(&platform->io);
      }
    } else {
      --polls;
      if (polls == 0u) {
        return 0;
      }
    }
  }
  return 1;
}

static enum dae_result end(struct dae_session *session) {
  const struct dae_platform *platform = session->platform;
  if (!stops(platform)) {
    dae_reset(&platform->io);
    return DAE_TIMED_OUT;
  }
  enum dae_result result = dae_finish(&platform->io);
  if (result == DAE_STOPPED_WITH_FAULT) {
    session->fault = dae_read_fault(&platform->io);
    dae_reset(&platform->io);
    return result;
  }
  session->cycles += dae_cycles(&platform->io);
  order(platform);
  if (platform->invalidate != NULL) {
    platform->invalidate(platform->ctx, session->arena, session->model->arena_bytes);
  }
  return result;
}

enum dae_result dae_execute(struct dae_session *session, const struct dae_program *program) {
  enum dae_result result = begin(session, program);
  return result == DAE_OK ? end(session) : result;
}
