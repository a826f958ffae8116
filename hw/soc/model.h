/* The Verilated processor as a shared object, loaded at run time. Plain C, so that the object depends on
 * nothing of the simulator. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DAEDALUS_PROCESSOR_ABI = 1 };

/* Names as in processor.sv. */
typedef struct {
  uint32_t rdata, irq;
  uint8_t rst_n, ready;
} DaedalusProcessorInputs;

/* All of them come from registers: those of a cycle are there before its inputs. */
typedef struct {
  uint32_t addr, wdata;
  uint8_t valid, instr, wstrb, trap, waiting;
} DaedalusProcessorOutputs;

typedef struct {
  int abi; /* DAEDALUS_PROCESSOR_ABI */
  void *(*create)(void);
  void (*destroy)(void *model);
  /* One cycle with these inputs; then `outputs` are those of the next one. */
  void (*cycle)(void *model, const DaedalusProcessorInputs *inputs, DaedalusProcessorOutputs *outputs);
  /* So many cycles more on its counter of cycles. */
  void (*skip)(void *model, uint64_t cycles);
  /* Its counters, and the address of the instruction that it works on. */
  uint64_t (*cycles)(void *model);
  uint64_t (*instructions)(void *model);
  uint32_t (*pc)(void *model);
} DaedalusProcessorModel;

const DaedalusProcessorModel *daedalus_processor_model(void);

#ifdef __cplusplus
}
#endif
