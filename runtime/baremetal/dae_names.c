/* Names of results and faults, apart from the rest: firmware that prints none links none. */

#include "dae_firmware.h"

static const char unknown[] = "unknown";

static const char *const results[] = {
    "DAE_OK",
    "DAE_WRONG_VERSION",
    "DAE_WRONG_MACHINE",
    "DAE_BUSY",
    "DAE_NOT_DONE",
    "DAE_BAD_ADDRESS",
    "DAE_RANGES_OVERLAP",
    "DAE_STOPPED_WITH_FAULT",
    "DAE_TIMED_OUT",
    "DAE_BLOB_TOO_SMALL",
    "DAE_BLOB_UNALIGNED",
    "DAE_BLOB_DAMAGED",
    "DAE_ARENA_TOO_SMALL",
    "DAE_ARENA_UNALIGNED",
    "DAE_NO_PLATFORM",
    "DAE_OTHER_SHAPE",
    "DAE_OTHER_INDEX",
};

/* In the order of DAEDALUS_FAULT_... */
static const char *const faults[DAEDALUS_FAULT_COUNT] = {
    "none",          "illegal_encoding", "missing_finish",   "no_progress",    "bus_error",
    "address_limit", "scratchpad_range", "counter_overflow", "memory_timeout",
};

const char *dae_result_name(enum dae_result result) {
  const size_t index = (size_t)result;
  return index < sizeof results / sizeof results[0] ? results[index] : unknown;
}

const char *dae_fault_name(uint32_t cause) {
  return cause < DAEDALUS_FAULT_COUNT ? faults[cause] : unknown;
}
