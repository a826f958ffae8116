/* The commands of uart_bridge.sv over a serial port. A command whose answer does not come, or comes broken,
 * is sent again, twice at most: each of them may be done twice. What still fails ends the program with a
 * sentence on stderr. */
#ifndef LINK_H
#define LINK_H

#include <stddef.h>
#include <stdint.h>

/* Ends the program with status 1 and "error: ", what the format says, on stderr. */
_Noreturn void die(const char *format, ...);

struct link_times {         /* in milliseconds, at most INT_MAX */
  unsigned long silence_ms; /* behind a broken command: more than SilenceBits of board.sv */
  unsigned long answer_ms;  /* within which the bytes of an answer have to come, one after the other */
};

struct link {
  int file;
  const char *path;
  struct link_times times;
};

/* Opens the port with 8N1 at a baud rate, and waits until the board has forgotten a command that was cut off.
 */
struct link link_open(const char *path, unsigned long baud, struct link_times times);

uint32_t link_read_register(struct link *link, uint32_t offset);
void link_write_register(struct link *link, uint32_t offset, uint32_t value);
void link_read_memory(struct link *link, uint32_t address, uint8_t *bytes, size_t count);
void link_write_memory(struct link *link, uint32_t address, const uint8_t *bytes, size_t count);

#endif
