/* The simulated system as its firmware sees it: UART, alarm, sleep, marks and the end. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#include "dae_driver.h"
#include "daedalus_soc.h"

void board_print(const char *text);
void board_print_number(uint32_t value);

/* The timer's interrupt is pending so many cycles from now on; 0: never. */
void board_alarm(uint32_t cycles);
/* Sleeps until an interrupt is pending; the lines that are. */
uint32_t board_sleep(void);

/* Notes `number` with the present cycle outside, and returns the low half of the processor's counter of
 * cycles, which is a fixed number of cycles older. */
uint32_t board_mark(uint32_t number);

/* Ends the simulation with a code of daedalus_soc.h, whose name is printed unless it is 0. */
void board_exit(uint32_t code) __attribute__((noreturn));

/* What start.S calls at an interrupt that firmware does not survive: a trap, a bus error. */
void board_interrupted(uint32_t lines) __attribute__((noreturn));

/* The accelerator. */
struct dae_io board_accelerator(void);

#endif
