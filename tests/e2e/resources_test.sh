#!/bin/bash
# What has no end, is too large or takes long: inputs stop at their limits, signals end every command at once
# and leave nothing behind.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits
model=$digits/digits.onnx
dae_opt=$(dirname "$daedalus")/dae-opt

endless() {
  local text='has more than 268435456 bytes; expected at most 268435456 bytes'
  refuses 1 "'/dev/zero' has more than 1048576 bytes; expected at most 1048576 bytes of a machine file" \
    "$daedalus" compile "$model" --machine /dev/zero -o out.dae
  refuses 1 "'/dev/zero' $text" "$daedalus" compile /dev/zero -o out.dae
  refuses 1 "'/dev/zero' $text" "$daedalus" run /dev/zero
  refuses 1 "'/dev/zero' $text" "$daedalus" run "$model" --input image=/dev/zero
  refuses 1 "'/dev/zero' $text" "$daedalus" asm /dev/zero -o out.bin
  refuses 1 "'/dev/zero' $text" "$daedalus" disasm /dev/zero
  refuses 1 "'/dev/zero' $text" "$daedalus" verify /dev/zero
  refuses 1 "'/dev/zero' $text" "$daedalus" cosim --replay /dev/zero
  refuses 1 "'stdin' $text" bash -c '"$0" disasm - </dev/zero' "$daedalus"
  mkdir -p test/test_data_set_0
  cp "$model" test/model.onnx
  ln -s /dev/zero test/test_data_set_0/input_0.pb
  ln -s /dev/zero test/test_data_set_0/output_0.pb
  ok "$daedalus" check test
  prints "refused.*'[^']*/input_0.pb' $text|wrong.*'[^']*/input_0.pb' $text"
  "$dae_opt" /dev/zero >"$work.out" 2>"$work.err" && fail "dae-opt takes /dev/zero"
  grep -q "'/dev/zero' $text" "$work.err" || fail "dae-opt says $(head -n 3 "$work.err")"
}

large() {
  local bytes=1099511627776 big=$work.big # outside the folder, whose files are summed
  truncate -s $bytes "$big"
  refuses 1 "big' has $bytes bytes; expected at most 2147483647 bytes of an ONNX model" "$daedalus" compile "$big"
  refuses 1 "big' has $bytes bytes; expected at most 4294967296 bytes of a package" "$daedalus" run "$big"
  refuses 1 "big' has $bytes bytes; expected at most 4294967296 bytes of an array" \
    "$daedalus" run "$model" --input image="$big"
  refuses 1 "big' has $bytes bytes; expected at most 1073741824 bytes of a program's text" "$daedalus" asm "$big"
  rm "$big"
}

# The command, left alone for some seconds, gets the signal, ends with 128 + its number within a second, and no
# process and no file is there that was not there before, in a folder for temporary files of its own either.
interrupted() { # SIGNAL NUMBER SECONDS COMMAND...
  local signal=$1 number=$2 seconds=$3 child begin status=0 milliseconds before after left
  local -x TMPDIR=$work/temporary MARK=$work/mark
  mkdir -p "$TMPDIR"
  shift 3
  before=$(find . | sort)
  set -m # or SIGINT is ignored
  "$@" >"$work.out" 2>"$work.err" </dev/null &
  child=$!
  set +m
  sleep "$seconds"
  begin=$(date +%s%N)
  kill -s "$signal" -- "-$child" # as a terminal does: to the whole group
  wait "$child" 2>/dev/null || status=$?
  milliseconds=$((($(date +%s%N) - begin) / 1000000))
  left=$(grep -lz "^MARK=$MARK$" /proc/[0-9]*/environ 2>/dev/null)
  after=$(find . | sort)
  [ "$status" -eq $((128 + number)) ] || fail "'$*' exits with $status after SIG$signal: $(head -n 3 "$work.err")"
  [ "$milliseconds" -lt 1000 ] || fail "'$*' takes $milliseconds ms to end"
  [ -z "$left" ] || fail "'$*' leaves processes behind: $left"
  [ "$before" = "$after" ] || fail "'$*' leaves behind: $(diff <(echo "$before") <(echo "$after"))"
}

