/* Runs a network that `daedalus export` wrote. NETWORK is its name; its blob lies in DRAM, its arena behind
 * all that is there, and its inputs, one after the other in the order of its signature, are the file INPUTS.
 * Prints each output, and how much of the stack that model.h promises the run took. */
#include "board.h"
#include "dae_firmware.h"
#include "model.h"
#include "painted_stack.h"

#define JOIN(a, b) a##b
#define SYMBOL(name, suffix) JOIN(name, suffix)
#define MODEL SYMBOL(NETWORK, _model)
#define BLOB SYMBOL(NETWORK, _blob)

#define WATCHDOG_CYCLES 0x10000000u
#define MARK_OPENED 1u
#define MARK_INPUTS 2u
#define MARK_DONE 3u
#define MARK_STEP 0x1000u /* plus its number: it begins */
#define HOOK_BYTES 64u    /* of stack: sleep and begin_step */
#define PAINTED_BYTES (MODEL.stack_bytes + 1024u)

extern const uint8_t network_inputs[]; /* inputs.S */
extern uint8_t dram_free[];            /* soc.ld.S */

static int sleep(void *ctx) {
  (void)ctx;
  return (board_sleep() & 1u << DAEDALUS_SOC_LINE_TIMER) != 0;
}

static void begin_step(void *ctx, uint32_t step, int ends) {
  (void)ctx;
  if (!ends)
    board_mark(MARK_STEP + step);
}

static void print_stack(uint32_t used) {
  board_print("stack: ");
  board_print_number(used);
  board_print(" of ");
  board_print_number(MODEL.stack_bytes + HOOK_BYTES);
  board_print(" bytes\n");
}

/* The code that says it to who looks from outside. */
static uint32_t code_of(enum dae_result result) {
  switch (result) {
  case DAE_OK:
    return DAEDALUS_SOC_EXIT_OK;
  case DAE_WRONG_VERSION:
    return DAEDALUS_SOC_EXIT_WRONG_VERSION;
  case DAE_WRONG_MACHINE:
    return DAEDALUS_SOC_EXIT_WRONG_MACHINE;
  case DAE_BUSY:
    return DAEDALUS_SOC_EXIT_BUSY;
  case DAE_STOPPED_WITH_FAULT:
    return DAEDALUS_SOC_EXIT_ACCELERATOR_FAULT;
  case DAE_TIMED_OUT:
    return DAEDALUS_SOC_EXIT_WATCHDOG;
  case DAE_BLOB_DAMAGED:
    return DAEDALUS_SOC_EXIT_DAMAGED;
  case DAE_BLOB_UNALIGNED:
  case DAE_ARENA_UNALIGNED:
    return DAEDALUS_SOC_EXIT_UNALIGNED;
  default:
    return DAEDALUS_SOC_EXIT_BAD_ADDRESSES;
  }
}

static uint32_t explain(const struct dae_session *session, enum dae_result result) {
  if (result != DAE_OK) {
    board_print(dae_result_name(result));
    if (result == DAE_STOPPED_WITH_FAULT) {
      board_print(" ");
      board_print(dae_fault_name(session->fault.cause));
    }
    board_print("\n");
  }
  return code_of(result);
}

/* As decimal numbers of int8; more than 16 bytes are left out. */
static void print_output(const struct dae_session *session, uint32_t index) {
  const struct dae_tensor *output = &session->model->outputs[index];
  const int8_t *bytes = dae_output(session, index);
  uint32_t i, shown = output->bytes < 16u ? output->bytes : 16u;
  board_print(output->name);
  board_print(":");
  for (i = 0; i < shown; ++i) {
    board_print(bytes[i] < 0 ? " -" : " ");
    board_print_number((uint32_t)(bytes[i] < 0 ? -bytes[i] : bytes[i]));
  }
  board_print(shown < output->bytes ? " ...\n" : "\n");
}

static void write_inputs(const struct dae_session *session) {
  const uint8_t *from = network_inputs;
  uint32_t i;
  for (i = 0; i < session->model->input_count; from += session->model->inputs[i].bytes, ++i)
    dae_copy(dae_input(session, i), from, session->model->inputs[i].bytes);
}

int main(void) {
  static struct dae_session session;
  static struct dae_platform platform;
  enum dae_result result;
  uint32_t i, stack;
  platform.io = board_accelerator();
  platform.wait = sleep;
  platform.step = begin_step;
  result = dae_open(&session, &MODEL, &platform, BLOB, MODEL.blob_bytes, dram_free, MODEL.arena_bytes);
  board_mark(MARK_OPENED);
  if (result != DAE_OK)
    return (int)explain(&session, result);
  write_inputs(&session);
  paint_stack(PAINTED_BYTES);
  board_mark(MARK_INPUTS);
  board_alarm(WATCHDOG_CYCLES);
  result = dae_run(&session);
  board_alarm(0);
  board_mark(MARK_DONE);
  stack = used_stack(PAINTED_BYTES);
  for (i = 0; result == DAE_OK && i < session.model->output_count; ++i)
    print_output(&session, i);
  print_stack(stack);
  return (int)explain(&session, result);
}
