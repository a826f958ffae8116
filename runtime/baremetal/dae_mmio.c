/* Registers mapped into the address space: one volatile access each. */

#include "dae_driver.h"

static uint32_t mmio_read32(void *ctx, uint32_t offset) {
  return *(volatile uint32_t *)((volatile uint8_t *)ctx + offset);
}

static void mmio_write32(void *ctx, uint32_t offset, uint32_t value) {
  *(volatile uint32_t *)((volatile uint8_t *)ctx + offset) = value;
}

struct dae_io dae_mmio(volatile void *base) {
  struct dae_io io;
  io.read32 = mmio_read32;
  io.write32 = mmio_write32;
  io.ctx = (void *)base; /* used as volatile again above */
  return io;
}
