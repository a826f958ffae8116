/* Runs the job that lies in DRAM (soc_job.h): checks it, then each of its steps, sleeping while the
 * accelerator works. */
#include "board.h"
#include "soc_job.h"

static struct daedalus_job job; /* copies in SRAM: DRAM is slow */
static struct daedalus_job_step steps[DAEDALUS_JOB_STEPS];
static const struct daedalus_job_step *configured; /* what the accelerator's registers are set for */
static uint32_t noted;
static uint32_t marks[DAEDALUS_JOB_MARKS], cycles[DAEDALUS_JOB_MARKS];

static void mark(uint32_t number) {
  uint32_t cycle = board_mark(number);
  if (noted < DAEDALUS_JOB_MARKS) {
    marks[noted] = number;
    cycles[noted] = cycle;
  }
  ++noted;
}

static void copy(volatile uint32_t *to, const volatile uint32_t *from, uint32_t bytes) {
  for (; bytes; bytes -= 4u)
    *to++ = *from++;
}

static void copy_bytes(uint32_t to, uint32_t from, uint32_t bytes) {
  volatile uint8_t *target = (volatile uint8_t *)(uintptr_t)to;
  const volatile uint8_t *source = (const volatile uint8_t *)(uintptr_t)from;
  for (; bytes; --bytes)
    *target++ = *source++;
}

static volatile uint32_t *at(uint32_t address) {
  return (volatile uint32_t *)(uintptr_t)address;
}

static uint32_t checksum(void) {
  const volatile uint32_t *word = at(DAEDALUS_SOC_DRAM);
  uint32_t first = 0, second = 0, bytes;
  for (bytes = job.checked_bytes; bytes; bytes -= 4u, ++word)
    daedalus_job_add(&first, &second, word == at(DAEDALUS_SOC_DRAM) + 2 ? 0u : *word);
  return first ^ second;
}

static uint32_t check_alignment(void) {
  uint32_t i, all = job.constants | job.arena;
  for (i = 0; i < job.steps; ++i)
    if (steps[i].kind == DAEDALUS_STEP_RUN)
      all |= steps[i].program;
  return all % DAEDALUS_INSTRUCTION_BYTES ? DAEDALUS_SOC_EXIT_UNALIGNED : DAEDALUS_SOC_EXIT_OK;
}

static uint32_t check(void) {
  copy((volatile uint32_t *)(void *)&job, at(DAEDALUS_SOC_DRAM), sizeof job);
  if (job.magic != DAEDALUS_JOB_MAGIC)
    return DAEDALUS_SOC_EXIT_NO_JOB;
  if (checksum() != job.checksum || job.steps > DAEDALUS_JOB_STEPS)
    return DAEDALUS_SOC_EXIT_DAMAGED;
  copy((volatile uint32_t *)(void *)steps, at(DAEDALUS_SOC_DRAM + sizeof job), job.steps * sizeof *steps);
  return check_alignment();
}

static uint32_t probe(const struct dae_io *io) {
  struct dae_identity identity;
  switch (dae_probe(io, job.machine_hash, &identity)) {
  case DAE_OK:
    dae_enable_interrupt(io, 1);
    return DAEDALUS_SOC_EXIT_OK;
  case DAE_WRONG_VERSION:
    return DAEDALUS_SOC_EXIT_WRONG_VERSION;
  default:
    return DAEDALUS_SOC_EXIT_WRONG_MACHINE;
  }
}

static void print_fault(struct dae_fault fault) {
  board_print("fault ");
  board_print_number(fault.cause);
  board_print(" at instruction ");
  board_print_number(fault.instruction);
  board_print(" in module ");
  board_print_number(fault.module);
  board_print("\n");
}

static uint32_t configure(const struct dae_io *io, const struct daedalus_job_step *step) {
  static struct dae_job run; /* zero but for what is set here */
  if (configured == step)
    return DAEDALUS_SOC_EXIT_OK;
  run.bases[0].address = job.constants;
  run.bases[0].limit = step->constants_limit;
  run.bases[0].read_only = 1;
  run.bases[1].address = job.arena;
  run.bases[1].limit = step->arena_limit;
  run.program = step->program;
  run.instructions = step->instructions;
  switch (dae_configure(io, &run, 0)) {
  case DAE_OK:
    configured = step;
    return DAEDALUS_SOC_EXIT_OK;
  case DAE_BUSY:
    return DAEDALUS_SOC_EXIT_BUSY;
  default:
    return DAEDALUS_SOC_EXIT_BAD_ADDRESSES;
  }
}

/* Sleeps until the accelerator's interrupt or the alarm. */
static uint32_t wait(const struct dae_io *io) {
  uint32_t lines;
  board_alarm(job.watchdog_cycles);
  do
    lines = board_sleep();
  while (!(lines & (1u << DAEDALUS_SOC_LINE_ACCELERATOR | 1u << DAEDALUS_SOC_LINE_TIMER)));
  board_alarm(0);
  switch (lines & 1u << DAEDALUS_SOC_LINE_ACCELERATOR ? dae_finish(io) : DAE_NOT_DONE) {
  case DAE_OK:
    return DAEDALUS_SOC_EXIT_OK;
  case DAE_STOPPED_WITH_FAULT:
    print_fault(dae_read_fault(io));
    dae_reset(io);
    return DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT;
  default:
    dae_reset(io);
    return DAEDALUS_SOC_EXIT_WATCHDOG;
  }
}

static uint32_t run(const struct dae_io *io, const struct daedalus_job_step *step) {
  uint32_t code;
  if (step->kind == DAEDALUS_STEP_COPY) {
    if ((step->to | step->from | step->bytes) % 4u)
      copy_bytes(step->to, step->from, step->bytes);
    else
      copy(at(step->to), at(step->from), step->bytes);
    return DAEDALUS_SOC_EXIT_OK;
  }
  code = configure(io, step);
  if (code == DAEDALUS_SOC_EXIT_OK && dae_start(io) != DAE_OK)
    code = DAEDALUS_SOC_EXIT_BUSY;
  return code == DAEDALUS_SOC_EXIT_OK ? wait(io) : code;
}

static uint32_t infer(const struct dae_io *io) {
  uint32_t i, code = DAEDALUS_SOC_EXIT_OK;
  for (i = 0; i < job.steps && code == DAEDALUS_SOC_EXIT_OK; ++i) {
    mark(DAEDALUS_MARK_STEP + i);
    code = run(io, &steps[i]);
  }
  mark(DAEDALUS_MARK_DONE);
  return code;
}

static void leave_result(void) {
  volatile struct daedalus_job_result *result = (volatile struct daedalus_job_result *)(uintptr_t)job.result;
  uint32_t count = noted < DAEDALUS_JOB_MARKS ? noted : DAEDALUS_JOB_MARKS;
  copy(result->mark, marks, 4u * count);
  copy(result->cycle, cycles, 4u * count);
  result->marks = noted;
}

int main(void) {
  struct dae_io io = board_accelerator();
  uint32_t i, code;
  mark(DAEDALUS_MARK_BOOTED);
  code = check();
  mark(DAEDALUS_MARK_CHECKED);
  if (code == DAEDALUS_SOC_EXIT_OK)
    code = probe(&io);
  mark(DAEDALUS_MARK_PROBED);
  for (i = 0; i < job.inferences && code == DAEDALUS_SOC_EXIT_OK; ++i)
    code = infer(&io);
  if (code == DAEDALUS_SOC_EXIT_OK) {
    leave_result();
    board_print("ok\n");
  }
  return (int)code;
}
