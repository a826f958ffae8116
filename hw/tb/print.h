/* Verilator's run time prints through this: what it has to say belongs to a run, not to stdout. */
#pragma once

#ifdef __cplusplus
extern "C"
#endif
int daedalus_rtl_print(const char *format, ...);
