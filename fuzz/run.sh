#!/bin/sh
# Runs every fuzz target for SECONDS each, and says how many executions there were. A finding ends it, with the input that shows it
# in target/fuzz/findings. What leads to new code is kept in target/fuzz/corpus.
#
# The flags are those of `cargo fuzz build --sanitizer none`: core has no unsafe code for a sanitizer to watch.
set -eu
seconds=$1
cd "$(dirname "$0")"
target=$(rustc -vV | sed -n 's/^host: //p')
build=$PWD/../target/fuzz
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
CARGO_TARGET_DIR=$build RUSTFLAGS="--cfg fuzzing -Ccodegen-units=1 $coverage" \
	cargo build --quiet --release --target "$target"

mkdir -p "$build/findings"
for program in fuzz_targets/*.rs; do
	name=$(basename "$program" .rs)
	corpus=$build/corpus/$name
	mkdir -p "$corpus"
	if ! "$build/$target/release/$name" -max_total_time="$seconds" -max_len=1500 -timeout=20 -print_final_stats=1 \
		-artifact_prefix="$build/findings/$name-" "$corpus" >"$build/$name.log" 2>&1; then
		tail -n 40 "$build/$name.log"
		exit 1
	fi
	echo "$name $(sed -n 's/^stat::number_of_executed_units: //p' "$build/$name.log")"
done | tee "$build/executions"
# A pipe has the status of its end.
[ "$(wc -l <"$build/executions")" -eq "$(ls fuzz_targets/*.rs | wc -l)" ]
awk '{ all += $2 } END { printf "%d executions, no finding\n", all }' "$build/executions"
