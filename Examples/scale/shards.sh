#!/usr/bin/env bash
# Probes a list with one scan for each shard of its hosts (GNU parallel), so that a limit for each host holds.
#
# usage: shards.sh LIST FOLDER [OPTION OF PROBEKIT SCAN]...
#
# The scans share nothing: with a copy of the list, each can run on another machine. A scan that dies is started again, up
# to three times, and then does only its missing parts. JOBS is the number of shards, and
# PART_LINES the lines of a part.
set -euo pipefail
list=$1 folder=$2 jobs=${JOBS:-4}
shift 2
mkdir -p "$folder"
seq "$jobs" | parallel --jobs "$jobs" --retries 3 --quote \
  probekit scan --quiet --input "$list" --shard "{}/$jobs" --parts "$folder/shard-{}-of-$jobs" \
  --part-lines "${PART_LINES:-100000}" "$@"
