# Everything there is to remember. `make help` prints the sentences below.
.DEFAULT_GOAL := help
.PHONY: help run test lint proto bench faults kafka kafka-stop

PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary :all:
CHECKED := engine services tests deploy
NODES ?= 1
PROTOS := $(sort $(wildcard proto/dealer/*/*.proto proto/dealer/*/*/*.proto))
PROTOC := $(BIN)/python -m grpc_tools.protoc --plugin=protoc-gen-mypy=$(BIN)/protoc-gen-mypy -Iproto

# Compile every file of proto/ into a folder that holds nothing else.
compile = rm -rf $(1) && mkdir -p $(1) && $(PROTOC) --python_out=$(1) --mypy_out=quiet:$(1) $(PROTOS)

help: ## Print this list.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 19

run: .venv/ready ## Deal a demonstration hand in the terminal.
	@$(BIN)/python -m services.cli demo

test: .venv/ready ## Run the tests and demand full coverage of the engine; ARGS="..." runs a part, HANDS=all every real hand.
	@$(BIN)/python -m pytest -n auto --dist loadgroup $(if $(strip $(ARGS)),$(ARGS),--cov --cov-report=term-missing --cov-fail-under=100)

lint: .venv/ready ## Check style, types, layers, the house rules and the papers.
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --strict $(CHECKED)
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/buf lint proto
	@$(BIN)/buf format proto --diff --exit-code
	@$(BIN)/buf breaking proto --against tests/golden/proto.binpb
	@$(call compile,build/gen)
	@diff -r --exclude=__pycache__ gen build/gen || { echo "gen/ is not what proto/ says. Say make proto." >&2; exit 1; }
	@$(BIN)/python -m pytest --quiet tests/test_tidy.py tests/docs

proto: .venv/ready ## Compile proto/ into gen/.
	@$(call compile,gen)

faults: .venv/ready ## Do every fault of docs/reliability.md at its CI size; ARGS="f1 f13" does some.
	@$(BIN)/python -m tests.faults $(ARGS)

kafka: .venv/ready ## Start Apache Kafka on loopback with Maven and Java 17; NODES=3 starts three brokers.
	@$(BIN)/python -m deploy.kafka.launch start --nodes $(NODES)

kafka-stop: .venv/ready ## Stop every Kafka that was started here; its records stay in build/kafka.
	@$(BIN)/python -m deploy.kafka.launch stop

bench: .venv/bench-ready ## Measure against the peers; ONLY=engine measures one group, QUICK=1 takes under a minute.
	@$(BIN)/python -m tests.bench

# The virtual environment makes itself, and anew whenever a lock file changes.
.venv/ready: requirements/run.txt requirements/dev.txt
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Python 3.11 or newer with its venv module is needed: say make PYTHON=/path/to/python3.11." >&2; exit 1; }
	@echo "Making .venv from the lock files ..." >&2
	@$(PYTHON) -m venv --clear .venv
	@$(INSTALL) -r requirements/run.txt -r requirements/dev.txt
	@echo "$(CURDIR)/gen" > "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/gen.pth"
	@touch $@

.venv/bench-ready: .venv/ready requirements/bench.txt
	@echo "Adding the benchmarks' peers to .venv ..." >&2
	@$(INSTALL) -r requirements/bench.txt
	@touch $@
