#!/usr/bin/env bash
# Runs suites (`suites.sh rust python ...` are `make test-rust`, `make test-python` ...), as many at once as there are cores. What each says
# is shown when it is done; a summary stands at the end. Fails if one has failed.
set -uo pipefail
cd "$(dirname "$0")/.."
export reports=.build/suites
rm -rf "$reports" && mkdir -p "$reports"

suite() {
  local report="$reports/$1.txt" verdict=passed
  echo "== make test-$1 has begun, and writes to $report"
  "${MAKE:-make}" --no-print-directory "test-$1" > "$report" 2>&1 || verdict=FAILED
  printf '\n== make test-%s\n%s\n' "$1" "$(< "$report")"
  printf '%-10s %-6s %4d s\n' "$1" $verdict $SECONDS | tee -a "$reports/summary.txt"
  [ $verdict = passed ]
}
export -f suite
printf '%s\n' "$@" | xargs -L 1 -P "$(getconf _NPROCESSORS_ONLN)" bash -c 'suite "$1"' suite
failed=$?
printf '\n== summary\n%s\n' "$(< "$reports/summary.txt")"
exit $((failed != 0))
