#!/usr/bin/env bash
# What dist/ holds, installed into empty environments and used from outside the project.
set -euo pipefail
cd "$(dirname "$0")/.."
dist=$PWD/dist
venv=$PWD/.venv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python_line='import ag_ui_native, ag_ui_native.core as c; from ag_ui_native.encoder import EventEncoder
print("python", ag_ui_native.__version__, EventEncoder().encode(c.StepStartedEvent(step_name="x")).strip())'

for package in "$dist"/*.whl "$dist"/*.tar.gz; do
  rm -rf "$work/venv" && "$venv/bin/python" -m venv "$work/venv"
  "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$package"
  (cd "$work" && venv/bin/python -c "$python_line")
done

mkdir "$work/npm" && cd "$work/npm"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --offline --omit=optional "$dist"/*.tgz
node -e "const { EventEncoder } = require('ag-ui-native/encoder')
console.log('node', new EventEncoder().encode({ type: 'STEP_STARTED', stepName: 'x' }).trim())"
node --input-type=module -e "import { EventDecoder } from 'ag-ui-native/stream'
console.log('node', new EventDecoder().feed(Buffer.from('data: {\"type\":\"STEP_STARTED\",\"stepName\":\"x\"}\n\n')))"

