# Everything there is to remember. `make help` prints the sentences below.
.DEFAULT_GOAL := help
.PHONY: help run test lint bench

PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary :all:
CHECKED := engine services tests

help: ## Print this list.
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 15

run: .venv/ready ## Deal a demonstration hand in the terminal.
	@$(BIN)/python -m services.cli demo

test: .venv/ready ## Run the tests and demand full coverage of the engine; ARGS="..." runs a part, HANDS=all every real hand.
	@$(BIN)/python -m pytest -n auto $(if $(strip $(ARGS)),$(ARGS),--cov --cov-report=term-missing --cov-fail-under=100)

lint: .venv/ready ## Check style, types, layers, the house rules and the papers.
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --strict $(CHECKED)
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m pytest --quiet tests/test_tidy.py tests/docs

bench: .venv/bench-ready ## Measure against the peers; ONLY=engine measures one group, QUICK=1 takes under a minute.
	@$(BIN)/python -m tests.bench

# The virtual environment makes itself, and anew whenever a lock file changes.
.venv/ready: requirements/run.txt requirements/dev.txt
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Python 3.11 or newer with its venv module is needed: say make PYTHON=/path/to/python3.11." >&2; exit 1; }
	@echo "Making .venv from the lock files ..." >&2
	@$(PYTHON) -m venv --clear .venv
	@$(INSTALL) -r requirements/run.txt -r requirements/dev.txt
	@touch $@

.venv/bench-ready: .venv/ready requirements/bench.txt
	@echo "Adding the benchmarks' peers to .venv ..." >&2
	@$(INSTALL) -r requirements/bench.txt
	@touch $@
