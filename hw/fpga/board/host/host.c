/* Runs a network that `daedalus export` wrote on the accelerator of a board.
 *
 *   host [--baud N] [--silence MS] [--timeout MS] PORT INPUT...
 *
 * Blob and arena lie in this processor's memory as in the board's, which begins with the blob. The hooks of
 * dae_firmware.h move their bytes: what a cache would write back is written to the board, and what it would
 * forget is read from there. INPUT: files with the bytes of the model's inputs, in the order of its
 * signature; further files are further runs. Prints each output and the accelerator's cycles. NETWORK is the
 * model's name. */
#define _DEFAULT_SOURCE
#include "dae_firmware.h"
#include "link.h"
#include "model.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define JOIN(a, b) a##b
#define SYMBOL(name, suffix) JOIN(name, suffix)
#define MODEL SYMBOL(NETWORK, _model)
#define BLOB SYMBOL(NETWORK, _blob)

#define RUN_SECONDS 10 /* within which a program has to stop, and as long as an answer may take besides */
#define SHOWN_BYTES 16u

struct board {
  struct link link;
  uint8_t *memory; /* byte i is byte i of the board's memory */
  time_t give_up;  /* counted from the last write of a register, which starts the program */
};

static uint32_t read32(void *ctx, uint32_t offset) {
  return link_read_register(&((struct board *)ctx)->link, offset);
}

static void write32(void *ctx, uint32_t offset, uint32_t value) {
  struct board *board = ctx;
  link_write_register(&board->link, offset, value);
  board->give_up = time(NULL) + RUN_SECONDS + (time_t)(board->link.times.answer_ms / 1000);
}

static uint64_t physical(void *ctx, const void *address) {
  return (uint64_t)((const uint8_t *)address - ((const struct board *)ctx)->memory);
}

static void clean(void *ctx, const void *address, size_t bytes) {
  link_write_memory(&((struct board *)ctx)->link, (uint32_t)physical(ctx, address), address, bytes);
}

static void invalidate(void *ctx, void *address, size_t bytes) {
  link_read_memory(&((struct board *)ctx)->link, (uint32_t)physical(ctx, address), address, bytes);
}

static int gives_up(void *ctx) {
  return time(NULL) > ((const struct board *)ctx)->give_up;
}

static void explain(const struct dae_session *session, enum dae_result result) {
  if (result == DAE_STOPPED_WITH_FAULT)
    die("the accelerator stopped with the fault %s at instruction %u", dae_fault_name(session->fault.cause),
        (unsigned)session->fault.instruction);
  if (result == DAE_WRONG_MACHINE)
    die("the model is for the machine '%s', and the board's accelerator is another one", MODEL.machine);
  die("%s", dae_result_name(result));
}

static void read_input(const char *path, void *to, uint32_t bytes) {
  FILE *file = fopen(path, "rb");
  if (!file)
    die("there is no readable file %s", path);
  if (fread(to, 1, bytes, file) != bytes || fgetc(file) != EOF)
    die("%s has another number of bytes than its input; expected %u", path, (unsigned)bytes);
  fclose(file);
}

/* As decimal numbers; elements of more than a byte, byte by byte. */
static void print_output(const struct dae_session *session, uint32_t index) {
  const struct dae_tensor *output = &session->model->outputs[index];
  const uint8_t *bytes = dae_output(session, index);
  uint32_t shown = output->bytes < SHOWN_BYTES ? output->bytes : SHOWN_BYTES;
  printf("%s:", output->name);
  for (uint32_t i = 0; i < shown; ++i)
    printf(" %d", output->type == DAE_INT8 ? (int8_t)bytes[i] : bytes[i]);
  printf(shown < output->bytes ? " ...\n" : "\n");
}

static void run(struct dae_session *session, char **inputs) {
  for (uint32_t i = 0; i < session->model->input_count; ++i)
    read_input(inputs[i], dae_input(session, i), session->model->inputs[i].bytes);
  enum dae_result result = dae_run(session);
  if (result != DAE_OK)
    explain(session, result);
  for (uint32_t i = 0; i < session->model->output_count; ++i)
    print_output(session, i);
  printf("cycles: %llu\n", (unsigned long long)session->cycles);
}

static unsigned long number(const char *text) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (end == text || *end || text[0] == '-' || value > INT_MAX)
    die("expected a number up to %d and not %s", INT_MAX, text);
  return value;
}

/* The index of PORT among the arguments. */
static int read_options(int argc, char **argv, unsigned long *baud, struct link_times *times) {
  int at = 1;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (strcmp(argv[at], "--baud") == 0)
      *baud = number(argv[at + 1]);
    else if (strcmp(argv[at], "--silence") == 0)
      times->silence_ms = number(argv[at + 1]);
    else if (strcmp(argv[at], "--timeout") == 0)
      times->answer_ms = number(argv[at + 1]);
    else
      die("there is no option %s", argv[at]);
  }
  if (argc - at < 2 || (argc - at - 1) % (int)MODEL.input_count) {
    fprintf(stderr, "usage: %s [--baud N] [--silence MS] [--timeout MS] PORT INPUT... (%u files a run)\n",
            argv[0], (unsigned)MODEL.input_count);
    exit(2);
  }
  return at;
}

/* The memory with the blob; what it returns is the arena. */
static uint8_t *make_memory(struct board *board) {
  const size_t arena =
      (MODEL.blob_bytes + MODEL.arena_alignment - 1) / MODEL.arena_alignment * MODEL.arena_alignment;
  if (posix_memalign((void **)&board->memory, MODEL.blob_alignment, arena + MODEL.arena_bytes))
    die("there is no memory for %s", MODEL.name);
  memcpy(board->memory, BLOB, MODEL.blob_bytes);
  memset(board->memory + arena, 0, MODEL.arena_bytes);
  return board->memory + arena;
}

/* Asks for the machine and for the memory's last byte before it loads the board. */
static enum dae_result open_session(struct dae_session *session, const struct dae_platform *platform,
                                    struct board *board, uint8_t *arena) {
  struct dae_identity identity;
  enum dae_result result = dae_probe(&platform->io, MODEL.machine_hash, &identity);
  if (result != DAE_OK)
    return result;
  invalidate(board, arena + MODEL.arena_bytes - 1, 1);
  return dae_open(session, &MODEL, platform, board->memory, MODEL.blob_bytes, arena, MODEL.arena_bytes);
}

int main(int argc, char **argv) {
  static struct board board;
  static struct dae_session session;
  unsigned long baud = 1000000;
  struct link_times times = {.silence_ms = 250, .answer_ms = 3000};
  const int at = read_options(argc, argv, &baud, &times);
  uint8_t *arena = make_memory(&board);
  for (int i = at + 1; i < argc; ++i)
    read_input(argv[i], arena, MODEL.inputs[(i - at - 1) % (int)MODEL.input_count].bytes);
  board.link = link_open(argv[at], baud, times);
  const struct dae_platform platform = {.io = {read32, write32, &board},
                                        .ctx = &board,
                                        .physical = physical,
                                        .clean = clean,
                                        .invalidate = invalidate,
                                        .wait = gives_up};
  enum dae_result result = open_session(&session, &platform, &board, arena);
  if (result != DAE_OK)
    explain(&session, result);
  for (int i = at + 1; i < argc; i += (int)MODEL.input_count)
    run(&session, argv + i);
  return 0;
}
