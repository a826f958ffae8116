/* From the reset to main(), whose value ends the simulation, and from an interrupt that is fatal to
 * board_interrupted(). PicoRV32's own instructions have no names in the assembler. */
#include "daedalus_soc.h"

#define FATAL (1 << 1 | 1 << 2 | 1 << DAEDALUS_SOC_LINE_BUS_ERROR) /* trap, misaligned access, bus error */

	.section .text.start, "ax"
	.global _start
_start:
	.option push
	.option norvc
	j	start
	.option pop

	.org	DAEDALUS_SOC_INTERRUPT_ENTRY
	.word	0x0000850b /* getq a0, q1: the lines that are handled */
	la	sp, stack_end
	call	board_interrupted

start:
	la	sp, stack_end
	.option push
	.option norelax
	la	gp, __global_pointer$
	.option pop
	la	a0, data_begin
	la	a1, data_end
	la	a2, data_image
1:	bgeu	a0, a1, 2f
	lw	a3, 0(a2)
	sw	a3, 0(a0)
	addi	a0, a0, 4
	addi	a2, a2, 4
	j	1b
2:	la	a0, bss_begin
	la	a1, bss_end
3:	bgeu	a0, a1, 4f
	sw	zero, 0(a0)
	addi	a0, a0, 4
	j	3b
4:	li	a0, ~FATAL
	.word	0x0605000b /* maskirq zero, a0 */
	call	main
	call	board_exit

/* The lines that are pending, as soon as one is. */
	.global board_sleep
board_sleep:
	.word	0x0800050b /* waitirq a0 */
	ret

/* a0: a number for MARK. The counter of cycles, so many before the write as in every call. */
	.balign 4
	.global board_mark
board_mark:
	lui	a2, %hi(DAEDALUS_SOC_SYSTEM + DAEDALUS_SOC_SYSTEM_MARK)
	rdcycle	a1
	sw	a0, %lo(DAEDALUS_SOC_SYSTEM + DAEDALUS_SOC_SYSTEM_MARK)(a2)
	mv	a0, a1
	ret
