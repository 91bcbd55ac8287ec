#!/usr/bin/env bash
# Runs suites one after the other (`suites.sh rust python ...` are `make test-rust`, `make test-python` ...), says which one it is in, and
# ends with one summary. Fails if one has failed.
set -uo pipefail
cd "$(dirname "$0")/.."

summary=()
failed=0
for suite in "$@"; do
  printf '\n== make test-%s (%d of %d)\n' "$suite" $((${#summary[@]} + 1)) $#
  start=$SECONDS
  if "${MAKE:-make}" --no-print-directory "test-$suite"; then verdict=passed; else verdict=FAILED failed=1; fi
  summary+=("$(printf '%-10s %-6s %4d s' "$suite" $verdict $((SECONDS - start)))")
done
printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
exit $failed
