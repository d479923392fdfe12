# Everything from nothing: needs python3 (3.11 or newer), make and a C++ compiler; the rest comes from PyPI.
#   make play PORT=8080      make terminal GAME=hex:size=7      make test ARGS="-k hex"      make play NATIVE=ON PYTHON=python3.13

PYTHON ?= python3
VENV ?= .venv
GAME ?= hex
PORT ?= 8000
# One more than there are cores: some tests wait for other processes.
CORES := $(shell getconf _NPROCESSORS_ONLN)
JOBS ?= $(shell echo $$(($(CORES) + 1)))
BASE ?= main
ARGS ?=
WERROR ?= OFF
NATIVE ?= OFF

BIN := $(VENV)/bin
CORE := $(shell find src/core -name '*.hpp' -o -name '*.cpp' 2>/dev/null)
BUILD_INPUTS := $(CORE) CMakeLists.txt pyproject.toml constraints.txt

# Run by any environment's python: the requirements of the named extras, one a line.
EXTRAS := import sys, tomllib; \
	extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; \
	print(*(line for name in sys.argv[1:] for line in extras[name]), sep="\n")

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play terminal test test-fast lint format bench docs docs-serve wheel sanitize sanitize-address sanitize-thread clean tidy

help:  ## Show what there is
	@awk '/^[a-z-]+:.*  ## / {name = $$1; sub(":", "", name); sub(".*  ## ", ""); printf "make %-10s %s\n", name, $$0}' Makefile

play: $(VENV)/.built  ## Open the board in the browser (PORT=8080 where 8000 is taken)
	@$(BIN)/tesuji serve --open --port $(PORT)

terminal: $(VENV)/.built  ## Play Hex at the terminal (GAME=hex:size=7 for another board)
	@$(BIN)/tesuji play $(GAME)

test: lint  ## Lint, types and all tests (ARGS="-k hex" for some of them)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

test-fast: $(VENV)/.built $(VENV)/.tools  ## Lint, and the tests of what has changed since BASE (main)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $$($(BIN)/python .ci/changed.py $(BASE)) $(ARGS)

lint: $(VENV)/.built $(VENV)/.tools  ## Check style and types, Python and C++
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run -Werror $(CORE) tests/core/*.cpp

format: $(VENV)/.tools  ## Put Python and C++ into the project's style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CORE) tests/core/*.cpp

bench: $(VENV)/.built $(VENV)/.bench  ## Speed and memory side by side with other packages
	$(BIN)/python benchmarks/peers.py $(ARGS)

docs: $(VENV)/.docs  ## Build the documentation site into build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "The site is in build/site."

docs-serve: $(VENV)/.docs  ## Show the documentation site while you write
	$(BIN)/mkdocs serve

# Not in the environment: a wheel is built, installed and tried in empty ones.
PYTHONS ?= python3.11 python3.12 python3.13 python3.14 python3.15
wheel:  ## Build wheels and try them on every Python found (PYTHONS="python3.12 python3.13")
	$(PYTHON) .ci/wheel.py dist $(PYTHONS)

tidy: $(VENV)/.tidied  ## Check C++ with clang-tidy

sanitize: sanitize-address sanitize-thread  ## All tests with memory checks, the threaded ones with race checks

# Setting up: one stamp per step, so that what is up to date costs nothing.

define CHECK_MACHINE
import sys, sysconfig, os, shutil
ok = sys.version_info >= (3, 11) or sys.exit("Tesuji needs Python 3.11 or newer, and this is %d.%d; try: make PYTHON=python3.12" % sys.version_info[:2])
try:
    import ensurepip, venv
except ImportError:
    sys.exit("this Python has no venv module; on Debian and Ubuntu: apt install python3-venv")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    sys.exit("this Python has no C headers; on Debian and Ubuntu: apt install python3-dev")
if not any(map(shutil.which, [os.environ.get("CXX") or "c++", "g++", "clang++"])):
    sys.exit("no C++ compiler found; on Debian and Ubuntu: apt install g++")
endef
export CHECK_MACHINE

# $(call create,environment): a virtual environment that can build the package.
define create
	@$(PYTHON) -c "$$CHECK_MACHINE"
	@echo "Setting up $(1) …"
	@$(PYTHON) -m venv $(1)
	@$(call pip,$(1)) scikit-build-core nanobind hatch-fancy-pypi-readme cmake ninja
	@touch $@
endef

# $(call pip,environment): install the versions that are tested; shows progress, and the output if that fails.
pip = $(1)/bin/python .ci/progress.py $(1)/bin/python -m pip -v --disable-pip-version-check install -c constraints.txt

# $(call install,environment,build folder,cmake settings): the package itself, editable.
install = $(call pip,$(1)) --no-build-isolation --config-settings=build-dir=$(2) \
	$(addprefix --config-settings=cmake.define.,$(3)) -e '.[all]'

# $(call extras,environment,names): the requirements of extras, without building the package again.
extras = $(1)/bin/python -c '$(EXTRAS)' $(2) | $(call pip,$(1)) -r /dev/stdin

$(VENV)/.created: constraints.txt
	$(call create,$(VENV))

# Touched only when a setting differs from the last build's.
SETTINGS := TESUJI_WERROR=$(WERROR) TESUJI_NATIVE=$(NATIVE)
$(VENV)/.settings: $(VENV)/.created FORCE
	@echo "$(SETTINGS)" | cmp -s - $@ || echo "$(SETTINGS)" > $@
FORCE:

# Seconds of one core that a build from nothing takes (with gcc 12), and what that is on this machine.
BUILD_SECONDS := 182
BUILD_MINUTES := $(shell echo $$((($(BUILD_SECONDS) / $(CORES) + 59) / 60)))

# The type stubs of the compiled module go beside the Python sources, where mypy and editors look.
$(VENV)/.built: $(VENV)/.created $(VENV)/.settings $(BUILD_INPUTS)
	@echo "Building tesuji (up to $(BUILD_MINUTES) min with $(CORES) cores) …"
	@$(BIN)/python -m pip -qq uninstall -y tesuji  # what the package was called before it was tesuji-ai
	@$(call install,$(VENV),build/{wheel_tag},$(SETTINGS))
	@cp $(VENV)/lib/python3*/site-packages/tesuji/_core.pyi src/tesuji/_core.pyi
	@touch $@

