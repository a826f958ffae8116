/* How deep a call goes: paint_stack, the call, used_stack, from one function. */
#ifndef PAINTED_STACK_H
#define PAINTED_STACK_H

#include <stdint.h>

#define STACK_PAINT 0xa5u
#define UNPAINTED_BYTES 64u /* below the caller's frame: the frames of the two functions here */
#define PAINT_TOP ((volatile uint8_t *)__builtin_frame_address(0) - UNPAINTED_BYTES)

__attribute__((noinline)) static void paint_stack(uint32_t bytes) {
  volatile uint8_t *const top = PAINT_TOP;
  uint32_t i;
  for (i = 0u; i < bytes; ++i)
    top[-(long)i] = STACK_PAINT;
}

/* Bytes that calls took of the stack since then, of at most `bytes` that were painted. */
__attribute__((noinline)) static uint32_t used_stack(uint32_t bytes) {
  volatile const uint8_t *const top = PAINT_TOP;
  uint32_t used = bytes;
  while (used != 0u && top[-(long)(used - 1u)] == STACK_PAINT)
    --used;
  return used + UNPAINTED_BYTES;
}

#endif
