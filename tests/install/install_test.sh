#!/bin/bash
# install_test.sh BUILD SOURCE: installs the build, and builds and tests examples/target against it, in a tree that has
# been moved; the RTL runs from there; C programs find the runtime by pkg-config.
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DAEDALUS_CACHE=$build/rtl_cache

# Libraries that were built with sanitizers want programs that were.
sanitizers=$(sed -n 's/^DAEDALUS_SANITIZE:[A-Z]*=\(..*\)$/\1/p' "$build/CMakeCache.txt")
if [ -n "$sanitizers" ]; then
  mkdir "$work/compilers"
  for compiler in cc c++; do
    printf '#!/bin/sh\nexec %s -fsanitize=%s "$@"\n' "$(command -v $compiler)" "$sanitizers" >"$work/compilers/$compiler"
  done
  chmod +x "$work"/compilers/*
  export PATH=$work/compilers:$PATH CC=$work/compilers/cc CXX=$work/compilers/c++
  ASAN_OPTIONS=$(sed -n 's/.* return "\(.*\)";.*/\1/p' "$source/cmake/asan_options.c")
  export ASAN_OPTIONS
fi

cmake --install "$build" --prefix "$work/first" >"$work/install.log" || { tail -5 "$work/install.log"; exit 1; }
mv "$work/first" "$work/prefix"
prefix=$work/prefix

cp -r "$source/examples/target" "$work/target"
cmake -S "$work/target" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" \
  >"$work/configure.log" 2>&1 || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build" >"$work/build.log" 2>&1 || { tail -40 "$work/build.log"; exit 1; }
ctest --test-dir "$work/build" --output-on-failure </dev/null

cmp "$prefix/share/bash-completion/completions/daedalus" <("$prefix/bin/daedalus" completion bash)

"$prefix/bin/daedalus" run "$source/examples/digits/digits.onnx" --machine tiny --engine rtl \
  --input <(/usr/bin/python3 -c "
import io, numpy, sys
file = io.BytesIO()  # numpy.save asks a pipe for its position
numpy.save(file, numpy.load('$source/examples/digits/test_images.npy')[:1])
sys.stdout.buffer.write(file.getvalue())") >"$work/rtl.txt"
grep -q '^output ' "$work/rtl.txt"

# The simulated system with its processor and firmware is found from there.
if [ -e "$build/lib/soc/processor.so" ] && [ -e "$build/lib/soc/runner.elf" ]; then
  "$prefix/bin/daedalus" run "$source/examples/digits/digits.onnx" --machine tiny --engine soc \
    --input "$source/tests/models/image.npy" >"$work/soc.txt"
  grep -qE ' cycles from reset to exit \([0-9.]+ us at [0-9]+ MHz\), ' "$work/soc.txt"
fi

# The part for several machines is found from there: alone in a job of two, it finds no other process.
if [ -e "$build/lib/libdaedalus_mpi.so" ]; then
  echo 'keys: {n: [8]}' >"$work/space.yaml"
  ! PMI_RANK=0 PMI_SIZE=2 "$prefix/bin/daedalus" explore "$work/space.yaml" "$source/examples/digits/digits.onnx" \
    --db "$work/sweep.db" 2>"$work/said"
  grep -q 'a launcher started 2 processes, but MPI finds 1' "$work/said"
fi

library=$(echo "$prefix"/lib*/pkgconfig)
cc -o "$work/run" "$source/examples/target/run.c" $(PKG_CONFIG_PATH=$library pkg-config --cflags --libs daedalus)
! "$work/run" nothing.so nothing.dae x y 2>"$work/said"
grep -q "'nothing.so' cannot be loaded as a driver" "$work/said"

# The programs of docs/tutorials/call_from_c.md, from where a reader has compiled a model on.
mkdir "$work/tutorial"
ln -s "$source/examples" "$work/tutorial/examples"
page=$(awk '/^## Compile a model$/ {begun = 1} begun && /^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' \
  "$source/docs/tutorials/call_from_c.md")
(cd "$work/tutorial" && PATH=$prefix/bin:$PATH PKG_CONFIG_PATH=$library bash -euo pipefail -c "$page") \
  >"$work/tutorial.log" 2>&1 </dev/null || { tail -20 "$work/tutorial.log"; exit 1; }
[ "$(wc -w <"$work/tutorial/from_c.txt")" -eq 10 ]

# A program is refused a runtime of another version by its name, and finds no C++ symbol that is not declared.
readelf -d "$work/run" | grep -q 'NEEDED.*libdaedalus_runtime.so.0.1'
hidden=$(nm -DC --defined-only "$prefix"/lib*/libdaedalus_runtime.so | grep -E ' [TWVB] daedalus::runtime::(cpu|c_api)::' || true)
[ -z "$hidden" ] || { echo "exported, but in no public header: $(head -5 <<<"$hidden")"; exit 1; }
echo "all checks passed"
