#!/usr/bin/env bash
# Runs suites (`suites.sh rust python ...` are `make test-rust`, `make test-python` ...), one more at once than there are cores: suites
# wait a good part of their time. What a suite says is kept in a file.
# The end of it is shown, more of it if the suite has failed. The failed ones come last, before the summary. Fails if one has failed.
set -uo pipefail
cd "$(dirname "$0")/.."
export reports=.build/suites
# The same tree gets the same verdict: hypothesis, proptest and our own random tests draw the same every time. A suite by itself draws anew.
export CI=true PROPTEST_RNG_SEED=1
rm -rf "$reports" && mkdir -p "$reports"

suite() {
  local report="$reports/$1.txt" verdict=passed
  echo "== make test-$1 has begun, and writes to $report"
  "${MAKE:-make}" --no-print-directory "test-$1" > "$report" 2>&1 || verdict=FAILED
  [ $verdict = FAILED ] || printf '\n== make test-%s\n%s\n' "$1" "$(tail -n 12 "$report")"
  printf '%-14s %-6s %4d s\n' "$1" $verdict $SECONDS | tee -a "$reports/summary.txt"
  [ $verdict = passed ]
}
export -f suite
printf '%s\n' "$@" | xargs -L 1 -P $(($(getconf _NPROCESSORS_ONLN) + 1)) bash -c 'suite "$1"' suite
failed=$?
for name in $(awk '$2 == "FAILED" { print $1 }' "$reports/summary.txt"); do
  printf '\n== make test-%s has failed: lines that say so, and the end of %s/%s.txt\n' "$name" "$reports" "$name"
  grep -nE -A 20 '^✖|^FAILED|^E  |panicked at|^failures:|^test .* FAILED' "$reports/$name.txt" | grep -v 'asked for' | tail -n 200
  tail -n 60 "$reports/$name.txt"
done
printf '\n== summary\n%s\n' "$(< "$reports/summary.txt")"
exit $((failed != 0))
