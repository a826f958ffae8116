# Shrunk from a random program: finds the planted bug LOAD_WRITER_KEEPS_BEAT of load_writer.sv, which
# keeps the beat at the end of a segment that ends in its middle.
#: what legal
#: seed 2307431409011483444
#: dram_bytes 53440
#: program_address 38848
#: base 2 19657
.machine tiny 515ebbe957f4ae20
.base 2 limit=16384
.base 11 limit=16384 readonly
load base=11 unbounded
load base=11 unbounded
finish
