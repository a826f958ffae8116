#!/bin/bash
# The cache of compiled RTL: interrupted and simultaneous builds, damaged models, folders that others can write to.
# The compilers are stand-ins that give the model of `tiny`, whose RTL differs here by a comment.
. "$(dirname "$0")/cli_lib.sh"
tiny=$(cat "$(dirname "$daedalus")/../lib/rtl/tiny.stamp")
cp -r "$source/hw" hw
echo '// another model' >>hw/rtl/gemm.sv
mkdir bin
cat >bin/verilator <<'END'
#!/bin/sh
[ "$1" = --getenv ] && { echo /usr/share/verilator; exit 0; }
echo build >>"$STATE/builds"
touch V.cpp
[ ! -e "$STATE/slow" ] || { echo $$ >"$STATE/pid"; exec sleep 300; }
[ ! -e "$STATE/slower" ] || sleep 1
tries=0
while [ -e "$STATE/held" ] && [ $tries -lt 1000 ]; do sleep 0.02; tries=$((tries + 1)); done
END
cat >bin/compiler <<END
#!/bin/sh
for word; do last=\$word; [ "\$word" != -shared ] || shared=1; [ "\$previous" != -o ] || output=\$word; previous=\$word; done
[ -z "\$shared" ] && touch "\$output" || cp '$tiny' "\$output"
END
chmod +x bin/*
export PATH=$PWD/bin:$PATH CXX=$PWD/bin/compiler DAEDALUS_HW=$PWD/hw STATE=$PWD DAEDALUS_CACHE=$PWD/cache
run=("$daedalus" cosim --programs 1 --machine tiny --engines functional,rtl)

builds() { # NUMBER: as many since the last time
  local count
  count=$(wc -l 2>/dev/null <builds || echo 0)
  [ "$count" -eq "$1" ] || fail "$2: $count builds instead of $1"
  : >builds
}

only_the_model() {
  [ "$(ls -A cache/rtl | wc -l)" -eq 1 ] || fail "$1: the cache holds $(ls -A cache/rtl)"
}

patiently() { # COMMAND...: until it succeeds, for 20 s
  local tries
  for tries in $(seq 1000); do
    "$@" && break
    sleep 0.02
  done
}

# Ends the run in its build by a signal; the status is that of the signal.
interrupt() { # SIGNAL
  rm -f pid
  set -m # or SIGINT is ignored
  "${run[@]}" >"$work.out" 2>"$work.err" </dev/null &
  local child=$! status=0
  set +m
  patiently test -s pid
  kill "-$1" "$child"
  wait "$child" 2>/dev/null || status=$?
  [ "$status" -eq $((128 + $(kill -l "$1"))) ] || fail "ended by $1, the status is $status"
}

interrupted() {
  local signal model
  touch slow
  for signal in INT TERM HUP; do
    interrupt "$signal"
    [ -z "$(ls -A cache/rtl)" ] || fail "$signal leaves $(ls -A cache/rtl) behind"
    kill -0 "$(cat pid)" 2>/dev/null && fail "$signal leaves verilator running"
  done
  interrupt KILL
  [ -n "$(ls -A cache/rtl)" ] || fail "the test does not interrupt the build"
  kill "$(cat pid)" 2>/dev/null
  mkdir cache/rtl/other.so.build
  touch cache/rtl/other.so.build/file
  rm -f slow builds
  ok "${run[@]}"
  builds 1 "after an interrupted build"
  only_the_model "after an interrupted build"
  ok "${run[@]}"
  builds 0 "with a model in the cache"
}

damaged() {
  local model damage
  model=$(echo "$PWD"/cache/rtl/*.so)
  for damage in 'truncate -s 50000' 'truncate -s 0' 'truncate -s -1' 'chmod g+w' 'chmod o+w'; do
    $damage "$model"
    ok "${run[@]}"
    builds 1 "$damage"
    only_the_model "$damage"
  done
  printf 'x' | dd of="$model" bs=1 seek=20000 conv=notrunc status=none
  ok "${run[@]}"
  builds 1 "a changed byte"
  cp "$model" elsewhere.so
  ln -sf "$PWD/elsewhere.so" "$model"
  ok "${run[@]}"
  builds 1 "a link instead of a model"
  [ ! -L "$model" ] || fail "a link stays in the cache"
}

at_the_same_time() {
  local one two
  rm cache/rtl/*
  touch slower
  "${run[@]}" >one.out 2>one.err </dev/null &
  one=$!
  "${run[@]}" >two.out 2>two.err </dev/null &
  two=$!
  wait "$one" || fail "the first of two: $(cat one.err)"
  wait "$two" || fail "the second of two: $(cat two.err)"
  builds 1 "two at the same time"
  only_the_model "two at the same time"
  rm slower
}

# One that waits for another's build goes alone.
interrupted_waiting() {
  local builder waiter status=0
  rm cache/rtl/* two.err
  touch held
  "${run[@]}" >one.out 2>one.err </dev/null &
  builder=$!
  patiently test -s builds
  set -m # or SIGINT is ignored
  "${run[@]}" >two.out 2>two.err </dev/null &
  waiter=$!
  set +m
  patiently grep -qs waiting two.err
  kill -INT "$waiter"
  wait "$waiter" 2>/dev/null || status=$?
  [ "$status" -eq 130 ] && grep -q waiting two.err || fail "the one that waits exits with $status: $(cat two.err)"
  rm held
  wait "$builder" || fail "the one that builds: $(cat one.err)"
  builds 1 "with another that was interrupted"
  only_the_model "with another that was interrupted"
}

others() {
  chmod 777 cache/rtl
  refuses 1 "must be private, and '$PWD/cache/rtl' can be written by others: set DAEDALUS_CACHE" "${run[@]}"
  chmod 755 cache/rtl
  chmod g+w cache
  refuses 1 "'$PWD/cache' can be written by others" "${run[@]}"
  chmod 755 cache
  mkdir open
  chmod 777 open
  refuses 1 "'$PWD/open' can be written by" env DAEDALUS_CACHE="$PWD/open/cache" "${run[@]}"
  if [ "$(id -u)" -eq 0 ]; then
    chown 65534 cache/rtl
    refuses 1 "'$PWD/cache/rtl' belongs to another user" "${run[@]}"
    chown 0 cache/rtl
  fi
  ok env DAEDALUS_CACHE=cache "${run[@]}"
  builds 0 "a relative DAEDALUS_CACHE"
  mkdir gone
  refuses 1 "DAEDALUS_CACHE is 'cache', and the working folder is gone: No such file" \
    env DAEDALUS_CACHE=cache sh -c 'cd gone && rmdir ../gone && exec "$@"' sh "${run[@]}"
}

interrupted; damaged; at_the_same_time; interrupted_waiting; others
finish
