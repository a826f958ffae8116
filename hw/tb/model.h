/* The Verilated accelerator as a shared object: one for each machine, loaded at run time. Plain C, so that
 * the object depends on nothing of the simulator.
 *
 * A cycle is two calls: settle() with the inputs of the cycle gives its outputs, and tick() is its clock
 * edge. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DAEDALUS_RTL_ABI = 6, DAEDALUS_RTL_MAX_BUS = 64, DAEDALUS_RTL_MAX_LANES = 64 };

/* What the testbench drives; names as in daedalus_tb.sv. */
typedef struct {
  uint8_t rst_n, observe;
  uint16_t bug;                                            /* number of a planted bug; 0: none */
  uint8_t awvalid, wvalid, wstrb, bready, arvalid, rready; /* AXI4-Lite */
  uint32_t awaddr, wdata, araddr;
  uint8_t m_arready, m_rvalid, m_rlast, m_rresp, m_awready, m_wready, m_bvalid, m_bresp;
  const uint8_t *m_rdata; /* bus bytes; looked at with m_rvalid */
} DaedalusRtlInputs;

/* What it sees in every cycle. */
typedef struct {
  uint8_t awready, wready, bvalid, bresp, arready, rvalid, rresp, irq;
  uint8_t m_arvalid, m_arlen, m_arsize, m_arburst, m_rready;
  uint8_t m_awvalid, m_awlen, m_awsize, m_awburst, m_wvalid, m_wlast, m_bready;
  uint8_t register_write, register_read, counting, stop, finish_in_head, start, retire, load_write,
      gemm_write, vector_write;
  uint32_t rdata, fetch_index, classes, load_work; /* classes: bits 4 m +: 4 of module m */
  uint64_t m_araddr, m_awaddr, cycle;
} DaedalusRtlOutputs;

/* What it looks at where something happened. */
typedef struct {
  uint32_t head_index[4], retire_index[4];
  uint16_t missing;
  uint8_t blocked, load_scope;
  uint32_t load_row, load_index, gemm_row, vector_row, store_index;
  uint64_t load_enable, m_wstrb;
  uint8_t load_data[DAEDALUS_RTL_MAX_LANES], gemm_data[4 * DAEDALUS_RTL_MAX_LANES];
  uint8_t vector_data[4 * DAEDALUS_RTL_MAX_LANES], vector_bytes[DAEDALUS_RTL_MAX_LANES];
  uint8_t m_wdata[DAEDALUS_RTL_MAX_BUS];
} DaedalusRtlDetails;

typedef struct {
  int abi; /* DAEDALUS_RTL_ABI */
  int has_waves;
  /* `state_seed`: registers and memories hold random values at first; 0: zeros. */
  void *(*create)(uint32_t state_seed);
  void (*destroy)(void *model);
  void (*settle)(void *model, const DaedalusRtlInputs *inputs, DaedalusRtlOutputs *outputs);
  void (*tick)(void *model);
  void (*details)(void *model, DaedalusRtlDetails *details);
  /* The first assertion that failed, or null; one of a race of data ("race: ...") only where no other one
   * did. */
  const char *(*failure)(void *model);
  /* The bytes of a public variable of a module below the core ("u_out", "mem"), or null: what a memory holds,
   * row by row, or a register that presets.vlt names. */
  uint8_t *(*variable)(void *model, const char *module, const char *name, uint64_t *bytes);
  /* FST waves; 0 when the file cannot be written. dump() is called at each settled half of a cycle. */
  int (*open_waves)(void *model, const char *path);
  void (*dump_waves)(void *model, uint64_t time);
  void (*close_waves)(void *model);
} DaedalusRtlModel;

const DaedalusRtlModel *daedalus_rtl_model(void);

#ifdef __cplusplus
}
#endif
