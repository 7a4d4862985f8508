PYTHON ?= python3
WORKERS ?= auto

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up
FRESH := .venv-constraints
PEERS := .venv-peers
PEERS_STAMP := $(PEERS)/.set-up
# one thread for small algebra, and compiled tests are kept for the next run
QUICKLY := OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=
INSTALL := -m pip install --quiet --quiet --disable-pip-version-check --editable '.[dev]'

define FIT_PYTHON
command -v $(PYTHON) >/dev/null || { echo "No $(PYTHON) here; name one: make PYTHON=python3.11"; exit 1; }; \
$(PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit("Python 3.11 or newer is needed, but $(PYTHON) is %d.%d; name another: make PYTHON=python3.11" % v[:2])'
endef

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test slow js check format results papers pictures bench bench-quick dist lowest constraints clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP)  ## the environment in .venv (every target below does this first, once)

demo: $(STAMP)  ## the whole story, in half a minute
	@$(BIN)/discretion demo

test: $(STAMP)  ## all tests but the slow ones: 5 to 10 minutes on two cores
	@$(QUICKLY) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not slow"

slow: $(STAMP)  ## statistical runs of minutes, seeds printed
	@PYTHONUNBUFFERED=1 $(BIN)/python -m pytest -s -m slow

js:  ## the device in JavaScript: its types and its tests (Node 20 or newer)
	@cd clients/js && npm ci --no-fund --no-audit --silent && npm run --silent check && npm test --silent

check: $(STAMP)  ## formatting, lint, types, direction of imports
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: $(STAMP)  ## rewrite the sources as check wants them, where that is safe
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

results: $(STAMP)  ## the tables and figures of experiments/
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m experiments.accuracy
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m experiments.consistency

papers: $(STAMP)  ## the tables and figures of published papers, with ours: docs/results (hours; needs DISCRETION_DATA)
	@$(BIN)/python -m papers

pictures: $(STAMP)  ## the screenshots in docs/figures, taken by Chromium
	@$(BIN)/python -m tests.browser.pictures

bench: $(STAMP) $(PEERS_STAMP)  ## time and memory beside peers and physical limits: docs/benchmarks.md
	@$(BIN)/python -m benchmarks.report

bench-quick: $(STAMP)  ## whether any kernel became slower than recorded, in a minute
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.gate

dist: $(STAMP)  ## sdist, wheel and npm tarball in dist/, each installed elsewhere and tried (needs Node)
	@$(BIN)/python -m tests.distribution

lowest: $(STAMP)  ## the oldest versions that pyproject.toml admits, installed and tried (needs PyPI)
	@$(BIN)/python -m tests.distribution.lowest

constraints:  ## renew constraints.txt with the newest versions that fit
	@$(FIT_PYTHON)
	@echo "Resolving the newest versions in $(FRESH) ..."
	@rm -rf $(FRESH)
	@$(PYTHON) -m venv $(FRESH)
	@$(FRESH)/bin/python $(INSTALL)
	@echo "# The exact versions that are tested; renewed by: make constraints" > $(FRESH)/constraints.txt
	@$(FRESH)/bin/python -m pip freeze --exclude-editable >> $(FRESH)/constraints.txt
	@mv $(FRESH)/constraints.txt constraints.txt
	@rm -rf $(FRESH)

clean:  ## remove the environment and all caches
	@rm -rf $(VENV) $(FRESH) $(PEERS) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt
	@$(FIT_PYTHON)
	@echo "Setting up $(VENV) (once, and again when the dependencies change) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(INSTALL) --constraint constraints.txt
	@echo "Compiling the kernels (once) ..."
	@$(BIN)/python -m discretion.kernel.cache
	@touch $@

$(PEERS_STAMP): benchmarks/peers-constraints.txt
	@$(FIT_PYTHON)
	@echo "Setting up $(PEERS) for the packages that ours is compared with (once) ..."
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --quiet --disable-pip-version-check \
		--constraint benchmarks/peers-constraints.txt \
		pure-ldp multi-freq-ldpy opendp statsmodels scikit-learn "xxhash<4"
	@touch $@
