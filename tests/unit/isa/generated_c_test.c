/* The generated C header in freestanding C11; what generated_test.cpp compares with the C++ tables. */
#include "daedalus_isa.h"

unsigned daedalusTestRegisters(unsigned index);
unsigned daedalusTestRegisters(unsigned index) {
  static const unsigned values[] = {
      DAEDALUS_ISA_VERSION,       DAEDALUS_REG_VERSION,    DAEDALUS_REG_CONTROL,
      DAEDALUS_CONTROL_START,     DAEDALUS_REG_BASE_LO,    DAEDALUS_REG_BASE_LO_STEP,
      DAEDALUS_REG_LIMIT,         DAEDALUS_REG_COUNTER_HI, DAEDALUS_STATUS_DONE,
      DAEDALUS_FAULT_NO_PROGRESS, DAEDALUS_FAULT_COUNT,    DAEDALUS_COUNTER_CLASS_COUNT,
      DAEDALUS_INSTRUCTION_BYTES};
  return index < sizeof values / sizeof values[0] ? values[index] : ~0u;
}
