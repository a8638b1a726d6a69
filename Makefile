# make book   collects what is missing, runs the chapters that changed, renders the book
# make test   runs the test suite
# make setup  installs alone
SHELL := bash
PYTHON ?= python3
PROFILE ?= default
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: book test setup lint types doctor clean help

help:
	@sed -n 's/^# make/make/p' Makefile

book: $(STAMP)
	@$(BIN)/metacog book --profile $(PROFILE)

test: $(STAMP)
	@echo "running the tests: usually 2 to 4 minutes on 2 cores"
	@$(BIN)/python -m pytest

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; name another with make PYTHON=python3.12")'
	@command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || { echo "a C++ compiler is needed to build llama.cpp: install one (for instance the package build-essential), or use environment.yml, which has binaries"; exit 1; }
	@echo "setting up $(VENV): downloads about 1 GB and builds llama.cpp from source, usually 4 to 10 minutes the first time"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

lint: $(STAMP)
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(STAMP)
	@$(BIN)/mypy

doctor: $(STAMP)
	@$(BIN)/metacog doctor

# keeps .venv and the collected replies in runs/
clean:
	rm -rf _build _executed _static_generated results .snakemake
