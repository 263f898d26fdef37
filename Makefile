# `make demo` and `make test` need only Python (3.11 or later) and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# asserts stay as they are, because each process would take 13 s to rewrite them
PYTEST := $(BIN)/python -m pytest -q --assert=plain

# tests start many processes, each of which would compile all modules again
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all test-browser test-portable test-lowest lint types unit compiled wheel stubs book-pages docs benchmark clean

demo: $(VENV)/installed
	$(BIN)/python examples/demo.py

# what has to pass: two at a time, because lint, types, the wheel and the compiled loops use one core each
test: $(VENV)/test-installed
	$(MAKE) --jobs=2 compiled lint types unit wheel

# everything, as users run it: loops compiled where the work asks for it, many random examples, slow pages, the site
test-all: $(VENV)/test-installed
	$(MAKE) lint types wheel docs
	$(PYTEST) -n 2 --dist worksteal --compiled --hypothesis-profile=thorough -m "not browser"

lint: $(VENV)/test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python tests/links.py

types: $(VENV)/test-installed
	$(BIN)/mypy

# what fails runs again, with asserts that say more
AGAIN = { $(BIN)/python -m pytest -q --last-failed --last-failed-no-failures=none $(ONES); exit 1; }

unit: ONES = -m "not compiled and not slow and not browser"
unit: $(VENV)/test-installed
	$(PYTEST) -n 2 --dist worksteal $(ONES) || $(AGAIN)

# one process compiles each loop once, and proves that it gives what the plain one gives
compiled: ONES = -m "compiled and not slow" -o cache_dir=.pytest_cache/compiled tests
compiled: $(VENV)/test-installed
	$(PYTEST) $(ONES) || $(AGAIN)

# the workbench in a browser: one Chromium, with a fresh context for each test
test-browser: $(VENV)/test-installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[browser]"
	$(BIN)/python -m pytest -q -m browser tests/browser

# what people see, as other processors would compute it
test-portable: $(VENV)/test-installed
	$(BIN)/python tests/portable.py

# the oldest versions that pyproject.toml allows, in an environment of their own
test-lowest: $(VENV)/test-installed
	$(BIN)/python tests/lowest.py $(VENV)/lowest

wheel: $(VENV)/test-installed
	$(BIN)/python tests/wheel.py

stubs: $(VENV)/installed
	$(BIN)/python tests/stubs.py

book-pages: $(VENV)/installed
	$(BIN)/python tests/book_pages.py

docs: $(VENV)/test-installed
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --jobs auto --quiet -d build/doctrees docs site

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
	rm -rf $(VENV) build dist site docs/api docs/gallery
