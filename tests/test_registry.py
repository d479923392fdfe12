"""The open registry of games and bots."""

from __future__ import annotations

import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tesuji.options import OptionError, Options, option
from tesuji.registry import Registry, bots, games, register_bot, register_game, spec_of
from tesuji.spec import Spec

if TYPE_CHECKING:
    from tesuji.any_game import Game


@register_game("registry-test")
@dataclass(frozen=True, kw_only=True)
class Sized(Options):
    """A game with one option."""

    size: int = option(3, "cells along each side", minimum=1)


@register_bot("registry-plain")
class PlainBot:
    """A bot as a user may write it; Game is imported for typing alone."""

    def __init__(self, game: Game, depth: int = 1) -> None:
        self.game, self.depth = game, depth


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Options):
    """Options of a bot, apart from it."""

    iterations: int = option(100, "simulations for each move", minimum=1)


@register_bot("registry-search")
class SearchBot:
    """A bot with an options class."""

    Options = SearchOptions

    def __init__(self, game: object, **options: Any) -> None:
        self.game, self.options = game, SearchOptions(**options)


def test_a_game_is_made_from_its_spec_and_gives_it_back() -> None:
    game = games.make("registry-test:size=5")
    assert game == Sized(size=5) == games.make(Spec("registry-test", {"size": "5"}))
    assert spec_of(game) == "registry-test:size=5"
    assert spec_of(Sized()) == "registry-test"


def test_a_bot_is_made_for_a_game_by_its_signature_or_by_its_options_class() -> None:
    game = Sized()
    plain = bots.make("registry-plain:depth=3", game)
    search = bots.make("registry-search:iterations=1e3", game)
    assert (plain.game, plain.depth, search.game, search.options.iterations) == (game, 3, game, 1000)
    assert [spec_of(plain), spec_of(search)] == ["registry-plain:depth=3", "registry-search:iterations=1000"]


def test_the_options_of_a_name_are_described() -> None:
    assert [info.name for info in bots.describe("registry-plain")] == ["depth"]
    assert [info.name for info in bots.describe("registry-search")] == ["iterations"]
    assert [info.kind for info in games.describe("registry-test")] == ["int ≥ 1"]


def test_an_unknown_name_lists_the_known_and_suggests_the_nearest() -> None:
    registry = Registry("bot", "tesuji.no_such_group")
    for name in ("random", "mcts"):
        registry.register(name)(type(name, (), {}))
    with pytest.raises(ValueError, match=r"'mtcs'.*'mcts'\?.*random, mcts"):
        registry.get("mtcs")
    with pytest.raises(ValueError, match=r"'zebra' .*random, mcts"):
        registry.get("zebra")


@pytest.mark.parametrize("registry", [games, bots], ids=["games", "bots"])
def test_every_name_in_capitals_is_suggested_in_its_own_case(registry: Registry) -> None:
    for name in registry.names():
        for written in (name.upper(), name.capitalize()):
            with pytest.raises(
                ValueError, match=rf"unknown {registry.kind} '{written}'; did you mean '{name}'\?"
            ):
                registry.make(written)
        for info in registry.describe(name):
            with pytest.raises(ValueError, match=rf"did you mean '{info.name}'\?"):
                registry.make(f"{name}:{info.name.upper()}=1", *([Sized()] if registry is bots else []))


def test_an_unknown_option_names_the_thing() -> None:
    with pytest.raises(OptionError, match=r"unknown option 'sise' for registry-test; did you mean 'size'\?"):
        games.make("registry-test:sise=5")
    with pytest.raises(OptionError, match="unknown option 'game' for registry-plain"):
        bots.make("registry-plain:game=hex", Sized())


def test_a_name_belongs_to_one_class() -> None:
    with pytest.raises(ValueError, match="'registry-test' .*Sized"):
        register_game("registry-test")(PlainBot)
    with pytest.raises(ValueError, match="not 'Registry Test'"):
        register_game("Registry Test")(PlainBot)


def test_running_a_cell_again_replaces_the_class() -> None:
    registry = Registry("game", "tesuji.no_such_group")
    versions = [type("Mine", (), {"version": version}) for version in (1, 2)]
    for version in versions:
        registry.register("mine")(version)
    assert registry.get("mine") is versions[1]


def test_a_built_in_is_imported_on_first_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lazy_game.py").write_text("class Lazy:\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry("game", "tesuji.no_such_group")
    registry.register_lazily("lazy", "lazy_game:Lazy")
    assert registry.names() == ["lazy"]
    assert "lazy_game" not in sys.modules
    import lazy_game  # type: ignore[import-not-found]

    assert registry.name_of(lazy_game.Lazy) == "lazy"
    assert registry.register("lazy")(lazy_game.Lazy) is registry.get("lazy")


def test_an_object_of_an_unregistered_class_has_no_spec() -> None:
    with pytest.raises(ValueError, match="object has no spec"):
        spec_of(object())


def test_other_packages_bring_games_and_a_broken_one_is_left_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other_package.py").write_text("class Nim:\n    pass\n")
    metadata = tmp_path / "other_package-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other-package\nVersion: 1.0\n")
    entries = """
        [tesuji.test_games]
        broken = other_package:Missing
        nim = other_package:Nim
    """
    (metadata / "entry_points.txt").write_text(textwrap.dedent(entries))
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry("game", "tesuji.test_games")
    with pytest.warns(RuntimeWarning, match=r"entry point 'broken = other_package:Missing'"):
        assert type(registry.make("nim")).__name__ == "Nim"
    assert registry.names() == ["nim"]
