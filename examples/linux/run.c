/* Runs an exported model once from Linux's user space, on hardware or on `daedalus serve`.
 *
 *   run REGISTERS MEMORY INPUTS OUTPUTS [MILLISECONDS]
 *
 * REGISTERS is a UIO device or the server's socket, MEMORY the u-dma-buf or the server's memory. INPUTS holds
 * the model's inputs one behind the other, as they lie in memory; OUTPUTS receives the outputs. A run gives
 * up behind so many milliseconds (10000). Compile it with the name of the model (docs/export.md):
 * -DMODEL=digits.
 */
#include "dae_linux_socket.h"
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOINED(a, b) a##b
#define NAME(a, b) JOINED(a, b)
#define THE_MODEL (&NAME(MODEL, _model))
#define THE_BLOB NAME(MODEL, _blob)

static int complain(const char *what, const char *why) {
  (void)fprintf(stderr, "run: error: %s: %s\n", what, why);
  return 1;
}

/* Where `bytes` behind `used` begin, at a multiple of `alignment`; null where the memory ends before. */
static uint8_t *place(const struct dae_linux *device, size_t *used, size_t bytes, size_t alignment) {
  size_t at = (*used + alignment - 1u) / alignment * alignment;
  if (bytes > device->memory_bytes || at > device->memory_bytes - bytes) {
    return NULL;
  }
  *used = at + bytes;
  return device->memory + at;
}

static int read_inputs(const struct dae_session *session, const char *path) {
  FILE *file = fopen(path, "rb");
  int complete = file != NULL;
  for (uint32_t i = 0; complete && i < session->model->input_count; ++i) {
    const size_t bytes = session->model->inputs[i].bytes;
    complete = fread(dae_input(session, i), 1, bytes, file) == bytes;
  }
  if (file != NULL) {
    complete = fgetc(file) == EOF && complete;
    (void)fclose(file);
  }
  return complete ? 0 : complain(path, "it does not hold the bytes of the model's inputs");
}

static int write_outputs(const struct dae_session *session, const char *path) {
  FILE *file = fopen(path, "wb");
  int complete = file != NULL;
  for (uint32_t i = 0; complete && i < session->model->output_count; ++i) {
    const size_t bytes = session->model->outputs[i].bytes;
    complete = fwrite(dae_output(session, i), 1, bytes, file) == bytes;
  }
  if (file != NULL) {
    complete = fclose(file) == 0 && complete;
  }
  return complete ? 0 : complain(path, "it cannot be written");
}

/* The result's name, and what is known of it: the fault, the machine that the model is for, the sentence of
 * the back end. */
static int judge(const struct dae_linux *device, const struct dae_session *session, enum dae_result result) {
  if (result == DAE_OK) {
    return 0;
  }
  if (result == DAE_STOPPED_WITH_FAULT) {
    return complain(dae_result_name(result), dae_fault_name(session->fault.cause));
  }
  if (result == DAE_WRONG_MACHINE) {
    return complain(dae_result_name(result), session->model->machine);
  }
  return complain(dae_result_name(result), device->error[0] != '\0' ? device->error : "see dae_firmware.h");
}

static int run(const struct dae_linux *device, const char *inputs, const char *outputs) {
  const struct dae_model *model = THE_MODEL;
  struct dae_session session;
  size_t used = 0;
  uint8_t *blob = place(device, &used, model->blob_bytes, model->blob_alignment);
  uint8_t *arena = place(device, &used, model->arena_bytes, model->arena_alignment);
  if (blob == NULL || arena == NULL) {
    return complain(model->name, "the accelerator's memory is too small for blob and arena");
  }
  memcpy(blob, THE_BLOB, model->blob_bytes);
  int failed = judge(device, &session,
                     dae_open(&session, model, &device->platform, blob, model->blob_bytes, arena,
                              device->memory_bytes - (size_t)(arena - device->memory)));
  if (failed == 0) {
    failed = read_inputs(&session, inputs);
  }
  if (failed == 0) {
    failed = judge(device, &session, dae_run(&session));
  }
  if (failed == 0) {
    failed = write_outputs(&session, outputs);
  }
  if (failed == 0) {
    (void)printf("%s: %llu cycles\n", model->name, (unsigned long long)session.cycles);
  }
  return failed;
}

int main(int argc, char **argv) {
  struct dae_linux device;
  const unsigned long milliseconds = argc == 6 ? strtoul(argv[5], NULL, 10) : 10000u;
  if ((argc != 5 && argc != 6) || milliseconds == 0u || milliseconds > 86400000u) {
    return complain("expected", "run REGISTERS MEMORY INPUTS OUTPUTS [MILLISECONDS]"), 2;
  }
  if (dae_linux_open_any(&device, argv[1], argv[2], (uint32_t)milliseconds) != 0) {
    return complain("the accelerator", device.error);
  }
  const int failed = run(&device, argv[3], argv[4]);
  dae_linux_close(&device);
  return failed;
}
