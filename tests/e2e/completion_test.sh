#!/bin/bash
# Completion in bash: what the function makes of a command line.
. "$(dirname "$0")/cli_lib.sh"
touch model.onnx model.mlir model.dae data.npy 'two words.onnx' notes.txt
mkdir results
ok "$daedalus" completion bash
mv "$work.out" script.sh
. ./script.sh

# The completions of the last word, each once and sorted, are EXPECTED.
completes() { # EXPECTED WORD...
  local expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _daedalus
  local found
  found=$(printf '%s\n' "${COMPREPLY[@]}" | sort -u | paste -sd ' ')
  [ "$found" = "$expected" ] || fail "'$*' completes to '$found', expected '$expected'"
}

completes 'compile completion' daedalus comp
completes 'disasm' daedalus d
completes '' daedalus frob
completes '' daedalus '$(touch hacked)'
[ ! -e hacked ] || fail "a word of the command line is executed"
completes 'bash' daedalus completion ''
completes 'targets' daedalus bench ''
completes '--help --version' daedalus --
completes '--placement --placement-policy' daedalus compile --pl
completes '--repeat' daedalus bench targets --rep
completes '--repeats' daedalus bench --rep
completes 'accelerator auto cpu cuda' daedalus compile --target ''
completes 'soc soc-rtl systemc' daedalus run model.dae --engine s
completes 'rtl systemc' daedalus profile --engine ''
completes 'rtl' daedalus run model.dae --engine = r
completes 'functional rtl soc soc-rtl systemc uio' daedalus run model.dae --engine =
completes 'linalg llvm' daedalus compile model.onnx --emit l
completes 'bytes over path' daedalus profile --sort ''
completes 'model.mlir model.onnx results two words.onnx' daedalus compile ''
completes 'model.dae model.mlir model.onnx' daedalus run m
completes 'data.npy results' daedalus run model.dae --input ''
completes 'data.npy' daedalus run model.dae --input image = d
completes 'results' daedalus run model.dae -o ''
completes 'notes.txt' daedalus compile model.onnx -o not
completes '' daedalus run model.dae --threads ''
completes '--engines' daedalus cosim --engine

# Every command and option of help is there.
options=0
for command in $("$daedalus" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  completes "$command" daedalus "$command"
  for option in $("$daedalus" "$command" --help | grep -oE '^  (-., ?)?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
    COMP_WORDS=(daedalus "$command" "$option") COMP_CWORD=2
    _daedalus
    options=$((options + 1))
    [[ " ${COMPREPLY[*]} " == *" $option "* ]] || fail "'$command' does not complete $option"
  done
done
[ "$options" -gt 50 ] || fail "help has $options options, expected more than 50"

refuses 2 "shell: 'zsh' is unknown; expected bash" "$daedalus" completion zsh
refuses 2 'shell is required' "$daedalus" completion
finish
