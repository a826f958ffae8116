# Each bank of INP is one row: bit 0 of the row went on to its RAM, so that row 1 was lost.
#: what legal
#: seed 2307431409011483444
#: dram_bytes 55040
#: program_address 40896
#: parameters 2795
#: base 4 2795
#: base 12 22769
.machine scratchpad_inp_one_row 5cd964f0af94267f
.base 4 limit=16384 readonly
.base 12 limit=16384
load base=4 run_bytes=64 unbounded
finish
