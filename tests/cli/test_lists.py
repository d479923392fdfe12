"""`tesuji games`, `tesuji bots` and the help, which are generated from the option classes."""

import json
from typing import Any

import pytest

import tesuji
from tests.cli.terminal import run
from tesuji.cli import main
from tesuji.cli.app import EXAMPLES, GROUPS
from tesuji.registry import Registry, bots, games

COMMANDS = [*EXAMPLES, *GROUPS]


@pytest.mark.parametrize(("command", "registry"), [("games", games), ("bots", bots)])
def test_every_option_of_everything_is_listed(
    command: str, registry: Registry, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--all"]) == 0
    shown = capsys.readouterr().out
    words = shown.split()
    for name in registry.names():
        assert name in words
        for option in registry.describe(name):
            assert option.name in words
            assert all(word in words for word in option.doc.split())
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize(("command", "registry"), [("games", games), ("bots", bots)])
def test_the_lists_as_json_hold_the_same(
    command: str, registry: Registry, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--json"]) == 0
    listed: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert [thing["name"] for thing in listed] == registry.names()
    for thing in listed:
        options = [option._asdict() for option in registry.describe(thing["name"])]
        assert thing["options"] == json.loads(json.dumps(options))
        assert "`" not in thing["doc"]


def test_without_all_only_basic_options_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "mcts"]) == 0
    shown = capsys.readouterr().out
    assert "iterations" in shown and "tesuji bots mcts --all" in shown
    assert "expand_after" not in shown and "alphabeta" not in shown


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "mtcs"]) == 2
    assert "did you mean 'mcts'?" in capsys.readouterr().err


def test_a_loaded_game_is_listed_with_its_options(nim: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--load", nim]) == 0
    shown = capsys.readouterr().out
    assert "nim  Who takes the last match wins." in shown
    assert "matches" in shown


def test_a_game_without_options_and_without_a_docstring_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    @tesuji.register_game("bare")
    class Bare:
        pass

    assert main(["games"]) == 0
    assert "bare\n  no options" in "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_shows_an_example_that_is_its_own(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"Example: tesuji {command}" in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("group", GROUPS)
def test_the_help_of_a_group_names_its_commands_in_a_whole_line(
    group: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main([group, "--help"]) == 0
    assert "..." not in capsys.readouterr().out.partition("Commands:")[2]


def test_a_group_registers_its_commands_once_however_often_it_is_called(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from tesuji.cli.commands import records

    for _ in range(3):
        assert main(["records", "--help"]) == 0
        listed = capsys.readouterr().out.partition("Commands:")[2]
        assert [listed.count(f"\n  {name} ") for name, *_ in records.COMMANDS] == [1] * len(records.COMMANDS)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_the_help_names_every_command_in_a_whole_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert all(f"\n  {command} " in shown for command in COMMANDS)
    assert "..." not in shown.partition("Commands:")[2]


def test_the_version_is_the_packages_own() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"tesuji {tesuji.__version__}\n")


def test_a_terminal_without_unicode_is_supported() -> None:
    done = run("bots", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
