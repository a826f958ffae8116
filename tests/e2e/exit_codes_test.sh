#!/bin/bash
# Runs every command in the table of docs/exit_codes.md, and compares its exit status with the table's.
. "$(dirname "$0")/cli_lib.sh"
PATH=$(dirname "$daedalus"):$PATH
cp "$source/examples/digits/digits.onnx" model.onnx
echo notes >notes.txt
/usr/bin/python3 "$source/tests/models/make_checked_models.py" . || exit 77
mv int64 right
mv int64_last_place wrong
{
  daedalus info --machine default --json | sed -n 's/.*"hash": "\([0-9a-f]*\)".*/.machine default \1/p'
  printf '%s\n' '.base 0 limit=65536 readonly' '.base 1 limit=65536' 'nop module=load wait(gemm)' finish
} | daedalus asm - -o unproved.bin

# The rows of the cases as STATUS and COMMAND.
rows() {
  sed -n 's/^| \([0-9]\) | [^|]* | `\(.*\)` |$/\1 \2/p' "$source/docs/exit_codes.md"
}

count=0
while read -r expected command; do
  status=0
  # shellcheck disable=SC2086
  $command >"$work.out" 2>"$work.err" </dev/null || status=$?
  [ "$status" -eq "$expected" ] || fail "'$command' exits with $status, expected $expected: $(head -n 3 "$work.err")"
  [ "$status" -ne 2 ] || grep -q '^daedalus: error: ' "$work.err" || fail "'$command' does not say what is wrong"
  count=$((count + 1))
done < <(rows)
[ "$count" -ge 25 ] || fail "the page has $count cases, expected 25 or more"
finish
