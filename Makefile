# `make demo` and `make test` need only Python (3.11 or later) and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# tests start many processes, each of which would compile all modules again
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint types unit wheel stubs docs benchmark clean

demo: $(VENV)/installed
	$(BIN)/python examples/demo.py

# two at a time: types, lint and the wheel leave one of two cores idle
test: $(VENV)/test-installed
	$(MAKE) --jobs=2 lint types unit wheel

lint: $(VENV)/test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/test-installed
	$(BIN)/mypy

# asserts stay as they are, because each process would take 13 s to rewrite them; what fails runs again, rewritten
unit: $(VENV)/test-installed
	$(BIN)/python -m pytest -n 2 --dist worksteal -q --assert=plain || \
	{ $(BIN)/python -m pytest -q --last-failed --last-failed-no-failures=none; exit 1; }

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
