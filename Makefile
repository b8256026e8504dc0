# The two commands: `make run` and `make test`. Each does everything it needs first, on a machine with git, make and python3.

PYTHON ?= python3
VENV   := .venv/bin
# A build machine has no screen; a test that wants a real one starts its own Xvfb.
OFFSCREEN := QT_QPA_PLATFORM=offscreen

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help run test setup setup-dev bake i18n icons views thumbnails fit accuracy lint unused coverage bench torture smoke-frozen fuzz soak test-foreign package package-linux package-windows lock clean

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):[^#]*## /  make \1\t/' | expand -t 22

run: setup bake ## open the program on the case study (without a display: check, predict and draw it headless)
	@$(VENV)/python scripts/run.py

test: setup-dev bake lint ## lint, types, import contract, test suite
	$(OFFSCREEN) $(VENV)/python scripts/run_tests.py $(PYTEST_ARGS)

setup: ## virtual environment and system packages for `make run`
	@$(PYTHON) scripts/setup.py

setup-dev: ## the same with what the tests need
	@$(PYTHON) scripts/setup.py --dev

# Only when something it is made from is newer. The folders are listed so that a deleted file counts too; baking writes
# into one of them, hence the touch afterwards.
CATALOG := resources/catalog/catalog.json
CATALOG_SOURCES := $(shell find resources/catalog -type d -o -name '*.yaml') \
	$(wildcard desktop/fabricwright/catalog/*.py desktop/fabricwright/units/*.py)

$(CATALOG): $(CATALOG_SOURCES)
	@$(VENV)/python -m fabricwright.catalog.bake
	@touch $@

TEXTS := $(patsubst %.ts,%.qm,$(wildcard resources/i18n/*.ts))

$(TEXTS): %.qm: %.ts
	@$(VENV)/python scripts/i18n.py --compile

bake: $(CATALOG) $(TEXTS) ## the catalogue from YAML to the one file the program loads; the window's texts compiled
	@:

i18n: setup-dev ## collect texts from the source into resources/i18n and list what is untranslated
	$(VENV)/python scripts/i18n.py

icons: setup-dev ## draw resources/icons anew (committed, so only after a change to the script)
	$(OFFSCREEN) $(VENV)/python scripts/bake_icons.py

views: setup-dev bake ## draw every view (light/dark, en/zh, 100 %/200 %), check what is written on it; a part goes to docs/screenshots
	$(VENV)/python scripts/screenshots.py $(VIEWS_ARGS)

thumbnails: setup-dev bake ## paint the templates' pictures anew (committed, so only after a change to templates or canvas)
	$(OFFSCREEN) $(VENV)/python scripts/bake_thumbnails.py

fit: setup-dev ## fit the constants of collectives and of the training step on tests/data, check them site by site
	$(VENV)/python scripts/fit_calibration.py
	$(VENV)/python scripts/fit_training.py

accuracy: setup-dev ## the fit's figures: docs/accuracy.md with its plots, and the pages about the upgrade case
	$(VENV)/python scripts/accuracy_page.py
	$(VENV)/python scripts/seed_b_page.py

lint: setup-dev ## ruff, mypy, import contract
	$(VENV)/ruff check
	$(VENV)/mypy
	$(VENV)/lint-imports

unused: setup-dev ## names that nothing reads, dependencies that nothing imports
	$(VENV)/vulture
	$(VENV)/deptry .

# The files that decide verdicts and figures. Their goal is every line; what is left is listed by the target.
DECIDING := */fabricwright/rules/*,*/fabricwright/topology/*,*/fabricwright/performance/*,*/fabricwright/sizing/*,*/fabricwright/units/*
MEASURED_TESTS := $(filter-out tests/ui/ tests/e2e/ tests/bench/ tests/data/ tests/__pycache__/,$(wildcard tests/*/)) $(wildcard tests/test_*.py)

coverage: setup-dev bake ## lines that the tests below the window run: at least 90 % of all, all where verdicts and figures are decided
	@rm -rf build/coverage && mkdir -p build/coverage
	$(OFFSCREEN) $(VENV)/coverage run -m pytest -q $(MEASURED_TESTS) --deselect tests/cli/test_sweep.py::test_ctrl_c_keeps_finished_rows_and_leaves_no_process $(PYTEST_ARGS)
	$(VENV)/coverage combine -q
	$(VENV)/coverage report --fail-under=90
	$(VENV)/coverage report --include='$(DECIDING)' --fail-under=100

bench: setup-dev bake ## measure: analysis per edit, big fabrics, frame times, start
	$(OFFSCREEN) $(VENV)/python -m pytest tests/bench -m bench -q -s $(PYTEST_ARGS)

torture: setup-dev bake ## kill the program 200 times while it edits, saves and exports; nothing acknowledged may be missing
	$(OFFSCREEN) $(VENV)/python scripts/torture.py $(TORTURE_ARGS)

smoke-frozen: setup-dev bake ## PyInstaller folder build and its self-test
	$(VENV)/python scripts/smoke_frozen.py

N ?= 100000
MINUTES ?= 60

fuzz: setup-dev bake ## mutated files through every reader (N=100000)
	$(OFFSCREEN) $(VENV)/python scripts/fuzz_readers.py --inputs $(N)

soak: setup-dev bake ## scripted editing for MINUTES=60, the worker killed again and again; memory must stay flat
	$(OFFSCREEN) $(VENV)/python scripts/soak.py --minutes $(MINUTES)

test-foreign: setup-dev bake ## exports opened by other programs (LibreOffice, rsvg-convert, pdftotext, ...)
	$(OFFSCREEN) $(VENV)/python -m pytest -m foreign $(PYTEST_ARGS)

package: setup-dev bake ## build all installers, install them in clean systems and try them (root, about half an hour)
	$(VENV)/python packaging/package.py $(PACKAGE_ARGS)

package-linux: setup-dev bake ## the same for Linux alone: .deb and .run
	$(VENV)/python packaging/package.py linux $(PACKAGE_ARGS)

package-windows: setup-dev bake ## the same for Windows alone: setup and portable zip
	$(VENV)/python packaging/package.py windows $(PACKAGE_ARGS)

lock: setup-dev ## resolve the two lock files anew (needs uv, fetched into build/)
	$(VENV)/python scripts/lock.py

clean: ## remove what was built; the environment stays
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
