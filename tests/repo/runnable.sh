#!/bin/sh
# runnable.sh SOURCE_FOLDER: whether every file that begins with #! may be run, as the pages run them.
cd "$1" || exit 1
bad=$(find compiler isa simulator runtime hw examples tests scripts -type f ! -perm -u+x -exec awk 'FNR > 1 { nextfile } /^#!/ { print FILENAME }' {} + | sort)
[ -z "$bad" ] || { echo "begins with #! but may not be run; chmod +x:"; echo "$bad"; exit 1; }
