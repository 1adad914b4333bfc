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

.DEFAULT_GOAL := help
.PHONY: help demo test lint format types check clean

help:
	@echo 'make demo    install md-mcp into $(VENV) and edit a sample document over MCP'
	@echo '             FILE=… SECTION=… previews an edit of your own file instead'
	@echo 'make test    install the development tools and run all tests (ARGS=… for pytest)'
	@echo 'make lint    ruff: rules and formatting'
	@echo 'make format  let ruff mend both'
	@echo 'make types   mypy'
	@echo 'make check   all that CI runs'
	@echo 'make clean   remove $(VENV) and caches'

demo: $(VENV)/.installed
	$(BIN)/python docs/demo/edit_over_mcp.py $(if $(FILE),"$(FILE)" "$(SECTION)")

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(ARGS)

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
