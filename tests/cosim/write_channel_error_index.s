# Shrunk from a random program: finds the planted bug WRITE_CHANNEL_ERROR_INDEX of write_channel.sv, which
# names the wrong instruction for a bus error.
#: what bus error
#: seed 1628482446941149714
#: dram_bytes 72832
#: program_address 37888
#: parameters 1
#: base 0 16797203
#: base 1 1
#: base 9 19987
#: faulty 0
.machine tiny 515ebbe957f4ae20
.base 0 limit=16384
.base 1 limit=16384 readonly
.base 9 limit=16384
store
finish
