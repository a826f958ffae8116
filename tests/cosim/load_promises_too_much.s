# Shrunk from a random program: finds the planted bug LOAD_PROMISES_TOO_MUCH of load.sv, which
# promises beats that the receive buffer has no room for.
#: what legal
#: seed 2307431409011483444
#: dram_bytes 53440
#: program_address 38848
#: base 2 19657
.machine tiny 515ebbe957f4ae20
.base 2 limit=16384
.base 11 limit=16384 readonly
load base=11 run_bytes=512 unbounded
load base=11 run_bytes=128 unbounded
load base=11 offset=1 run_bytes=384 unbounded
load base=11
finish
