/* What compilers call for copies and fills, weak: a C library's take their place. The loops are not made into
 * calls of themselves (the folder's Makefile gives -fno-builtin, and to gcc
 * -fno-tree-loop-distribute-patterns). */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t __attribute__((may_alias)) dae_word;

void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

__attribute__((weak)) void *memcpy(void *to, const void *from, size_t bytes) {
  uint8_t *destination = (uint8_t *)to;
  const uint8_t *source = (const uint8_t *)from;
  size_t i = 0u;
  if ((((uintptr_t)to | (uintptr_t)from) & 3u) == 0u) {
    for (; i + 4u <= bytes; i += 4u) {
      *(dae_word *)(void *)(destination + i) = *(const dae_word *)(const void *)(source + i);
    }
  }
  for (; i < bytes; ++i) {
    destination[i] = source[i];
  }
  return to;
}

__attribute__((weak)) void *memmove(void *to, const void *from, size_t bytes) {
  uint8_t *destination = (uint8_t *)to;
  const uint8_t *source = (const uint8_t *)from;
  size_t i = bytes;
  if ((uintptr_t)to - (uintptr_t)from >= bytes) {
    return memcpy(to, from, bytes);
  }
  for (; i != 0u; --i) {
    destination[i - 1u] = source[i - 1u];
  }
  return to;
}

__attribute__((weak)) void *memset(void *to, int value, size_t bytes) {
  uint8_t *destination = (uint8_t *)to;
  size_t i = 0u;
  for (; i < bytes; ++i) {
    destination[i] = (uint8_t)value;
  }
  return to;
}

#if defined(__arm__)
/* The names of Arm's run-time ABI. */
void __aeabi_memcpy(void *to, const void *from, size_t bytes);
void __aeabi_memcpy4(void *to, const void *from, size_t bytes);
void __aeabi_memcpy8(void *to, const void *from, size_t bytes);
void __aeabi_memmove(void *to, const void *from, size_t bytes);
void __aeabi_memmove4(void *to, const void *from, size_t bytes);
void __aeabi_memmove8(void *to, const void *from, size_t bytes);
void __aeabi_memset(void *to, size_t bytes, int value);
void __aeabi_memset4(void *to, size_t bytes, int value);
void __aeabi_memset8(void *to, size_t bytes, int value);
void __aeabi_memclr(void *to, size_t bytes);
void __aeabi_memclr4(void *to, size_t bytes);
void __aeabi_memclr8(void *to, size_t bytes);

__attribute__((weak)) void __aeabi_memcpy(void *to, const void *from, size_t bytes) {
  (void)memcpy(to, from, bytes);
}
__attribute__((weak)) void __aeabi_memcpy4(void *to, const void *from, size_t bytes) {
  (void)memcpy(to, from, bytes);
}
__attribute__((weak)) void __aeabi_memcpy8(void *to, const void *from, size_t bytes) {
  (void)memcpy(to, from, bytes);
}
__attribute__((weak)) void __aeabi_memmove(void *to, const void *from, size_t bytes) {
  (void)memmove(to, from, bytes);
}
__attribute__((weak)) void __aeabi_memmove4(void *to, const void *from, size_t bytes) {
  (void)memmove(to, from, bytes);
}
__attribute__((weak)) void __aeabi_memmove8(void *to, const void *from, size_t bytes) {
  (void)memmove(to, from, bytes);
}
__attribute__((weak)) void __aeabi_memset(void *to, size_t bytes, int value) {
  (void)memset(to, value, bytes);
}
__attribute__((weak)) void __aeabi_memset4(void *to, size_t bytes, int value) {
  (void)memset(to, value, bytes);
}
__attribute__((weak)) void __aeabi_memset8(void *to, size_t bytes, int value) {
  (void)memset(to, value, bytes);
}
__attribute__((weak)) void __aeabi_memclr(void *to, size_t bytes) {
  (void)memset(to, 0, bytes);
}
__attribute__((weak)) void __aeabi_memclr4(void *to, size_t bytes) {
  (void)memset(to, 0, bytes);
}
__attribute__((weak)) void __aeabi_memclr8(void *to, size_t bytes) {
  (void)memset(to, 0, bytes);
}
#endif

#ifdef __cplusplus
}
#endif
