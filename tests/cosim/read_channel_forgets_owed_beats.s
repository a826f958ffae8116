# Shrunk from a random program: finds the planted bug READ_CHANNEL_FORGETS_OWED_BEATS of read_channel.sv, which
# takes beats of a program that was reset for the next one's. Its RESET comes in the cycle of the stop: no interrupt
# may stay.
#: what reset in mid-program
#: seed 7241529026914039293
#: dram_bytes 47488
#: program_address 34496
#: parameters 1
#: read_latency 6
#: reset_at 80
#: base 9 1
#: base 11 16577
.machine tiny 515ebbe957f4ae20
.base 9 limit=16384 readonly
.base 11 limit=16384
load base=11
load base=11
load base=9
load base=9
load base=11
load base=9
load base=9
load base=9
finish
