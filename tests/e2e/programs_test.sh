#!/bin/bash
# Programs as text and back, and what `verify` says about emitted and about damaged ones.
. "$(dirname "$0")/cli_lib.sh"
model=$source/examples/digits/digits.onnx

round_trip() {
  local machine
  for machine in default vta tiny large; do
    ok "$daedalus" compile "$model" --machine "$machine" --emit words -o p.bin
    "$daedalus" disasm p.bin | "$daedalus" asm - -o q.bin || fail "disasm | asm fails on $machine"
    same p.bin q.bin
    ok "$daedalus" verify p.bin
    prints '^ok$'
  done
  ok "$daedalus" compile "$model" --emit words -o p.bin
  "$daedalus" compile "$model" --emit asm >p.s
  ok "$daedalus" asm p.s -o q.bin
  same p.bin q.bin
  ok "$daedalus" disasm p.bin -o p.s
}

# Exit status 1, with a finding that names an instruction and matches.
finds() { # REGULAR_EXPRESSION PROGRAM [OPTIONS...]
  local pattern=$1 status=0
  shift
  "$daedalus" verify "$@" >"$work.out" 2>"$work.err" || status=$?
  [ "$status" -eq 1 ] || fail "verify $* exits with $status"
  cat "$work.err" >>"$work.out"
  grep -Eq -- "$pattern" "$work.out" || fail "verify $* does not say '$pattern': $(head -n 5 "$work.out")"
}

# Assembles the lines on stdin for the machine default, with 64 KiB behind base registers 0 and 1.
assemble() { # OUTPUT
  {
    "$daedalus" info --machine default --json | sed -n 's/.*"hash": "\([0-9a-f]*\)".*/.machine default \1/p'
    printf '.base 0 limit=65536 readonly\n.base 1 limit=65536\n'
    cat
  } | "$daedalus" asm - -o "$1" || fail "cannot assemble $1"
}

# Each reason to refuse a program, as a program that anyone can read.
reasons() {
  local load='load scope=inp run_bytes=16 unbounded' store='store base=1 run_bytes=16'
  local weights='load scope=wgt run_bytes=256 unbounded'
  printf '%s\n' "$load signal(vector)" "vector wait(load) signal(store) op=mov dst_scope=out a_scope=inp" \
    "$store wait(vector)" finish | assemble good.bin
  ok "$daedalus" verify good.bin
  prints '^ok$'

  printf '%s\n' 'nop module=load wait(gemm)' finish | assemble p.bin
  finds 'token_never_comes: instruction 0 ' p.bin
  printf '%s\n' 'nop module=load signal(gemm)' finish | assemble p.bin
  finds 'token_left_over: instruction 0 ' p.bin
  printf '%s\n' "$load" 'vector op=mov dst_scope=acc a_scope=inp' finish | assemble p.bin
  finds 'race: instruction 1 .*INP' p.bin
  printf '%s\n' "$load" "$weights" 'nop module=load signal(gemm)' 'gemm wait(load)' finish | assemble p.bin
  ok "$daedalus" verify p.bin
  printf '%s\n' "$load signal(gemm)" "$weights" 'gemm wait(load)' finish | assemble p.bin
  finds 'race: instruction 2 .*WGT' p.bin
  printf '%s\n' "$load" "$weights signal(gemm)" 'gemm wait(load)' 'vector op=mov dst_scope=out a_scope=acc' \
    finish | assemble p.bin
  finds 'race: instruction 3 .*ACC' p.bin
  printf '%s\n' "$load signal(vector)" 'load scope=param run_bytes=256 unbounded' \
    'vector wait(load) op=requant dst_scope=out a_scope=inp b_scope=param' finish | assemble p.bin
  finds 'race: instruction 2 .*PARAM' p.bin
  printf '%s\n' "$load signal(vector)" 'load scope=lut run_bytes=256 unbounded' \
    'vector wait(load) op=lut dst_scope=out a_scope=inp' finish | assemble p.bin
  finds 'race: instruction 2 .*LUT' p.bin
  printf '%s\n' "$load signal(vector)" 'vector wait(load) op=mov dst_scope=out a_scope=inp' "$store" \
    finish | assemble p.bin
  finds 'race: instruction 2 .*OUT' p.bin
  printf '%s\n' "$load signal(vector)" 'vector wait(load) signal(store) op=mov dst_scope=out a_scope=inp' \
    "$store wait(vector)" 'load base=1 scope=inp dst=8192 run_bytes=16 unbounded' finish | assemble p.bin
  finds 'race: instruction 3 .*base register 1' p.bin
  printf '%s\n' "$load signal(vector)" "$weights signal(gemm)" 'gemm wait(load)' \
    'vector wait(load) op=mov dst_scope=acc dst=100 a_scope=inp' finish | assemble p.bin
  finds 'bank_port: instruction 3 .*ACC' p.bin
  printf '%s\n' 'vector op=mov dst_scope=out a_scope=inp a=9' finish | assemble p.bin
  finds 'unwritten_row: instruction 0 .*row 9 of INP' p.bin
  printf '%s\n' 'load scope=inp dst=32760 run_bytes=16 unbounded' finish | assemble p.bin
  finds 'scratchpad_range: instruction 0 .*INP' p.bin
  printf '%s\n' 'load scope=inp offset=65521 run_bytes=16 unbounded' finish | assemble p.bin
  finds 'address_limit: instruction 0 .*65536' p.bin
}

damaged() {
  finds "machine: .*'default'" good.bin --machine tiny
  head -c $(($(stat -c %s good.bin) - 10)) good.bin >short.bin
  refuses 1 'short.bin.*truncated|short.bin.*bytes' "$daedalus" verify short.bin
  cp good.bin reserved.bin # bit 31 of the first instruction's header is reserved
  printf '\200' | dd of=reserved.bin bs=1 seek=$((192 + 3)) conv=notrunc status=none
  refuses 1 'instruction 0.*reserved' "$daedalus" verify reserved.bin
  echo 'frobnicate' >bad.s
  refuses 1 'bad.s:1:1.*frobnicate' "$daedalus" asm bad.s -o out.bin
}

round_trip; reasons; damaged
finish
