#include "board.h"

static volatile uint32_t *device(uint32_t region, uint32_t offset) {
  return (volatile uint32_t *)(uintptr_t)(region + offset);
}

void board_print(const char *text) {
  for (; *text; ++text)
    *device(DAEDALUS_SOC_UART, DAEDALUS_SOC_UART_DATA) = (uint8_t)*text;
}

void board_print_number(uint32_t value) {
  char text[11];
  char *at = text + sizeof text - 1;
  *at = 0;
  do {
    *--at = (char)('0' + value % 10u);
    value /= 10u;
  } while (value);
  board_print(at);
}

void board_alarm(uint32_t cycles) {
  *device(DAEDALUS_SOC_TIMER, DAEDALUS_SOC_TIMER_ALARM) = cycles;
}

void board_exit(uint32_t code) {
  static const char *const names[] = {DAEDALUS_SOC_EXIT_NAMES};
  if (code) {
    board_print("error: ");
    board_print(code < DAEDALUS_SOC_EXIT_COUNT ? names[code] : "unknown");
    board_print("\n");
  }
  for (;;)
    *device(DAEDALUS_SOC_SYSTEM, DAEDALUS_SOC_SYSTEM_EXIT) = code;
}

void board_interrupted(uint32_t lines) {
  if (lines & 1u << DAEDALUS_SOC_LINE_BUS_ERROR) {
    board_print("address ");
    board_print_number(*device(DAEDALUS_SOC_SYSTEM, DAEDALUS_SOC_SYSTEM_ERROR_ADDRESS));
    board_print("\n");
    board_exit(DAEDALUS_SOC_EXIT_BUS_ERROR);
  }
  board_exit(DAEDALUS_SOC_EXIT_TRAP);
}

struct dae_io board_accelerator(void) {
  return dae_mmio((volatile void *)(uintptr_t)DAEDALUS_SOC_ACCELERATOR);
}
