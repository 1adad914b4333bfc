# Everything here works on a fresh machine with make and Python 3.11 or newer.
# The environment is made once; a stamp file says that it is up to date.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# make demo FILE=notes.md SECTION="Guide.Install"   previews on your own file
FILE ?=
SECTION ?=
# make test ARGS="-k crlf"
ARGS ?=
# make bench CORPUS=folder   times the heading scan on your own Markdown files
CORPUS ?=
# make fidelity DIR=docs
DIR ?= docs
# make fuzz SECONDS=600
SECONDS ?= 60

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast lint format types check bench fidelity fuzz clean

help:
	@echo 'make demo               install md-mcp into $(VENV), edit a sample over MCP'
	@echo '  FILE=… SECTION=…      preview an edit of your own file instead'
	@echo 'make test               install the development tools, run all tests'
	@echo '  ARGS="-k crlf"        pass arguments to pytest'
	@echo 'make test-fast          leave out races, kills and long fuzz runs'
	@echo 'make lint, make format  ruff: check, or mend, rules and formatting'
	@echo 'make types              mypy'
	@echo 'make check              all that CI runs, from a fresh environment'
	@echo 'make bench              measure the heading scan, the files, the server'
	@echo '  CORPUS=folder         scan the Markdown files of a folder, not made ones'
	@echo 'make fidelity DIR=docs  edit all sections below a folder, in memory only,'
	@echo '                        and check that nothing else changes'
	@echo 'make fuzz SECONDS=600   look for faults with random input, print each seed'
	@echo 'make clean              remove $(VENV) and caches'

demo: $(VENV)/.installed
	$(BIN)/python docs/demo/edit_over_mcp.py $(if $(FILE),"$(FILE)" "$(SECTION)")

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(ARGS)

test-fast: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m "not slow" $(ARGS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.installed-dev
	$(BIN)/mypy

check:
	bash .ci/run

bench: $(VENV)/.installed-bench
	$(BIN)/python -m bench.headings $(CORPUS)
	$(BIN)/python -m bench.edits
	$(BIN)/python -m bench.files
	$(BIN)/python -m bench.search $(CORPUS)
	$(BIN)/python -m bench.reading $(CORPUS)
	$(BIN)/python -m bench.hooks
	$(BIN)/python -m bench.changelogs $(CORPUS)
	$(BIN)/python -m bench.server

fidelity: $(VENV)/.installed-dev
	$(BIN)/python -m bench.fidelity "$(DIR)"

fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m bench.fuzz $(SECONDS)

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  "md-mcp needs Python 3.11 or newer: make PYTHON=python3.13 ...")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev,bench]"
	@touch $@
