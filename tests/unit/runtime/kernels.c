/* Kernels as the compiler makes them: freestanding, one entry a kernel, arguments by position. With a macro,
 * another amount for the first one, or one of the things that the loader refuses. */

#include <stdint.h>

#ifndef AMOUNT
#define AMOUNT -1
#endif

static void add(const signed char *in, signed char *out, int value) {
  for (int i = 0; i < 64; ++i)
    out[i] = (signed char)(in[i] + value);
}

static void minus_one(const signed char *in, signed char *out) {
  add(in, out, AMOUNT);
}
static void plus_three(const signed char *in, signed char *out) {
  add(in, out, 3);
}

/* Needs relocations, as constant tables of pointers do. */
void (*const volatile variants[])(const signed char *, signed char *) = {minus_one, plus_three};

int kernel_minus_one(void *const *args, const void *context) {
  (void)context;
  variants[0](args[0], args[1]);
  return 0;
}
int kernel_plus_three(void *const *args, const void *context) {
  (void)context;
  variants[1](args[0], args[1]);
  return 0;
}

/* Adds to each element its index, which a task takes from its worker's 64 bytes of scratch. The context is
 * read by offset (daedalus/package/kernel_abi.h), as compiled kernels do. */
typedef void task_body(void *closure, int64_t task, void *scratch);
typedef void parallel_for(const void *context, task_body *body, void *closure, int64_t tasks);

static void add_index(void *closure, int64_t task, void *scratch) {
  void *const *args = closure;
  volatile signed char *index = scratch;
  for (int i = 0; i < 64; ++i)
    index[i] = (signed char)task;
  ((signed char *)args[1])[task] = (signed char)(((const signed char *)args[0])[task] + index[63 - task]);
}

int kernel_plus_index(void *const *args, const void *context) {
  if (*(const uint64_t *)((const char *)context + 8) < 64)
    return 4;
  (*(parallel_for *const *)context)(context, add_index, (void *)args, 64);
  return 0;
}

#ifdef UNDEFINED
int abs(int);
int use(int x) {
  return abs(x) + (int)(long)&abs;
}
#endif
#ifdef THREAD_LOCAL
_Thread_local int counter;
int *count(void) {
  return &counter;
}
#endif
#ifdef CONSTRUCTOR
__attribute__((constructor)) static void begin(void) {
  variants[0](0, 0);
}
#endif
