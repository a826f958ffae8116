#!/bin/bash
# What `daedalus check` calls right: integers exactly, floats nearly, and by how many quantization steps the others
# differ.
. "$(dirname "$0")/cli_lib.sh"
/usr/bin/python3 "$source/tests/models/make_checked_models.py" . || exit 77

# The last output says a verdict of a folder, and why.
wrong() { # FOLDER REGULAR_EXPRESSION [OPTION...]
  local folder=$1 pattern=$2
  shift 2
  "$daedalus" check "$folder" "$@" >"$work.out" 2>"$work.err" </dev/null
  [ $? -eq 1 ] || fail "'check $folder $*' does not fail"
  prints "^wrong $folder: $pattern$"
}

passes() { # FOLDER REGULAR_EXPRESSION [OPTION...]
  local folder=$1 pattern=$2
  shift 2
  ok "$daedalus" check "$folder" "$@"
  prints "^passed $folder$pattern$"
}

# Neither right nor wrong, and no failure.
differs() { # FOLDER REGULAR_EXPRESSION
  ok "$daedalus" check "$1"
  prints "^differs by 1 step $1: $2$"
  prints '^passed 0, differ by 1 step 1, refused 0, wrong 0$'
  ok "$daedalus" check "$1" --json
  prints '"verdict": "differs by 1 step"'
  prints '"differ_by_1_step": 1'
}

integers() {
  passes int64 ''
  wrong int64_last_place "output 'y' is .* at element 1, expected .*"
  wrong int8_step "output 'y' is .*; it differs at 1 of 4 elements, by at most 1 quantization step"
  passes int8_step '.* by at most 1 quantization step' --tolerance 1
  differs quantized_step "output 'y' is .*; it differs at 1 of 4 elements, by at most 1 quantization step"
  wrong quantized_step ".*, by at most 1 quantization step" --tolerance 0
  passes quantized_step '.* by at most 1 quantization step' --tolerance 1
  wrong quantized_steps ".*; it differs at 2 of 4 elements, by at most 2 quantization steps"
}

floats() {
  passes real_near ''
  wrong real "output 'y' is 1.100000 at element 0, expected 1.000000" --tolerance 9
  passes real_data ''
  wrong real_data_narrow "output 'y' is 1.100000 at element 0, expected 1.000000"
  ok "$daedalus" check real_data_nonsense
  prints "^refused real_data_nonsense: .*data.json' is not a JSON object; expected one with the numbers rtol and atol, each at least 0$"
}

# Behind a DequantizeLinear of scale 0.5.
steps() {
  passes steps_0 ''
  wrong steps_2 '.*; it differs at 2 of 4 elements, by at most 2 quantization steps' --tolerance 1
  passes steps_2 '.* by at most 2 quantization steps' --tolerance 2
  differs steps_fraction '.* by at most 0.40 quantization steps'
  wrong steps_fraction '.* by at most 0.40 quantization steps' --tolerance 0
  wrong steps_nan '.* by at most nan quantization steps' --tolerance 9
  refuses 2 'tolerance' "$daedalus" check steps_2 --tolerance -1
  refuses 2 'tolerance' "$daedalus" check steps_2 --tolerance few
}

# Two outputs: the one that differs most is said, wherever it stands.
outputs() {
  passes outputs ".*output 'second' .* by at most 3 quantization steps" --tolerance 3
  wrong outputs ".*output 'second' .* by at most 3 quantization steps" --tolerance 2
}

# The result of a convolution is two parts of one tensor, of which the first lies there already.
parts() {
  local machine
  for machine in default tiny vta; do passes concat_of_one_value '' --machine $machine; done
  ok "$daedalus" check concat_of_one_value --target cpu
}

# On as many threads as it is told.
threads() {
  passes int64 '' --threads 3
  mv int64/test_data_set_0/input_0.pb input.pb
  has_threads 40 int64/test_data_set_0/input_0.pb input.pb "$daedalus" check int64 --threads 40
  prints '^passed int64$'
  mv input.pb int64/test_data_set_0/input_0.pb
}

integers
floats
steps
outputs
parts
threads
finish
