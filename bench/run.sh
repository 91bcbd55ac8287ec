#!/bin/sh
# Measures Python, Node and Rust and writes bench/results/*.json, docs/performance.md and docs/plots/*.svg.
# `--quick` takes few rounds and leaves the committed results alone: it writes to target/bench.
set -eu
cd "$(dirname "$0")/.."

scratch=${CARGO_TARGET_DIR:-target}/bench
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd)
results=$PWD/bench/results
if [ "${1:-}" = --quick ]; then results=$scratch; fi
mkdir -p "$results"

python bench/scenarios.py "$scratch"
cargo bench --quiet -p ag-ui-native --bench codec --no-run
cargo build --quiet --release --manifest-path bench/libraries/Cargo.toml --target-dir "$scratch/libraries"

python bench/python/bench_python.py "$scratch" "$results/python.json" "$@"
node bench/node/bench_node.mjs "$scratch" "$results/node.json" "$@"
cargo bench --quiet -p ag-ui-native --bench codec -- "$scratch" "$results/rust.json" "$@"
"$scratch/libraries/release/libraries" "$scratch" "$results/libraries.json" "$@"

docs=docs
if [ "$results" = "$scratch" ]; then docs=$scratch; fi
table=$docs/performance.md
python bench/report/plots.py "$results" "$docs/plots"
python bench/report/table.py "$results" "$table" "$(uname -s) $(uname -m), $(getconf _NPROCESSORS_ONLN) cores"
echo "written: $table"