$(VENV)/.tools: $(VENV)/.created pyproject.toml
	@echo "Installing the tools for tests and lint …"
	@$(call extras,$(VENV),test train lint)
	@touch $@

$(VENV)/.docs: $(VENV)/.built
	@echo "Installing the tools for the documentation …"
	@$(call extras,$(VENV),docs)
	@touch $@

$(VENV)/.bench: $(VENV)/.created pyproject.toml
	@echo "Installing the packages to compare with …"
	@$(call extras,$(VENV),bench)
	@touch $@

# clang-tidy compiles each file by itself; what it checks is in .clang-tidy.
TIDY_FLAGS = -std=c++20 -Isrc/core -isystem $(shell $(BIN)/python -m nanobind --include_dir) \
	-isystem $(shell $(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')

$(VENV)/.tidied: $(VENV)/.tools $(CORE) .clang-tidy src/core/bindings/.clang-tidy
	@echo "Checking C++ with clang-tidy …"
	@printf '%s\n' $(filter %.cpp,$(CORE)) | xargs -P $(JOBS) -I{} $(BIN)/clang-tidy --quiet {} -- $(TIDY_FLAGS)
	@touch $@

# Sanitizers: Python itself is not instrumented, so the runtime has to be loaded before it. libstdc++ comes
# along because the runtime looks for the C++ exception machinery at start.

CXX_FILE = $(shell $(CXX) -print-file-name=$(1))
ADDRESS := .venv-sanitize-address
THREAD := .venv-sanitize-thread
ADDRESS_SETTINGS := TESUJI_SANITIZE=address,undefined

# Python's own allocations at exit look like leaks.
ADDRESS_ENV = LD_PRELOAD="$(call CXX_FILE,libasan.so) $(call CXX_FILE,libstdc++.so)" PYTHONMALLOC=malloc \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# A race in our code is seen in our code; what an uninstrumented library does is not ours to judge.
THREAD_ENV = LD_PRELOAD="$(call CXX_FILE,libtsan.so) $(call CXX_FILE,libstdc++.so)" \
	TSAN_OPTIONS=halt_on_error=1:report_signal_unsafe=0:suppressions=$(CURDIR)/.ci/tsan-suppressions.txt

# The thread sanitizer needs the usual memory layout; newer kernels randomise more than it expects.
FIXED_LAYOUT := $(shell setarch -R true 2>/dev/null && echo setarch -R)

# Captured at Python's level only, so that a sanitizer's report reaches the terminal.
sanitize-address: $(ADDRESS)/.built
	$(ADDRESS_ENV) $(ADDRESS)/bin/python -m pytest -n $(JOBS) --capture=sys $(ARGS)

sanitize-thread: $(THREAD)/.built
	$(THREAD_ENV) $(FIXED_LAYOUT) $(THREAD)/bin/python -m pytest --capture=sys -m threads tests $(ARGS)

$(ADDRESS)/.created: constraints.txt pyproject.toml
	$(call create,$(ADDRESS))
	@$(call extras,$(ADDRESS),test train)

$(THREAD)/.created: constraints.txt pyproject.toml
	$(call create,$(THREAD))
	@$(call extras,$(THREAD),test train)

$(ADDRESS)/.built: $(ADDRESS)/.created $(BUILD_INPUTS)
	@echo "Building tesuji with the address and undefined-behaviour sanitizers …"
	@$(ADDRESS_ENV) $(call install,$(ADDRESS),build/sanitize-address,$(ADDRESS_SETTINGS))
	@touch $@

$(THREAD)/.built: $(THREAD)/.created $(BUILD_INPUTS)
	@echo "Building tesuji with the thread sanitizer …"
	@$(THREAD_ENV) $(FIXED_LAYOUT) $(call install,$(THREAD),build/sanitize-thread,TESUJI_SANITIZE=thread)
	@touch $@

clean:  ## Remove all that make has made, the environments too
	rm -rf build dist .venv .venv-sanitize-* .pytest_cache .mypy_cache .ruff_cache .hypothesis src/tesuji/_core.pyi
	find src tests examples benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +
