# `make demo` and `make test` need only Python (3.11 or later) and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types unit wheel stubs docs benchmark clean

demo: $(VENV)/installed
	$(BIN)/python examples/demo.py

test: $(VENV)/test-installed lint types unit wheel

lint: $(VENV)/test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/test-installed
	$(BIN)/mypy

unit: $(VENV)/test-installed
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

wheel: $(VENV)/test-installed
	$(BIN)/python tests/wheel.py

stubs: $(VENV)/installed
	$(BIN)/python tests/stubs.py

docs: $(VENV)/test-installed
	$(BIN)/mkdocs build --strict

benchmark: $(VENV)/test-installed
	$(BIN)/python -m benchmarks $(ARGS)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/test-installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) build dist site
