/* The C API of the runtime: devices, packages, functions by name, tensors as DLPack, external functions.
 *
 * Every call returns a status; where it is not DAEDALUS_OK, daedalus_last_error() is one sentence that says
 * what was found, what was expected and what to do. Any pointer may be null: what needs one returns
 * DAEDALUS_INVALID_ARGUMENT, functions that return a value 0 or "", and the sentence names the argument.
 * Tensors are dense, row-major and in host memory: `strides` is null or says just that, `device` is kDLCPU,
 * `byte_offset` counts. A bool has the type code DAEDALUS_DL_BOOL and 8 bits. Strings and infos live as long
 * as the object they come from. Close what you open; closing null does nothing.
 *
 * Threads: an object, with what comes from it, belongs to one thread at a time; threads with objects of their
 * own may do anything at once. Runs on the engine "systemc" then take turns, since SystemC has one kernel a
 * process.
 *
 *   daedalus_device_open("systemc", NULL, &device);
 *   daedalus_package_load_file(device, "digits.dae", &package);
 *   daedalus_package_function(package, "main", &function);
 *   daedalus_function_invoke(function, inputs, 1, outputs, 1);
 *
 * An example that is compiled and run: tests/unit/runtime/c_api_user.c. */
#ifndef DAEDALUS_RUNTIME_H
#define DAEDALUS_RUNTIME_H

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* kDLBool of DLPack 0.8 and later. */
#define DAEDALUS_DL_BOOL 6

typedef enum daedalus_status {
  DAEDALUS_OK = 0,
  DAEDALUS_INVALID_ARGUMENT = 1, /* a null pointer, a wrong count, a tensor of another type or layout */
  DAEDALUS_NOT_FOUND = 2,        /* no such engine, machine, file, function or external function */
  DAEDALUS_BAD_PACKAGE = 3,      /* damaged, for another machine or for another processor */
  DAEDALUS_FAILED = 4            /* the run failed: a fault, or an external function */
} daedalus_status;

typedef struct daedalus_device daedalus_device;
typedef struct daedalus_package daedalus_package;
typedef struct daedalus_function daedalus_function;

/* The sentence of this thread's last call that did not return DAEDALUS_OK; never null. */
const char *daedalus_last_error(void);

/* ---- Devices ---- */

/* `engine` is a simulation engine, "functional", "systemc" or "rtl"; "uio", the accelerator that the
 * variables DAEDALUS_UIO, DAEDALUS_UIO_MEMORY and DAEDALUS_UIO_TIMEOUT name (docs/targets.md), which packages
 * open when they are loaded; or one that a driver brought. `machine` is a built-in name or a machine file;
 * null takes the built-in machine that a package names. */
daedalus_status daedalus_device_open(const char *engine, const char *machine, daedalus_device **device);
/* Whether packages that are loaded with it may carry native code, which is trusted like an executable; they
 * may unless this says 0. */
daedalus_status daedalus_device_allow_native_code(daedalus_device *device, int allowed);
/* How many threads share the work of a kernel on the CPU, with the one that invokes: 1, unless this says
 * another number up to 1024. It counts for packages that are loaded afterwards, each of which has threads of
 * its own. Results do not depend on it. */
daedalus_status daedalus_device_set_threads(daedalus_device *device, uint32_t threads);
void daedalus_device_close(daedalus_device *device);

/* ---- Drivers ---- */

/* Loads the driver of a device with a memory of its own from a shared object (daedalus/runtime/drivers.h),
 * for packages that this process loads afterwards. `name`, which may be null, gets the name of the device; it
 * lives as long as the process. */
daedalus_status daedalus_driver_load(const char *path, const char **name);

/* ---- Packages ---- */

/* The package is ready to run: checked, proved, placed. It does not keep the device or `data`. */
daedalus_status daedalus_package_load_file(const daedalus_device *device, const char *path,
                                           daedalus_package **package);
