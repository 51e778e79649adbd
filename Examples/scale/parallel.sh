#!/usr/bin/env bash
# Probes a list with several scans on one machine, each with a block of the list at a time (GNU parallel).
#
# usage: parallel.sh LIST FOLDER [OPTION OF PROBEKIT SCAN]...
#
# FOLDER gets a file for each block once it is complete. The block of a scan that dies is repeated after the others, up to
# two times. The same command, run again, does only what is missing. JOBS is the number of scans at a time, BLOCK the bytes
# of a block.
set -euo pipefail
list=$1 folder=$2
shift 2
mkdir -p "$folder"

# The number of a block identifies the same bytes only with the same list and block size.
block=${BLOCK:-10M}
input="$(sha256sum <"$list") block $block"
if [ -e "$folder/input" ] && [ "$(cat "$folder/input")" != "$input" ]; then
  echo "parallel.sh: $folder has parts of another list or block size: use another folder" >&2
  exit 65
fi
echo "$input" >"$folder/input"

# The option --output renames the file into place when the scan has ended, so a part that is there is complete.
scan_block() {
  local part
  part=$1/$(printf 'part-%06d.ndjson' "$PARALLEL_SEQ")
  shift
  [ -e "$part" ] || probekit scan --quiet --output "$part" "$@"
}
export -f scan_block

# Neither --retries nor --resume: with --pipe-part, GNU parallel gives the repeated and the following jobs other blocks.
for _ in 1 2 3; do
  PARALLEL_SHELL=$BASH parallel --pipe-part --arg-file "$list" --block "$block" --jobs "${JOBS:-4}" --quote \
    scan_block "$folder" "$@" && exit
done
echo "parallel.sh: some parts are missing after three attempts: see the messages above, then run it again" >&2
exit 1
