/* See link.h; the protocol is written down in uart_bridge.sv. */
#define _DEFAULT_SOURCE
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { WRITE_REGISTER = 1, READ_REGISTER = 2, WRITE_MEMORY = 3, READ_MEMORY = 4 };
enum { DONE = 0xa0, NO_OPERATION = 0xe2, WRONG_RANGE = 0xe3 };
enum { NO_ANSWER = -1, WRONG_CHECK = -2 };
enum { HEAD_BYTES = 8, CHUNK_BYTES = 1024, TRIES = 3 };

struct command {
  uint8_t operation;
  uint32_t address;
  uint16_t length;
  const uint8_t *sends; /* `length` bytes of a write */
  uint8_t *gets;        /* of a read */
};

_Noreturn void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputs("\n", stderr);
  va_end(arguments);
  exit(1);
}

/* CRC-8 with x^8 + x^2 + x + 1. */
static uint8_t check_of(uint8_t crc, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit)
      crc = (uint8_t)(crc << 1 ^ (crc & 0x80 ? 0x07 : 0));
  }
  return crc;
}

static void be_silent(const struct link *link) {
  const struct timespec time = {link->times.silence_ms / 1000,
                                (long)(link->times.silence_ms % 1000) * 1000000};
  nanosleep(&time, NULL);
  tcflush(link->file, TCIFLUSH);
}

static void send_bytes(const struct link *link, const uint8_t *bytes, size_t count) {
  while (count) {
    ssize_t sent = write(link->file, bytes, count);
    if (sent < 0 && errno != EINTR)
      die("'%s' takes no bytes: %s", link->path, strerror(errno));
    if (sent > 0) {
      bytes += sent;
      count -= (size_t)sent;
    }
  }
}

/* Whether all of them came. */
static int get_bytes(const struct link *link, uint8_t *bytes, size_t count) {
  struct pollfd ready = {link->file, POLLIN, 0};
  while (count) {
    if (poll(&ready, 1, (int)link->times.answer_ms) == 0)
      return 0;
    ssize_t got = read(link->file, bytes, count);
    if (got == 0 || (got < 0 && errno != EINTR))
      die("'%s' was closed: %s", link->path, got ? strerror(errno) : "no more bytes");
    if (got > 0) {
      bytes += got;
      count -= (size_t)got;
    }
  }
  return 1;
}

/* The status that the board answers, NO_ANSWER, or WRONG_CHECK. */
static int try_once(const struct link *link, const struct command *command) {
  uint8_t message[HEAD_BYTES + CHUNK_BYTES + 1], status, check;
  size_t count = HEAD_BYTES, gets = 0;
  message[0] = command->operation;
  for (int i = 0; i < 4; ++i)
    message[1 + i] = (uint8_t)(command->address >> 8 * i);
  message[5] = (uint8_t)command->length;
  message[6] = (uint8_t)(command->length >> 8);
  message[7] = check_of(0xff, message, 7);
  if (command->sends) {
    memcpy(message + count, command->sends, command->length);
    message[count + command->length] = check_of(0xff, command->sends, command->length);
    count += command->length + 1u;
  }
  send_bytes(link, message, count);
  if (!get_bytes(link, &status, 1))
    return NO_ANSWER;
  if (status == DONE && command->gets)
    gets = command->length;
  if (!get_bytes(link, command->gets, gets) || !get_bytes(link, &check, 1))
    return NO_ANSWER;
  return check_of(check_of(0xff, &status, 1), command->gets, gets) == check ? status : WRONG_CHECK;
}

static void explain(const struct link *link, const struct command *command, int status) {
  const unsigned long address = command->address;
  if (status == NO_ANSWER)
    die("the board behind '%s' does not answer within %lu ms; expected board.sv at this baud rate",
        link->path, link->times.answer_ms);
  if (status == WRONG_RANGE && command->operation >= WRITE_MEMORY)
    die("the board's memory ends before byte %lu, which the model needs; build board.sv with more "
        "MemoryBytes",
        address + command->length);
  if (status == WRONG_RANGE)
    die("the accelerator has no register at 0x%03lx", address);
  die("the board behind '%s' answers %d to an access of 0x%lx; expected 160; the line is disturbed, or its "
      "baud rate is "
      "another",
      link->path, status, address);
}

static void execute(const struct link *link, const struct command *command) {
  int status = NO_ANSWER;
  for (int i = 0; i < TRIES; ++i) {
    if (i)
      be_silent(link);
    status = try_once(link, command);
    if (status == DONE)
      return;
    if (status == NO_OPERATION || status == WRONG_RANGE)
      break;
  }
  explain(link, command, status);
}

static speed_t speed_of(unsigned long baud) {
  static const struct {
    unsigned long baud;
    speed_t speed;
  } speeds[] = {{115200, B115200}, {230400, B230400},   {460800, B460800},   {500000, B500000},
                {921600, B921600}, {1000000, B1000000}, {2000000, B2000000}, {3000000, B3000000}};
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; ++i)
    if (speeds[i].baud == baud)
      return speeds[i].speed;
  die("%lu is no baud rate of a serial port; expected 115200, 230400, 460800, 500000, 921600, 1000000, "
      "2000000 or 3000000",
      baud);
}

struct link link_open(const char *path, unsigned long baud, struct link_times times) {
  struct link link = {open(path, O_RDWR | O_NOCTTY), path, times};
  struct termios settings;
  if (link.file < 0)
    die("'%s' cannot be opened: %s", path, strerror(errno));
  if (tcgetattr(link.file, &settings))
    die("'%s' is no serial port: %s", path, strerror(errno));
  cfmakeraw(&settings);
  settings.c_cflag = (settings.c_cflag & ~(tcflag_t)(CSTOPB | CRTSCTS)) | CLOCAL | CREAD;
  if (cfsetspeed(&settings, speed_of(baud)) || tcsetattr(link.file, TCSANOW, &settings))
    die("'%s' does not take %lu baud: %s", path, baud, strerror(errno));
  be_silent(&link);
  return link;
}

uint32_t link_read_register(struct link *link, uint32_t offset) {
  uint8_t bytes[4];
  const struct command command = {READ_REGISTER, offset, sizeof bytes, NULL, bytes};
  execute(link, &command);
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void link_write_register(struct link *link, uint32_t offset, uint32_t value) {
  const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                            (uint8_t)(value >> 24)};
  const struct command command = {WRITE_REGISTER, offset, sizeof bytes, bytes, NULL};
  execute(link, &command);
}

void link_read_memory(struct link *link, uint32_t address, uint8_t *bytes, size_t count) {
  for (size_t done = 0; done < count; done += CHUNK_BYTES) {
    const size_t length = count - done < CHUNK_BYTES ? count - done : CHUNK_BYTES;
    const struct command command = {READ_MEMORY, address + (uint32_t)done, (uint16_t)length, NULL,
                                    bytes + done};
    execute(link, &command);
  }
}

void link_write_memory(struct link *link, uint32_t address, const uint8_t *bytes, size_t count) {
  for (size_t done = 0; done < count; done += CHUNK_BYTES) {
    const size_t length = count - done < CHUNK_BYTES ? count - done : CHUNK_BYTES;
    const struct command command = {WRITE_MEMORY, address + (uint32_t)done, (uint16_t)length, bytes + done,
                                    NULL};
    execute(link, &command);
  }
}
