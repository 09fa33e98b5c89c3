# Everything runs in .venv, which is made once; PYTHON names another interpreter (3.11 or newer).
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
RUN := $(VENV)/bin/python
# what `make corpus` fetches is kept in AGENTGATE_CORPUS
AGENTGATE_CORPUS ?= .corpus
OWN_TESTS := $(AGENTGATE_CORPUS)/own-tests.jsonl

.PHONY: setup demo test lint types catalog corpus bench speed clean

setup: $(VENV)/done

$(VENV)/done: pyproject.toml Makefile
	@test -n "$(PYTHON)" || { echo "agentgate needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

demo: setup
	$(RUN) fixtures/demo/story.py

test: setup
	$(RUN) -m pytest

lint: setup
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m agentgate lint agentgate/

types: setup
	$(RUN) -m mypy

# every library of the catalog, against the files that describe it
catalog: setup
	$(RUN) -m pip install --quiet --disable-pip-version-check asyncclick InquirerPy beaupy simple-term-menu survey bullet \
		enquiries stdiomask maskpass getpass4 cleo cement invoke fabric fire future ipython ipdb pudb rich-click \
		google-auth-oauthlib textual
	$(RUN) -m pytest tests/test_catalog.py tests/test_every_prompt.py

corpus: setup
	$(RUN) tests/corpus/fetch.py
	rm -f $(OWN_TESTS)
	$(RUN) tests/corpus/own_tests.py --jsonl $(OWN_TESTS)
	$(RUN) tests/corpus/prove.py --table --own-tests $(OWN_TESTS) --results tests/corpus/RESULTS.md
	$(RUN) tests/corpus/accuracy.py
	$(RUN) tests/corpus/surfaces.py
	$(MAKE) speed

bench: setup
	$(RUN) -m pytest tests/benchmarks -s
	$(MAKE) speed

# the linter as users have it: installed, and not from this folder
speed: setup
	$(PYTHON) -m venv $(VENV)/bench
	$(VENV)/bench/bin/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-cache-dir .
	PATH="$(VENV)/bin:$$PATH" $(RUN) tests/benchmarks/lint_speed.py --python $(VENV)/bench/bin/python

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