# Makes the models of the rest; false where that cannot be.
models() {
  local python=/usr/bin/python3
  "$python" -c 'import numpy, onnx' 2>/dev/null || { echo "no models: $python has no numpy or no onnx"; return 1; }
  PYTHONDONTWRITEBYTECODE=1 "$python" "$source/tests/models/make_growth_models.py" . \
    wide-int8-512 wide-int8-2048 wide-int8-3072 conv-int8-2048 >/dev/null || fail "the models cannot be made"
  mkdir -p long/test_data_set_0
  "$python" -c 'import numpy, onnx.numpy_helper
x = numpy.zeros((1, 64, 512, 512), "float32")
numpy.save("x.npy", x)
open("long/test_data_set_0/input_0.pb", "wb").write(onnx.numpy_helper.from_array(x, "x").SerializeToString())'
}

# A kernel of more instructions than a stream has.
streams() {
  local many='would take about 524292 instructions; a stream has at most 262144'
  refuses 1 "'Conv_4': cannot run on the accelerator of machine 'tiny': it $many; use target auto" \
    "$daedalus" compile conv-int8-2048.onnx --machine tiny --target accelerator -o out.dae
  ok "$daedalus" compile conv-int8-2048.onnx --machine tiny --placement
  prints "^Conv_4 .*\\| cpu .*\\| $many"
}

signals() {
  interrupted INT 2 0.5 "$daedalus" cosim --engines functional,systemc --programs 1000000
  interrupted TERM 15 0.5 "$daedalus" cosim --engines functional,systemc --programs 1000000
  ok "$daedalus" tune "$model" --machine tiny --only plans --trials 1 --db kept.db
  cp kept.db before.db
  interrupted INT 2 1 "$daedalus" tune "$model" --target cpu --db kept.db
  cmp kept.db before.db || fail "an interrupted search changes its database"
  ok "$daedalus" tune "$model" --only plans --trials 1 --db found.db
  interrupted INT 2 1 "$daedalus" tune "$model" --only plans --db found.db --seconds 100 # keeps what it found
  ok "$daedalus" compile "$model" --tuned found.db -o tuned.dae
}

# A machine's RTL in the middle of its first use: in Verilator, in the compilers (ccache would have what they give).
verilation() {
  local seconds
  local -x CCACHE_DISABLE=1 DAEDALUS_CACHE=$PWD/cache
  mkdir -m 700 -p cache/rtl
  for seconds in 0.5 1.5 3; do
    interrupted INT 2 "$seconds" "$daedalus" cosim --programs 1 --machine "$source/tests/machines/outside.yaml"
  done
  grep -q 'compiling the RTL' "$work.err" || fail "no RTL is compiled: $(cat "$work.err")"
}

signalsOnModels() {
  local signal
  for signal in 'INT 2' 'TERM 15'; do
    interrupted $signal 0.2 "$daedalus" compile conv-int8-2048.onnx --target cpu --placement # LLVM, or the times of layers
    interrupted $signal 0.5 "$daedalus" compile wide-int8-2048.onnx -o out.dae   # plan, instructions
    interrupted $signal 0.5 "$daedalus" bench targets conv-int8-2048.onnx
  done
  interrupted INT 2 0.5 "$daedalus" bench targets wide-int8-512.onnx --repeat 1000
  interrupted INT 2 0.5 "$daedalus-bench" networks wide-int8-2048 --models .
  ok "$daedalus" compile wide-int8-512.onnx -o wide.dae
  interrupted INT 2 0.5 "$daedalus" run wide.dae --engine functional --input x=x.npy --output results
  ok "$daedalus" run "$model" --engine rtl --timing-only # its RTL is Verilated now
  interrupted INT 2 0.5 "$daedalus" run wide.dae --engine rtl --input x=x.npy --output results
}

# Many tests, each linked for the CPU; one that runs long.
signalsOnTests() {
  mkdir one
  cp "$model" one/model.onnx
  cp wide-int8-512.onnx long/model.onnx
  interrupted INT 2 0.5 "$daedalus" check $(yes one | head -n 1000) --target cpu
  interrupted INT 2 0.5 "$daedalus" check long --engine systemc
}

# On a terminal a long command says what it is at.
progress() {
  command -v script >/dev/null || { echo "no script(1), so no terminal"; return; }
  timeout -s TERM 60 script -qefc "'$daedalus' compile wide-int8-3072.onnx -o out.dae" typescript >/dev/null 2>&1 </dev/null &
  local child=$!
  until grep -Eqs 'compiling: [^,]+, [0-9]+ s' typescript; do
    kill -0 $child 2>/dev/null || { fail "no progress is shown: $(tail -c 300 typescript)"; return; }
    sleep 0.2
  done
  kill $child
  wait $child 2>/dev/null
}

endless
large
signals
verilation
if models; then
  streams
  signalsOnModels
  signalsOnTests
  progress
fi
finish
