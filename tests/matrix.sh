#!/usr/bin/env bash
# The Python suite on every CPython found, and what depends on pydantic on the pydantics supported; the Node suite on a newer Node; what
# the Node package does, once each, on Deno and Bun.
# One wheel serves all CPythons: it is built once, by the oldest.
set -euo pipefail
cd "$(dirname "$0")/.."
export CI=true # as in suites.sh: what is random is the same every time
work=.build/matrix
rm -rf "$work" && mkdir -p "$work"

.venv/bin/maturin build --quiet --release --out "$work/wheels"

# Prints the interpreter of a version, if there is one that starts.
interpreter() {
  for candidate in "python$1" "$HOME"/.pyenv/versions/"$1".*/bin/python; do
    if command -v "$candidate" >/dev/null && "$candidate" -c '' 2>/dev/null; then
      command -v "$candidate" && return
    fi
  done
}

check() { # CPython version, `all` tests or those of `classes`, pydantic requirement, others
  local python tests=(tests/python)
  python=$(interpreter "$1")
  if [ -z "$python" ]; then
    echo "matrix: no CPython $1 here, left out"
    return
  fi
  # Connections and logs deal in bytes: of pydantic they show nothing that the other folders do not.
  [ "$2" = all ] || tests+=(--ignore tests/python/durable --ignore tests/python/transport)
  local venv="$work/venv-$1-${3//[^0-9]/}"
  "$python" -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    -r tests/python/requirements.txt "${@:3}" "$work"/wheels/*.whl
  local verdict=0
  "$venv/bin/python" -m pytest -q -p no:cacheprovider "${tests[@]}" > "$venv/report.txt" 2>&1 || verdict=$?
  PYTHONPATH=.build/watched "$venv/bin/python" tests/python/first_uses.py >> "$venv/report.txt" 2>&1 || verdict=$?
  printf 'matrix: CPython %s, %s\n%s\n' "$1" "${*:2}" "$(< "$venv/report.txt")"
  return $verdict
}

# A check waits half of its time, so there is one more at once than there are cores. Each says what came of it when it is done.
export work
export -f interpreter check
mapfile -t floors < <(.venv/bin/python tests/release/release.py floors) # the oldest of each package that an extra names
xargs -L 1 -P $(($(getconf _NPROCESSORS_ONLN) + 1)) bash -euo pipefail -c 'check "$@"' check << CHECKS
3.11 all pydantic==2.11.* ${floors[*]}
3.12 all pydantic>=2.11
3.13 all pydantic>=2.11
3.11 classes pydantic==2.12.*
3.11 classes pydantic==2.13.*
CHECKS

echo "matrix: Node, with the oldest of each package that it names"
oldest=$work/oldest
mkdir -p "$oldest/tests" "$oldest/core/src/durable" && cp -R node node_modules "$oldest" && cp -R tests/node tests/fixtures "$oldest/tests"
cp -R core/src/durable/suite "$oldest/core/src/durable"
mapfile -t peers < <(.venv/bin/python tests/release/release.py peers)
(
  cd "$oldest/node"
  npm install --silent --no-save --no-audit --no-fund --legacy-peer-deps "${peers[@]}"
  node --test --test-timeout=600000 ../tests/node/{adapters,durable}/*.test.mjs ../tests/node/{server,transport}/*websocket*.test.mjs
)

echo "matrix: Node 24"
npm install --silent --no-audit --no-fund --prefix "$work/node24" node@24
PATH="$PWD/$work/node24/node_modules/node/bin:$PATH" npm --prefix node test
PATH="$PWD/$work/node24/node_modules/node/bin:$PATH" node tests/node/first_uses.mjs --times 1

echo "matrix: Deno and Bun"
npm install --silent --no-audit --no-fund --prefix "$work/hosts" deno@2 bun@1
hosts=$work/hosts/node_modules/.bin
"$hosts/deno" run --allow-all --node-modules-dir=manual tests/node/smoke.mjs
"$hosts/bun" tests/node/smoke.mjs
node tests/node/websocket_hosts.mjs "$hosts/deno" run --allow-all --node-modules-dir=manual
node tests/node/websocket_hosts.mjs "$hosts/bun"
