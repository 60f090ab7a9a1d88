# Two commands matter: `make demo` and `make test`. Each sets up everything it needs in .venv.
.DEFAULT_GOAL := help
.PHONY: help demo test check format quick bench bench-short docs soak fuzz leaks dist wheel player browser clean distclean

VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
# What the tests of a file share is made once.
SHARED := --dist loadfile --no-loadscope-reorder
# Bytecode of what is never imported would take half of the time.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

# Tests begin hundreds of processes; without files of bytecode each would compile the sources anew.
unexport PYTHONDONTWRITEBYTECODE

# The first interpreter that really starts and is new enough; `make PYTHON=... demo` overrides.
PYTHON ?= $(shell for python in python3.14 python3.13 python3.12 python3.11 python3; do \
	if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	then echo $$python; break; fi; done)

help:
	@echo "make demo    simulate two four-bar linkages through their singular positions"
	@echo "make test    lint, types, import contracts and all tests"
	@echo "make check   lint, format, types and import contracts only"
	@echo "make quick   the tests that are not marked slow"
	@echo "make format  rewrite the sources in the house style"
	@echo "make player  build the page's player from player/src (needs npm)"
	@echo "make bench   all benchmarks, with the peers that install; bench-short takes ten minutes at most"
	@echo "make docs    the documentation as a site, offline: build/site/index.html"
	@echo "make soak    random models, scenes and files for 24 minutes of CPU (MINUTES=...)"
	@echo "make fuzz    every reader under coverage-guided inputs, a minute each (SECONDS=...); make leaks: memory"
	@echo "make wheel   a wheel that carries machine code, tried in an empty environment"
	@echo "make dist    wheel and sdist, tried in an empty environment"
	@echo "make clean   remove caches and generated files; distclean also removes $(VENV)"

demo: $(VENV)/.installed
	$(BIN)/dalembert demo

test: check browser
	$(BIN)/python -m pytest -n $(WORKERS) $(SHARED)

quick: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n $(WORKERS) $(SHARED) -m "not slow"

check: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers $(WORKERS)
	$(BIN)/lint-imports

format: $(VENV)/.installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The player is built into the package and committed; only who changes it needs npm.
player:
	cd player && npm ci --ignore-scripts --no-audit --no-fund --silent && npm run --silent build

# Tests of the page drive a Chromium. On Debian and Ubuntu it is installed where that is possible
# without asking; elsewhere they are skipped, and this says so.
browser:
	@sh tests/browser/chromium.sh

# A wheel of this platform with machine code inside, and the time to the first results with it.
wheel: $(VENV)/.installed-test
	rm -rf build/code build/wheel
	$(BIN)/python packaging/machine_code.py build/code
	DALEMBERT_MACHINE_CODE=1 $(BIN)/python -m hatchling build -t wheel -d build/wheel
	$(BIN)/python packaging/try_wheel.py build/wheel/*.whl

# Peers live in an environment of their own, build/peers; what does not install is left out and told.
bench bench-short: $(VENV)/.installed-test
	$(BIN)/python benchmarks/all.py $(if $(filter bench-short,$@),--short)

docs: $(VENV)/.installed-docs
	$(BIN)/python docs/site/build.py

MINUTES ?= 24
soak: $(VENV)/.installed-test
	$(BIN)/python -m tests.soak --minutes $(MINUTES)

# Guided where atheris has a wheel for the interpreter, else blind.
SECONDS ?= 60
fuzz: $(VENV)/.installed-test
	-@$(PIP) -e ".[fuzz]" || echo "atheris does not install here: inputs are not guided"
	$(BIN)/python -m tests.coverage_fuzz --seconds $(SECONDS)

leaks: $(VENV)/.installed-test
	$(BIN)/python -m tests.leaks

# The wheel is tried with every interpreter that is here.
dist: $(VENV)/.installed-test
	rm -rf dist && $(BIN)/hatchling build -d dist
	$(BIN)/python tests/programs/installed.py dist --python python3.12 --python python3.13 --python python3.14

# An empty stamp inside the environment: it disappears together with it, and a change of
# pyproject.toml installs again. The test installation contains the plain one.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "Installing dalembert into $(VENV)"
	@$(PIP) -e .
	@touch $@

$(VENV)/.installed-test: pyproject.toml | $(BIN)/python
	@echo "Installing dalembert and the test tools into $(VENV)"
	@$(PIP) -e ".[test]"
	@touch $(VENV)/.installed $@

$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	@echo "Installing dalembert and the tools of the documentation into $(VENV)"
	@$(PIP) -e ".[docs]"
	@touch $(VENV)/.installed $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { \
		echo "No Python 3.11 or newer was found on the PATH. Install one, or name it: make PYTHON=/path/to/python3 ..."; \
		exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || { \
		rm -rf $(VENV); \
		echo "$(PYTHON) could not create an environment. On Debian and Ubuntu install the package python3-venv and try again."; \
		exit 1; }

clean:
	rm -rf build dist benchmarks/results .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean
	rm -rf $(VENV)
