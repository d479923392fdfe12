"""A command imports what it needs: `tesuji --version` and a quick command start fast."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "fastapi",
    "numpy",
    "pydantic",
    "ray",
    "rich",
    "scipy",
    "sqlite3",
    "starlette",
    "tesuji.arena",
    "tesuji.learn",
    "tesuji.records.store",
    "tesuji.search",
    "tesuji.web",
    "torch",
    "uvicorn",
    "websockets",
}


def imported(code: str) -> set[str]:
    """The modules that are there after the code has run in a Python of its own."""
    program = f"import json, sys\n{code}\nprint('\\n' + json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_version_needs_neither_typer_nor_anything_heavy() -> None:
    modules = imported("from tesuji.cli import main; assert main(['--version']) == 0")
    assert not modules & (HEAVY | {"typer", "multiprocessing"})


@pytest.mark.parametrize("command", ["match", "play", "analyse", "serve", "learn", "records"])
def test_the_import_of_a_command_loads_nothing_heavy(command: str) -> None:
    assert not imported(f"import tesuji.cli.commands.{command}") & HEAVY


def test_a_match_imports_neither_the_web_stack_nor_networks(tmp_path: Path) -> None:
    match = ["match", "hex:size=3", "random", "mcts:iterations=5", "--games", "2", "--on", "threads"]
    match += ["--store", str(tmp_path / "games.db"), "--json"]
    modules = imported(f"from tesuji.cli import main; assert main({match}) == 0")
    # Not all of the heavy ones: typer checks arguments with pydantic, and the statistics need numpy.
    assert not modules & {"fastapi", "starlette", "uvicorn", "torch", "ray", "tesuji.web"}


def test_only_the_command_that_is_called_is_imported() -> None:
    modules = imported("from tesuji.cli import main; assert main(['match', '--help']) == 0")
    commands = {name for name in modules if name.startswith("tesuji.cli.commands.")}
    assert commands == {"tesuji.cli.commands.match"}
    assert not modules & {
        "tesuji.cli.commands.serve",
        "tesuji.cli.commands.records",
        "tesuji.cli.commands.learn",
        "tesuji.cli.commands.play",
    }


def test_the_package_imports_games_and_searches_on_first_use() -> None:
    modules = imported("import tesuji; assert tesuji.game('hex:size=3') and 'MCTS' in dir(tesuji)")
    assert not modules & HEAVY
    assert "tesuji.games.hex" in modules
    assert "tesuji.games.gomoku" not in modules


@pytest.mark.parametrize("module", ["tesuji", "tesuji.games"])
def test_an_unknown_attribute_is_an_attribute_error(module: str) -> None:
    with pytest.raises(AttributeError, match="nonesuch"):
        _ = sys.modules[module].nonesuch


def test_every_public_name_can_be_imported() -> None:
    imported(
        "import tesuji\n"
        "for module in (tesuji, tesuji.games):\n"
        "    assert all(getattr(module, name) is not None for name in module.__all__)"
    )
