/* Firmware in QEMU without a C library, in user mode or, of Cortex-M, on a board with semihosting: reads the
 * inputs of MODEL from the file `inputs`, one behind the other, runs it twice, and writes the outputs to the
 * file `outputs`. Exit status: the result of the model; 100: the second run gives other bytes; 101: bytes
 * behind the arena changed; 102: the stack is deeper than promised; 103: a file cannot be read or written. */

#include "model.h"
#include "painted_stack.h"

extern const struct dae_model MODEL;

#define STACK_BYTES 262144u
#define GUARD_BYTES 4096u
#define PAINT 0xa5u

#if defined(__arm__)
/* Semihosting: a number and a block of parameters. */
static long semihost(long name, const void *block) {
  register long r0 __asm__("r0") = name;
  register const void *r1 __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static long open_file(const char *name, int is_output) {
  const long block[] = {(long)name, is_output ? 5 : 1, is_output ? 7 : 6} /* "outputs", "inputs" */;
  return semihost(1, block);
}

static long read_file(long file, uint8_t *to, uint32_t bytes) {
  const long block[] = {file, (long)to, (long)bytes};
  return (long)bytes - semihost(6, block);
}

static long write_file(long file, const uint8_t *from, uint32_t bytes) {
  const long block[] = {file, (long)from, (long)bytes};
  return (long)bytes - semihost(5, block);
}

static void leave(int status) {
  const long block[] = {0x20026, status};
  for (;;) {
    (void)semihost(0x20, block);
  }
}
#else
/* Linux: openat, read, write, exit. */
#if defined(__x86_64__)
enum { CALL_OPENAT = 257, CALL_READ = 0, CALL_WRITE = 1, CALL_EXIT = 60 };
#else
enum { CALL_OPENAT = 56, CALL_READ = 63, CALL_WRITE = 64, CALL_EXIT = 93 };
#endif

static long call(long name, long a, long b, long c, long d) {
#if defined(__riscv)
  register long x __asm__("a0") = a;
  register long y __asm__("a1") = b;
  register long z __asm__("a2") = c;
  register long w __asm__("a3") = d;
  register long n __asm__("a7") = name;
  __asm__ volatile("ecall" : "+r"(x) : "r"(y), "r"(z), "r"(w), "r"(n) : "memory");
#elif defined(__aarch64__)
  register long x __asm__("x0") = a;
  register long y __asm__("x1") = b;
  register long z __asm__("x2") = c;
  register long w __asm__("x3") = d;
  register long n __asm__("x8") = name;
  __asm__ volatile("svc 0" : "+r"(x) : "r"(y), "r"(z), "r"(w), "r"(n) : "memory");
#else
  long x = name;
  register long w __asm__("r10") = d;
  __asm__ volatile("syscall" : "+a"(x) : "D"(a), "S"(b), "d"(c), "r"(w) : "rcx", "r11", "memory");
#endif
  return x;
}

static long open_file(const char *name, int is_output) {
  return call(CALL_OPENAT, -100, (long)name, is_output ? 01101 : 0, 0644);
}

static long read_file(long file, uint8_t *to, uint32_t bytes) {
  return call(CALL_READ, file, (long)to, (long)bytes, 0);
}

static long write_file(long file, const uint8_t *from, uint32_t bytes) {
  return call(CALL_WRITE, file, (long)from, (long)bytes, 0);
}

static void leave(int status) {
  for (;;) {
    (void)call(CALL_EXIT, status, 0, 0, 0);
  }
}
#endif

static uint8_t memory[MODEL_ARENA_BYTES + GUARD_BYTES] __attribute__((aligned(MODEL_ARENA_ALIGNMENT)));
static uint8_t given[MODEL_ARENA_BYTES + 64u];
static uint8_t first[MODEL_ARENA_BYTES + 64u];

static void read_all(uint8_t *to, uint32_t bytes) {
  const long file = open_file("inputs", 0);
  if (file < 0 || (bytes != 0u && read_file(file, to, bytes) != (long)bytes)) {
    leave(103);
  }
}

static void write_all(long file, const uint8_t *from, uint32_t bytes) {
  if (bytes != 0u && write_file(file, from, bytes) != (long)bytes) {
    leave(103);
  }
}

static void give(const struct dae_session *session) {
  const uint8_t *from = given;
  uint32_t i = 0u;
  for (; i < session->model->input_count; ++i) {
    dae_copy(dae_input(session, i), from, session->model->inputs[i].bytes);
    from += session->model->inputs[i].bytes;
  }
}

static void run(struct dae_session *session, int is_second) {
  const uint8_t *before = first;
  uint8_t *copied = first;
  const long file = is_second ? -1 : open_file("outputs", 1);
  uint32_t i = 0u;
  give(session);
  paint_stack(STACK_BYTES);
  const enum dae_result result = dae_run(session);
  const uint32_t used = used_stack(STACK_BYTES);
  if (result != DAE_OK) {
    leave((int)result);
  }
  if (used > session->model->stack_bytes + UNPAINTED_BYTES) {
    leave(102);
  }
  for (; i < session->model->output_count; ++i) {
    const uint8_t *const output = (const uint8_t *)dae_output(session, i);
    const uint32_t bytes = session->model->outputs[i].bytes;
    uint32_t at = 0u;
    if (!is_second) {
      write_all(file, output, bytes);
      dae_copy(copied, output, bytes);
      copied += bytes;
    }
    for (; is_second && at < bytes; ++at) {
      if (output[at] != before[at]) {
        leave(100);
      }
    }
    before += bytes;
  }
}

void run_model(void);
void run_model(void) {
  struct dae_session session;
  uint32_t bytes = 0u;
  uint32_t i = 0u;
  for (; i < sizeof memory; ++i) {
    memory[i] = PAINT;
  }
  const enum dae_result result =
      dae_open(&session, &MODEL, NULL, MODEL_BLOB, MODEL_BLOB_BYTES, memory, MODEL_ARENA_BYTES);
  if (result != DAE_OK) {
    leave((int)result);
  }
  for (i = 0u; i < MODEL.input_count; ++i) {
    bytes += MODEL.inputs[i].bytes;
  }
  read_all(given, bytes);
  run(&session, 0);
  run(&session, 1);
  for (i = 0u; i < GUARD_BYTES; ++i) {
    if (memory[MODEL_ARENA_BYTES + i] != PAINT) {
      leave(101);
    }
  }
  leave(0);
}

/* The stack is aligned, and its pointers are set. */
#if defined(__riscv)
__asm__(".globl _start\n_start:\n .option push\n .option norelax\n la gp, __global_pointer$\n .option pop\n"
        " andi sp, sp, -16\n call run_model\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n_start:\n bl run_model\n");
#elif defined(__arm__)
/* The vector table: the stack's top and the entry, which enables the floating-point unit. */
void _start(void);
void _start(void) {
  *(volatile uint32_t *)0xe000ed88u |= 0xf00000u;
  __asm__ volatile("dsb\n isb\n bl run_model");
}
__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {STACK_TOP, (uintptr_t)_start};
#else
__asm__(".globl _start\n_start:\n andq $-16, %rsp\n call run_model\n");
#endif
