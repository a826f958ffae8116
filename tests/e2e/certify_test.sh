#!/bin/bash
# daedalus certify: cycles do not depend on data, on both engines; and what a user may get wrong. scripts/nightly.sh certifies
# every network and every convolution.
. "$(dirname "$0")/cli_lib.sh"
models=$(dirname "$daedalus")/../models
digits=$source/examples/digits/digits.onnx

ok "$DAEDALUS" certify "$digits" --runs 20
prints 'digits.onnx: 5,097 cycles on machine default, a memory that answers reads after 64 '
prints '^the same in every run: 20 on systemc, 20 on rtl$'
prints '^the same for all other data: .*data_independence.py proves'
ok "$DAEDALUS" compile "$digits" --machine tiny -o digits.dae
ok "$DAEDALUS" certify digits.dae --runs 4 --rtl-cycles 0
prints '^not run on rtl: more than 0 cycles'
if [ -f "$models/made" ]; then
  ok "$DAEDALUS" certify "$models/convs/C5.onnx" --runs 4
  prints 'C5.onnx: 25,088 |C5.onnx: 2[0-9],[0-9]+ cycles'
  prints ' 4 on rtl$'
  ok "$DAEDALUS" certify "$models/networks/mobilenet_v2.onnx" --runs 4
  prints ' 4 on systemc$'
  prints "on the host's CPU, whose time is not certified"
fi

refuses 1 'has no accelerator program' "$DAEDALUS" certify "$digits" --target cpu
refuses 2 'runs' "$DAEDALUS" certify "$digits" --runs 0
refuses 2 'was compiled for its target' "$DAEDALUS" certify digits.dae --target auto
refuses 1 'nowhere.dae' "$DAEDALUS" certify nowhere.dae
finish
