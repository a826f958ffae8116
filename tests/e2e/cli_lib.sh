# Sourced by the tests of the command line. Usage of a test: TEST.sh DAEDALUS SOURCE_FOLDER.
# Every test works in a folder of its own that vanishes at the end.
set -uo pipefail
daedalus=$1 source=$2
export DAEDALUS=$daedalus
export DAEDALUS_CACHE=$(dirname "$daedalus")/../rtl_cache # the tests leave the user's cache alone
work=$(mktemp -d)
clean_up() { # by the test's shell alone: a child that is killed before it is the command has the same trap
  [ "$BASHPID" -ne $$ ] || rm -rf "$work" "$work.out" "$work.err"
}
trap clean_up EXIT
cd "$work" || exit 1
failures=0

# What is missing is no step that a test may leave out.
command_not_found_handle() { # COMMAND
  echo "FAILED: there is no command '$1'" >&2
  kill -TERM $$
}

fail() { # MESSAGE
  printf 'FAILED: %s\n' "$1"
  failures=$((failures + 1))
}

# The command succeeds; what it prints is in the files out and err (kept out of the folder).
ok() { # COMMAND...
  "$@" >"$work.out" 2>"$work.err" </dev/null || fail "'$*' exits with $?: $(tail -n 3 "$work.err")"
}

# The last output has a line that matches.
prints() { # REGULAR_EXPRESSION
  grep -Eq -- "$1" "$work.out" || fail "the output has no line like '$1': $(head -n 20 "$work.out" | cut -c -200)"
}

# The command exits with STATUS and one line on stderr, `PROGRAM: error: ...`, that matches; nothing on
# stdout; no file in the folder appears, vanishes or changes.
refuses() { # STATUS REGULAR_EXPRESSION COMMAND...
  local expected=$1 pattern=$2 status=0 before after
  shift 2
  before=$(find . -type f -exec cksum {} + | sort)
  "$@" >"$work.out" 2>"$work.err" </dev/null || status=$?
  after=$(find . -type f -exec cksum {} + | sort)
  [ "$status" -eq "$expected" ] || fail "'$*' exits with $status, expected $expected: $(head -n 3 "$work.err")"
  [ "$(wc -l <"$work.err")" -eq 1 ] && grep -Eq "^daedalus(-bench)?: error: " "$work.err" ||
    fail "'$*' does not print one line of error: $(head -n 5 "$work.err")"
  grep -Eq -- "$pattern" "$work.err" || fail "'$*' does not say '$pattern': $(cat "$work.err")"
  [ ! -s "$work.out" ] || fail "'$*' prints to stdout: $(head -n 3 "$work.out")"
  [ "$before" = "$after" ] || fail "'$*' leaves changed files behind: $(find . -type f)"
}

explore_rows() { # DATABASE: all that a sweep has found
  python3 - "$1" <<'END'
import sqlite3, sys
file = sqlite3.connect(sys.argv[1])
for table in ("point", "result"):
    for row in file.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):
        print(*row, sep="|")
END
}

# `ordinary` becomes the start of a command of a user whom permissions keep from files: of nobody, for root. The status is 1
# where that user may not run the tool, as in a root folder that is locked.
becomes_ordinary() {
  ordinary=()
  [ "$(id -u)" -ne 0 ] || ordinary=(setpriv --reuid 65534 --regid 65534 --clear-groups)
  chmod 755 "$work"
  "${ordinary[@]}" "$daedalus" --version >/dev/null 2>&1 || { echo "nobody may run $daedalus"; return 1; }
}

same() { # FILE FILE
  cmp "$1" "$2" || fail "$1 and $2 differ"
}

# The command succeeds, and has about NUMBER threads while it waits for the FILE from a PIPE.
has_threads() { # NUMBER PIPE FILE COMMAND...
  local number=$1 pipe=$2 file=$3 found=0 look command
  shift 3
  mkfifo "$pipe"
  "$@" >"$work.out" 2>"$work.err" &
  command=$!
  for look in $(seq 600); do
    found=$(ls "/proc/$command/task" 2>/dev/null | wc -l)
    [ "$found" -ge "$number" ] && break
    sleep 0.1
  done
  cat "$file" >"$pipe"
  wait "$command" || fail "'$*' exits with $?: $(cat "$work.err")"
  [ "$found" -ge "$number" ] && [ "$found" -lt $((number + 8)) ] || fail "'$*' has $found threads, expected $number"
  rm "$pipe"
}

finish() {
  [ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
  echo "all checks passed"
  exit 0
}
