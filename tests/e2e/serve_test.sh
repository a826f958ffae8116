#!/bin/bash
# daedalus serve: packages by the engine uio and exported models of Linux give the bytes of the simulator that is served; a
# server that ends, another machine, and what a user may get wrong.
. "$(dirname "$0")/cli_lib.sh"
digits=$source/examples/digits/digits.onnx
servers=()
trap '[ "$BASHPID" -ne $$ ] || kill -9 "${servers[@]}" 2>/dev/null; clean_up' EXIT

# Serves in the background until it is stopped, which a shell would keep SIGINT from; `server` is its process.
serve() { # FOLDER OPTION...
  env --default-signal=INT "$daedalus" serve "$@" >"serve.$1" 2>"serve.$1.err" </dev/null &
  server=$!
  servers+=("$server")
  for look in $(seq 600); do
    [ -S "$1/registers" ] && return
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  fail "'serve $*' serves nothing: $(cat "serve.$1" "serve.$1.err")"
}

# The server ends by the signal, silently, and leaves nothing behind.
stops() { # FOLDER SIGNAL
  local status=0
  kill "-$2" "$server"
  wait "$server" 2>/dev/null || status=$?
  [ "$status" -eq $((128 + $(kill -l "$2"))) ] || fail "the server of $1 exits with $status behind $2"
  [ ! -s "serve.$1.err" ] || fail "the server of $1 prints $(cat "serve.$1.err")"
}

on() { # FOLDER COMMAND...: with the accelerator of that folder
  local folder=$1
  shift
  DAEDALUS_UIO=$folder/registers "$@"
}

cycles_in() { sed -n 's/^ *"cycles": \([0-9]*\),$/\1/p' "$1" | head -n 1; }

/usr/bin/python3 - "$source" <<'END'
import numpy, sys
images = numpy.load(sys.argv[1] + "/examples/digits/test_images.npy")
image = numpy.random.default_rng(1).integers(-128, 128, (1, 1, 8, 8), "int8")
numpy.save("image.npy", image)
image.tofile("image.bin")
numpy.save("images.npy", images[:20])
numpy.save("many.npy", numpy.concatenate([images] * 20))
END
ok "$daedalus" compile "$digits" -o digits.dae
ok "$daedalus" compile "$digits" --machine tiny -o tiny.dae
ok "$daedalus" run digits.dae --input image=image.npy --engine systemc -o expected --json
cp "$work.out" systemc.json

# Packages and models, on each engine behind the socket.
serve served
grep -q "^serving machine default (hash [0-9a-f]*) on systemc: registers 'served/registers', memory 'served/memory' of 67,108,864 bytes at 0x40000000$" \
  serve.served || fail "the server prints $(cat serve.served)"
ok on served "$daedalus" run digits.dae --input image=image.npy --engine uio -o found --json
same expected/logits.npy found/logits.npy
[ "$(cycles_in "$work.out")" = "$(cycles_in systemc.json)" ] || fail "the server counts $(cycles_in "$work.out") cycles"
ok on served "$daedalus" run digits.dae --input image=image.npy --engine uio
prints "^ran .* on uio, machine default: [0-9,]+ cycles, as the package certifies"
ok "$daedalus" run digits.dae --input image=images.npy --samples --engine systemc --logits systemc.npy
ok on served "$daedalus" run digits.dae --input image=images.npy --samples --engine uio --logits uio.npy
same systemc.npy uio.npy
ok "$daedalus" info
prints "^engines: functional systemc rtl uio$"

# The same server, from Linux's user space without this project's runtime.
ok "$daedalus" export "$digits" -o exported --cpu x86-64-v2 --name digits
ok make -s -C exported CFLAGS="-O2 -Werror" libdigits.a libdae_linux.a
ok gcc -std=c11 -O2 -Wall -Wextra -Wconversion -Wpedantic -Werror -DMODEL=digits -Iexported "$source/examples/linux/run.c" \
  exported/libdae_linux.a exported/libdigits.a -o run_digits
ok ./run_digits served/registers served/memory image.bin logits.bin
prints "^digits: $(cycles_in systemc.json) cycles$"
/usr/bin/python3 -c 'import numpy; numpy.load("expected/logits.npy").tofile("expected.bin")'
same expected.bin logits.bin

