# Registers hold anything before the reset: with this state a table of VECTOR was read and written in one row then, and
# the memory's assertion took it for a race of the program.
#: what scratchpad range
#: seed 4881866852736223972
#: dram_bytes 74304
#: program_address 41344
#: parameters 2283
#: state_seed 56860594
#: base 0 21975
#: base 1 2283
#: faulty 0
.machine tiny 515ebbe957f4ae20
.base 0 limit=16384
.base 1 limit=16384 readonly
store
finish
