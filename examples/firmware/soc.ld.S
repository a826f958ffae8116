/* Code and constants in ROM, data and stack in SRAM, and what the accelerator reaches in DRAM. */
#include "daedalus_soc.h"

ENTRY(_start)

MEMORY {
  rom (rx)   : ORIGIN = DAEDALUS_SOC_ROM, LENGTH = DAEDALUS_SOC_ROM_BYTES
  sram (rwx) : ORIGIN = DAEDALUS_SOC_SRAM, LENGTH = DAEDALUS_SOC_SRAM_BYTES
  dram (rwx) : ORIGIN = DAEDALUS_SOC_DRAM, LENGTH = DAEDALUS_SOC_DRAM_BYTES
}

SECTIONS {
  .text : { KEEP(*(.text.start)) *(.text .text.*) *(.rodata .rodata.* .srodata .srodata.*) . = ALIGN(4); } > rom
  .data : ALIGN(4) {
    data_begin = .;
    __global_pointer$ = . + 0x800;
    *(.sdata .sdata.* .data .data.*)
    . = ALIGN(4);
    data_end = .;
  } > sram AT > rom
  data_image = LOADADDR(.data);
  .bss (NOLOAD) : ALIGN(4) {
    bss_begin = .;
    *(.sbss .sbss.* .bss .bss.* COMMON)
    . = ALIGN(4);
    bss_end = .;
  } > sram
  stack_end = ORIGIN(sram) + LENGTH(sram);
  .blob : ALIGN(4096) { *(.dae_blob .dae_blob.*) } > dram
  .dram (NOLOAD) : ALIGN(4096) { *(.dram .dram.*) . = ALIGN(4096); dram_free = .; } > dram
  /DISCARD/ : { *(.comment) *(.riscv.attributes) *(.eh_frame) *(.note*) }
}
