/* The mathematical functions of firmware, as tested_NAMEf and tested_NAME: the C library's have the names
 * themselves. */

#include <stdint.h>

#define WEAK

#define REAL float
#define BITS uint32_t
#define FRACTION 23
#define EXPONENT 8
#define FUNCTION(name) name##_of_float
#define FUNCTION_OF_C(name) tested_##name##f
#include "dae_math.inc"
#undef REAL
#undef BITS
#undef FRACTION
#undef EXPONENT
#undef FUNCTION
#undef FUNCTION_OF_C

#define REAL double
#define BITS uint64_t
#define FRACTION 52
#define EXPONENT 11
#define FUNCTION(name) name##_of_double
#define FUNCTION_OF_C(name) tested_##name
#include "dae_math.inc"
