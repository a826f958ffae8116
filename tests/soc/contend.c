/* Runs the first step of the job (soc_job.h) and, while the accelerator works, disturbs its memory: reads and
 * writes of DRAM, of registers, and pauses, at random by a seed. The seed, and from where on DRAM may be
 * written, stand where the job's result goes; the sum of all that was read goes there. */
#include "board.h"
#include "soc_job.h"

static struct daedalus_job job;
static struct daedalus_job_step step;
static uint32_t state, sum;

static uint32_t next(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static volatile uint32_t *words(uint32_t address) {
  return (volatile uint32_t *)(uintptr_t)address;
}

static void access_dram(uint32_t scratch) {
  uint32_t at = scratch + next() % 4096u;
  switch (next() % 6u) {
  case 0:
    *(volatile uint8_t *)(uintptr_t)at = (uint8_t)next();
    break;
  case 1:
    *(volatile uint16_t *)(uintptr_t)(at & ~1u) = (uint16_t)next();
    break;
  case 2:
    *words(at & ~3u) = next();
    break;
  case 3:
    sum += *(volatile uint8_t *)(uintptr_t)at;
    break;
  default: /* a constant: what the accelerator only reads */
    sum += *words(job.constants + next() % 4096u / 4u * 4u);
  }
}

static void pause(uint32_t turns) {
  volatile uint32_t turn;
  for (turn = 0; turn < turns; ++turn) {
  }
}

static void configure(const struct dae_io *io) {
  static struct dae_job run;
  run.bases[0].address = job.constants;
  run.bases[0].limit = step.constants_limit;
  run.bases[0].read_only = 1;
  run.bases[1].address = job.arena;
  run.bases[1].limit = step.arena_limit;
  run.program = step.program;
  run.instructions = step.instructions;
  if (dae_configure(io, &run, 0) != DAE_OK)
    board_exit(DAEDALUS_SOC_EXIT_BAD_ADDRESSES);
}

static void disturb(const struct dae_io *io, uint32_t scratch) {
  do {
    switch (next() % 8u) {
    case 0:
      pause(next() % 64u);
      break;
    case 1:
      sum += dae_status(io);
      break;
    case 2:
      sum += (uint32_t)dae_cycles(io); /* zero while it runs */
      break;
    case 3:
      if (next() % 32u == 0) {
        board_alarm(next() % 4096u + 1u);
        sum += board_sleep();
        board_alarm(0);
      }
      break;
    default:
      access_dram(scratch);
    }
  } while (!dae_pending(io));
}

static void load(void *to, uint32_t from, uint32_t bytes) {
  uint32_t *word = to;
  for (; bytes; bytes -= 4u, from += 4u)
    *word++ = *words(from);
}

int main(void) {
  struct dae_io io = board_accelerator();
  uint32_t scratch, turn;
  load(&job, DAEDALUS_SOC_DRAM, sizeof job);
  load(&step, DAEDALUS_SOC_DRAM + sizeof job, sizeof step);
  state = words(job.result)[0];
  scratch = words(job.result)[1];
  dae_enable_interrupt(&io, (int)(next() & 1u));
  for (turn = 0; turn < 2; ++turn) {
    configure(&io);
    board_mark(turn);
    dae_start(&io);
    disturb(&io, scratch);
    sum += (uint32_t)dae_cycles(&io);
    if (dae_finish(&io) != DAE_OK)
      return DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT;
  }
  words(job.result)[0] = sum;
  return DAEDALUS_SOC_EXIT_OK;
}
