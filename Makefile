# Mbegu. `make play` plays, `make test` tests; `make help` lists the rest.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
CATALOGUES := $(wildcard src/mbegu/locale/*/LC_MESSAGES/*.po)

# What an installation is made from: when none of it is newer than the stamp, there is nothing to do.
WEB := $(shell find web/src web/public web/scripts web/*.* -type f -not -path '*/locale/*.json' 2>/dev/null)
RECIPE := pyproject.toml hatch_build.py src/mbegu/__init__.py $(CATALOGUES) $(WEB)

.DEFAULT_GOAL := help
.PHONY: help play shell lab test bench format catalogues pictures pages docs site wheels bundle executable fresh audit clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.installed  ## Install if needed and play in the browser; ARGS="--lan" goes to `mbegu serve`
	@$(BIN)/mbegu serve $(ARGS)

shell: $(VENV)/.installed  ## Open a shell in which `mbegu` is a command
	@echo "mbegu is a command in this shell; exit leaves it."
	@PATH="$(CURDIR)/$(BIN):$$PATH" exec $${SHELL:-/bin/sh}

lab: $(VENV)/.installed  ## Add what `mbegu lab` needs: tables, statistics and plots (some 500 MB)
	@sh tools/install.sh $(VENV) -e '.[jit,lab]'

test: $(VENV)/.installed-dev  ## Install what the tests need, then run every check
	@$(PY) tools/check.py $(ARGS)

bench: $(VENV)/.installed-dev  ## Measure speed
	@$(PY) -m benchmarks $(ARGS)

format: $(VENV)/.installed-dev  ## Format the code and mend what the linter can mend
	@$(BIN)/ruff check --fix --exit-zero --quiet .
	@$(BIN)/ruff format .

catalogues: $(VENV)/.installed-dev  ## Extract the messages, update and compile the translations
	@$(PY) tools/catalogues.py update

pages: $(VENV)/.installed-dev  ## Copy each game's page.md to docs/games, with the diagrams of its lesson
	@$(PY) tools/pages.py

pictures: $(VENV)/.installed-dev  ## Draw docs/pictures again
	@$(PY) tools/pictures.py
	@$(PY) tools/screenshots.py

docs: $(VENV)/.installed-docs  ## Build the documentation as a site that works from a folder: dist/docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "Open dist/docs/index.html"

site: $(VENV)/.installed-dev  ## Compile the engine and Python for browsers, and build the games as a folder: dist/site
	@$(PY) -m mbegu.engine.ahead --target wasm
	@$(PY) tools/tab.py
	@$(VENV)/bin/mbegu site build dist/site

wheels: $(VENV)/.installed-dev  ## Compile the kernels for every system and build their wheels into dist/
	@$(PY) tools/wheels.py $(ARGS)

bundle: $(VENV)/.installed  ## Gather the wheels for a stick, to install without a network: dist/bundle
	@$(PY) tools/bundle.py $(ARGS)

executable: $(VENV)/.installed-dev  ## Build one file that plays without Python, for this system: dist/mbegu
	@sh tools/install.sh $(VENV) --group executable
	@$(PY) tools/executable.py $(ARGS)

fresh: $(VENV)/.installed-dev  ## Follow the README where there is nothing but Python, git and make (minutes, and the network)
	@$(PY) tools/fresh.py $(ARGS)

audit: $(VENV)/.installed-dev  ## Ask whether the packages that we stand on have known weaknesses
	@$(PY) tools/audit.py

clean:  ## Remove the environment, caches and everything that was built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
	rm -f src/mbegu/locale/*/LC_MESSAGES/*.mo

# ---- installing: with uv where it is present, otherwise with pip ------------------------------------

$(PY):
	@sh tools/venv.sh $(VENV)

$(VENV)/.installed: $(RECIPE) | $(PY)
	@echo "Installing Mbegu into $(VENV) ..."
	@sh tools/install.sh $(VENV) -e '.[jit]'
	@test -e $(VENV)/.installed-dev || rm -rf web/node_modules  # only building the web app needs it
	@touch $@

$(VENV)/.installed-docs: $(RECIPE) | $(PY)
	@echo "Installing what builds the documentation into $(VENV) ..."
	@sh tools/install.sh $(VENV) --group docs
	@touch $@

$(VENV)/.installed-dev: $(RECIPE) | $(PY)
	@echo "Installing Mbegu and the development tools into $(VENV) ..."
	@sh tools/install.sh $(VENV) -e '.[all]' --group dev
	@touch $@ $(VENV)/.installed $(VENV)/.installed-docs
