# make book   collects what is missing, runs the chapters that changed, renders the book
# make test   runs the test suite
# make setup  installs alone; PORTABLE=1 for clusters and images (book/scale-out.md)
# make book VERBOSE=1, make setup VERBOSE=1   print all that the programs say
SHELL := bash
PYTHON ?= python3
PROFILE ?= default
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: book test setup lint types doctor clean help FORCE

help:
	@sed -n 's/^# make/make/p' Makefile

book: $(STAMP)
	@$(BIN)/metacog book --profile $(PROFILE) $(if $(VERBOSE),--verbose)

test: $(STAMP)
	@echo "running the tests: usually 15 to 25 minutes on 2 cores"
	@$(BIN)/python -m pytest

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; name another with make PYTHON=python3.12")'
	@rm -f $@
	@PYTHONPATH=src $(PYTHON) -m metacog.install --venv $(VENV) $(INSTALL_OPTIONS)
	@touch $@

# An environment that is there is set up again where PORTABLE asks for another build than it has.
INSTALL_OPTIONS := $(if $(VERBOSE),--verbose)
PORTABLE_NOW := $(if $(shell grep -s '"portable": true' $(VENV)/.llama-build.json),1,0)
ifneq ($(PORTABLE),)
ifneq ($(PORTABLE),$(PORTABLE_NOW))
$(STAMP): FORCE
endif
INSTALL_OPTIONS += $(if $(filter 0,$(PORTABLE)),--native,--portable)
endif
FORCE:

lint: $(STAMP)
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports

types: $(STAMP)
	@$(BIN)/mypy

doctor: $(STAMP)
	@$(BIN)/metacog doctor

# keeps .venv and the collected replies in runs/
clean:
	rm -rf _build _executed _static_generated results .snakemake
