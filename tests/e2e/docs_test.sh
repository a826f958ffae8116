#!/bin/bash
# Runs every ```sh block of the README, of docs/*.md and of docs/tutorials/*.md, in order, in a folder where the repository's
# content is at hand and `daedalus` is on the PATH. A block behind the line
# `<!-- not run: REASON -->` is left out, and so is one behind `<!-- needs the simulated system -->` where the build has none,
# unless DAEDALUS_NEEDS_SOC is set. Every command must succeed.
. "$(dirname "$0")/cli_lib.sh"
PATH=$(dirname "$daedalus"):$PATH

left_out='not run: .+'
[ -e "$(dirname "$daedalus")/../lib/soc/processor.so" ] || [ -n "${DAEDALUS_NEEDS_SOC:-}" ] || left_out="$left_out|needs the simulated system"

blocks() { # FILE: its blocks as one script
  awk -v left_out="^<!-- ($left_out) -->\$" '$0 ~ left_out {skip = 1; next}
       /^```sh$/ {inside = 1; next}
       /^```/ {inside = 0; skip = 0; next}
       inside && !skip' "$1"
}

for file in "$source"/README.md "$source"/docs/*.md "$source"/docs/tutorials/*.md; do
  script=$(blocks "$file")
  [ -n "$script" ] || continue
  mkdir snippets && ln -s "$source"/{examples,isa,docs,tests,scripts} snippets/
  (cd snippets && bash -euo pipefail -c "$script") >"$work.out" 2>"$work.err" </dev/null ||
    fail "a snippet of $file fails: $(tail -n 3 "$work.err")"
  rm -rf snippets
  echo "ran the snippets of ${file#"$source"/}"
done
finish