# Another machine, before anything is started.
refuses 1 "the package was made for the machine 'tiny' \(hash [0-9a-f]{16}\), the device is 'default' \(hash [0-9a-f]{16}\)" \
  on served "$daedalus" run tiny.dae --input image=image.npy --engine uio
ok "$daedalus" export tiny.dae -o exported_tiny --cpu x86-64-v2 --name tiny
ok make -s -C exported_tiny libtiny.a libdae_linux.a
ok gcc -std=c11 -DMODEL=tiny -Iexported_tiny "$source/examples/linux/run.c" exported_tiny/libdae_linux.a \
  exported_tiny/libtiny.a -o run_tiny
./run_tiny served/registers served/memory image.bin none.bin 2>"$work.err" && fail "another machine runs the exported model"
grep -q "^run: error: DAE_WRONG_MACHINE: tiny$" "$work.err" || fail "run.c says $(cat "$work.err")"

# Two at once: the memory has one user.
exec 9<served/memory
flock 9
refuses 1 "cannot be opened: cannot use the memory 'served/memory': somebody uses it already" \
  on served "$daedalus" run digits.dae --input image=image.npy --engine uio
exec 9<&-

# What hardware does not have.
refuses 2 "--timing-only needs a simulator: the engine uio computes results" "$daedalus" run digits.dae --timing-only --engine uio
refuses 2 "--waves shows the signals of the RTL: it needs --engine rtl, not uio" \
  "$daedalus" run digits.dae --input image=image.npy --waves w.fst --engine uio
refuses 2 "engine: 'uio' is unknown; expected systemc or rtl" "$daedalus" profile digits.dae --engine uio

# The server ends: by itself it leaves nothing, with a client in the middle that one says so.
stops served TERM
[ ! -e served ] || fail "the server leaves $(find served)"
refuses 1 "the engine 'uio' cannot be opened: cannot open 'served/registers': No such file or directory; DAEDALUS_UIO and " \
  on served "$daedalus" run digits.dae --input image=image.npy --engine uio
mkdir kept
serve kept --engine functional --memory 8
ok on kept "$daedalus" run digits.dae --input image=image.npy --engine uio -o functional
prints "no cycles counted"
same expected/logits.npy functional/logits.npy
stops kept INT
[ -d kept ] && [ -z "$(ls -A kept)" ] || fail "the folder 'kept' was not left empty"
serve killed
idle=$(ls "/proc/$server/fd" | wc -l)
on killed "$daedalus" run digits.dae --input image=many.npy --samples --engine uio >"$work.out" 2>"$work.err" &
client=$!
for look in $(seq 600); do
  [ "$(ls "/proc/$server/fd" | wc -l)" -gt "$idle" ] && break
  sleep 0.1
done
sleep 0.3
kill -9 "$server"
wait "$server" 2>/dev/null
status=0
wait "$client" || status=$?
[ "$status" -eq 1 ] && [ "$(wc -l <"$work.err")" -eq 1 ] &&
  grep -q "^daedalus: error: .*lost the server of the accelerator: it has closed the connection" "$work.err" ||
  fail "with its server killed, run exits with $status and says $(cat "$work.err")"
refuses 1 "cannot connect to 'killed/registers': nobody serves it any more" \
  on killed "$daedalus" run digits.dae --input image=image.npy --engine uio

# What a user may get wrong.
refuses 1 "the folder 'killed' is not empty; expected a new folder, or an empty one" "$daedalus" serve killed
refuses 1 "'image.npy' is a file; expected a new folder, or an empty one" "$daedalus" serve image.npy
refuses 1 "has [0-9]+ bytes, and the path of a socket at most 107; choose a shorter folder" "$daedalus" serve "$(printf 'x%.0s' {1..120})"
refuses 1 "cannot make the folder 'none/served': No such file or directory" "$daedalus" serve none/served
refuses 1 "no machine 'tyni' \(did you mean 'tiny'\?\)" "$daedalus" serve new --machine tyni
refuses 2 "engine: 'uio' is unknown.*; expected functional, systemc or rtl" "$daedalus" serve new --engine uio
refuses 2 "memory: '0'; expected a whole number from 1 to 4095" "$daedalus" serve new --memory 0
refuses 2 "folder is required" "$daedalus" serve
finish
