# make book   collects what is missing, runs the chapters that changed, renders the book
# make quick  runs the tests of what changed since the main branch and of its rooms, in about a minute
# make test   runs the test suite, but for the tests of `make real` and the proofs of `make validate`
# make real   runs the tests with real servers and a real Slurm (tests/real_*.py), and long ones: real models, whole books
# make validate  runs the long simulations behind the book's claims and the tests marked proof again: about 5 hours on 2 cores
# make setup  only installs; PORTABLE=1 for clusters and images (book/scale-out.md)
# make lab    opens the chapters with their numbers in JupyterLab, which it installs the first time; NOTEBOOK=FILE opens one
# make dev    installs what tests and clusters need beside it, as the targets above do by themselves
# make book VERBOSE=1, make setup VERBOSE=1   print everything the programs print
SHELL := bash
PYTHON ?= python3
PROFILE ?= default
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
LAB := $(VENV)/.installed-lab
# chapters as notebooks with their numbers, once a book is made
NOTEBOOK ?= $(firstword $(wildcard _static_generated/filled) notebooks)
# tests of one file share what they make; those that took long the last time come first (tests/conftest.py)
SHARED := -n logical --dist loadfile --no-loadscope-reorder
LOCKED := --no-deps --require-hashes --no-build-isolation --requirement

.PHONY: book quick test real validate setup lab dev lint types doctor clean help FORCE

help:
	@sed -n 's/^# make/make/p' Makefile

book: $(STAMP)
	@$(BIN)/metacog book --profile $(PROFILE) $(if $(VERBOSE),--verbose)

test: $(DEV)
	@echo "running the tests: about 20 minutes on 2 cores"
	@$(BIN)/python -m pytest $(SHARED) -m "not real and not proof"

quick: $(DEV)
	@$(BIN)/python tests/quick.py

real: $(DEV)
	@echo "running the tests with real servers and a real Slurm, and long ones: 10 to 20 minutes on 2 cores"
	@$(BIN)/python -m pytest $(SHARED) -m real -rs

# At the end the tests of benchmarks and servers are run, for which llama.cpp's own server is built where it is missing,
# and the tests of other folders that are marked `proof`: simulations too long for `make test`.
# The proofs that tests read: each writes its table in data/simulations with the command that made it. `make validate
# PROOFS=verdict_sweep` runs one of them. verdict_level, verdict_power, group_coverage and self_knowledge keep existing rows:
# delete their tables to compute these again. `make validate PROOFS=reference_sample` is not among the usual ones: it asks the
# reference model again, whose file has to be fetched first (book/how-to-run.md). Nor are log_readers,
# which installs inspect_ai and lm_eval in environments of their own, and gpu, which needs one. vllm_server is: it
# installs vLLM's build for processors in an environment of its own (4 GB in the cache folder), and is skipped with the reason where that cannot be had. supply_chain writes the bill of materials of a
# release and asks what is known against the lock's packages; it needs the package index, and says so where no service
# answers.
# sbc goes on for an hour at a time until every Bayesian model and every wrong twin has its fits.
# fuzz gives 4,000 changed inputs to each reader of what others wrote. faults breaks commands on the toy study sixty times
# each; it needs Linux and a C compiler.
# same_again is not among the usual ones: it makes the smoke book twice from nothing and a third time with fewer of the
# processor's instructions, an hour at a time, and compares them. Nor is `python benchmarks/mutants.py --of sdt/dmc.py`,
# which changes a module in every place that mutmut knows, and installs mutmut in the cache folder.
PROOFS ?= verdict_sweep verdict_level verdict_power comparison_level interval_coverage group_coverage dmc_estimators \
	metadpy_agreement recovery delta_coverage self_knowledge self_knowledge_frontier \
	servajean_chains promised_threshold reference_sizes surface_controls endpoint_faults self_knowledge_sizes \
	cell_coverage cross_prediction crossing_bound suspected_keys self_knowledge_placebo people_and_models people_means \
	whom_to_ask \
	claims_simulated which_measure people_by_scipy meta_noise rating_rivals hierarchical_people misfit_of_people vllm_server supply_chain fuzz faults sbc openings
OPTIONS_verdict_sweep := --resume
OPTIONS_sbc := --resume
OPTIONS_comparison_level := --out data/simulations/comparison_level.csv --runs 1200
OPTIONS_delta_coverage := --simulations 10000
OPTIONS_self_knowledge := --out data/simulations/self_knowledge.csv
OPTIONS_self_knowledge_sizes := --out data/simulations/self_knowledge_sizes.csv
OPTIONS_self_knowledge_frontier := --out data/simulations/self_knowledge_frontier.csv
OPTIONS_cross_prediction := --out data/simulations/cross_prediction.csv
OPTIONS_crossing_bound := --out data/simulations/crossing_bound.csv
OPTIONS_suspected_keys := --out data/simulations/suspected_keys.csv
OPTIONS_self_knowledge_placebo := --out data/simulations/self_knowledge_placebo.csv
OPTIONS_whom_to_ask := --out data/simulations/whom_to_ask.csv
OPTIONS_people_and_models := --out data/simulations/people_and_models.csv
OPTIONS_claims_simulated := --out data/simulations/claims_simulated.csv
OPTIONS_interval_coverage := --simulations 800 --draws 400

validate: $(DEV)
	@echo "running $(words $(PROOFS)) simulations: about 5 hours on 2 cores for all of them, at most 40 minutes for verdict_sweep"
	@$(foreach proof,$(PROOFS),echo "$(proof), started $$(date +%H:%M)" \
	  && $(BIN)/python benchmarks/$(proof).py $(OPTIONS_$(proof)) &&) true
	@METACOG_BUILD_SERVER=1 $(BIN)/python -m pytest -q tests/benchmarks tests/engines/test_endpoint.py
	@$(BIN)/python -m pytest -q $(SHARED) -m proof --ignore tests/benchmarks

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "Python 3.11, 3.12 or 3.13 is needed, this is " + sys.version.split()[0] + "; name another with make PYTHON=python3.12")'
	@rm -f $@
	@PYTHONPATH=src $(PYTHON) -m metacog.install --venv $(VENV) $(INSTALL_OPTIONS)
	@touch $@

dev: $(DEV)

lab: $(LAB)
	@$(BIN)/jupyter lab $(NOTEBOOK)

$(DEV): FOR := tests and clusters need
$(LAB): FOR := JupyterLab needs
$(DEV) $(LAB): $(VENV)/.installed-%: requirements-%.lock $(STAMP)
	@echo "installing what $(FOR), up to a minute"
	@$(BIN)/python -m uv pip install --quiet --python $(BIN)/python $(LOCKED) $< 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input $(LOCKED) $<
	@touch $@

# An existing environment is set up again where PORTABLE asks for a build other than the one it has.
INSTALL_OPTIONS := $(if $(VERBOSE),--verbose)
PORTABLE_NOW := $(if $(shell grep -s '"portable": true' $(VENV)/.llama-build.json),1,0)
ifneq ($(PORTABLE),)
ifneq ($(PORTABLE),$(PORTABLE_NOW))
$(STAMP): FORCE
endif
INSTALL_OPTIONS += $(if $(filter 0,$(PORTABLE)),--native,--portable)
endif
FORCE:

lint: $(DEV)
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports

types: $(DEV)
	@$(BIN)/mypy

doctor: $(STAMP)
	@$(BIN)/metacog doctor

# keeps .venv and the collected replies in runs/
clean:
	rm -rf _build _executed _static_generated results .snakemake