daedalus_status daedalus_package_load_memory(const daedalus_device *device, const void *data, size_t size,
                                             daedalus_package **package);
void daedalus_package_close(daedalus_package *package);

/* ---- Functions ---- */

size_t daedalus_package_function_count(const daedalus_package *package);
/* By name, or the package's first one for null; it lives as long as the package. */
daedalus_status daedalus_package_function(daedalus_package *package, const char *name,
                                          daedalus_function **function);
daedalus_status daedalus_package_function_at(daedalus_package *package, size_t index,
                                             daedalus_function **function);

typedef struct daedalus_tensor_info {
  const char *name;
  DLDataType dtype;
  int32_t ndim;
  const int64_t *shape;
} daedalus_tensor_info;

const char *daedalus_function_name(const daedalus_function *function);
/* Cycles of the accelerator that the package certifies for every invoke, whatever the inputs hold, on this
 * machine with this memory (docs/package.md); 0: it certifies nothing. */
uint64_t daedalus_function_certified_cycles(const daedalus_function *function);
size_t daedalus_function_input_count(const daedalus_function *function);
size_t daedalus_function_output_count(const daedalus_function *function);
daedalus_status daedalus_function_input(const daedalus_function *function, size_t index,
                                        daedalus_tensor_info *info);
daedalus_status daedalus_function_output(const daedalus_function *function, size_t index,
                                         daedalus_tensor_info *info);

/* Reads all inputs and fills all outputs, in the function's order. */
daedalus_status daedalus_function_invoke(daedalus_function *function, const DLTensor *inputs,
                                         size_t input_count, DLTensor *outputs, size_t output_count);

/* ---- Tensors ---- */

/* A zeroed dense tensor; `shape` is copied. */
daedalus_status daedalus_tensor_create(DLDataType dtype, int32_t ndim, const int64_t *shape,
                                       DLTensor **tensor);
/* Only of daedalus_tensor_create. */
void daedalus_tensor_destroy(DLTensor *tensor);

/* ---- External functions ---- */

/* Reads `inputs`, fills `outputs` as they are, and returns 0, or anything else to end the run with an error.
 */
typedef int (*daedalus_external_function)(const DLTensor *inputs, size_t input_count, DLTensor *outputs,
                                          size_t output_count, void *user_data);

/* For a name that the package calls; replaces what was registered before, or the function of a library that
 * the name is of, such as "openblas.matmul" (docs/targets.md). */
daedalus_status daedalus_package_register_external(daedalus_package *package, const char *name,
                                                   daedalus_external_function function, void *user_data);

/* ---- Profile of the last successful invoke ---- */

/* Cycles of the accelerator; 0 where the engine counts none or nothing ran on it. */
uint64_t daedalus_package_cycles(const daedalus_package *package);
/* Cycles that a module (0 FETCH, 1 LOAD, 2 GEMM, 3 VECTOR, 4 STORE) spent in a class (0 busy, 1 to 4 waiting
 * for LOAD, GEMM, VECTOR, STORE, 5 memory, 6 bus, 7 queue full, 8 idle); 0 for other numbers. */
uint64_t daedalus_package_counter(const daedalus_package *package, uint32_t module, uint32_t counter_class);

typedef struct daedalus_layer_info {
  const char
      *node; /* names of the ONNX nodes joined by " + "; empty: cycles of no layer, behind all others */
  const char *target; /* "accelerator", "cpu", "external", or the name of another target */
  uint64_t cycles;    /* on the critical path (docs/profile.md): they add up to daedalus_package_cycles */
  uint64_t macs;
  uint64_t device_ticks;        /* by the clock of a device with a memory of its own; 0 elsewhere */
  double ticks_per_microsecond; /* of that clock; 0: the ticks are cycles of no clock */
} daedalus_layer_info;

size_t daedalus_package_layer_count(const daedalus_package *package);
daedalus_status daedalus_package_layer(const daedalus_package *package, size_t index,
                                       daedalus_layer_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
