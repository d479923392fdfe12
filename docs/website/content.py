"""What the site generates: the command line, all options, a recorded game, and the script for diagrams."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import urllib.request
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import tesuji
from docs.make_tables import options_table
from tesuji.registry import bots, first_line, games
from tesuji.scale.executor import executors

ROOT = Path(__file__).resolve().parent.parent.parent
GAME, BOT = "hex:size=7", "mcts:iterations=4000,seed={seed}"
# Material for MkDocs would load it from another server on every visit.
MERMAID = "https://registry.npmjs.org/mermaid/-/mermaid-11.4.1.tgz"
MERMAID_SHA256 = "ec7b61b391aaa24bf666fd20e48d0a626eeb4a95b95bc6b3016a122d7f0bc2af"


def commands() -> str:
    """Every command with its arguments and options, from the command line itself."""
    import typer.main

    from tesuji.cli.app import app

    root: Any = typer.main.get_command(app)
    context = root.make_context("tesuji", [], resilient_parsing=True)
    parts: list[str] = []
    for name in sorted(root.list_commands(context)):
        command = root.get_command(context, name)
        parts += _command(command, f"tesuji {name}", context)
    return "\n".join(parts)


def _command(command: Any, path: str, parent: Any) -> Iterator[str]:
    context = type(parent)(command, info_name=path.rpartition(" ")[2], parent=parent)
    children = getattr(command, "commands", {})
    yield f"## {path}\n" if path.count(" ") == 1 else f"### {path}\n"
    yield f"```text\n{command.get_help(context).strip()}\n```\n"
    for name, child in children.items():
        yield from _command(child, f"{path} {name}", context)


def options() -> str:
    """The options of all games, bots and executors."""
    parts = []
    for kind, registry in (("game", games), ("bot", bots), ("executor", executors)):
        parts.append(f"## {kind.capitalize()}s\n")
        for name in registry.names():
            parts.append(f"### {name}\n\n{first_line(registry.get(name))}\n\n{options_table(kind, name)}")
    return "\n".join(parts)


@cache
def recorded_game() -> list[dict[str, Any]]:
    """A game of two searches, move by move: the same on every build."""
    game = tesuji.game(GAME)
    players = [tesuji.bot(BOT.format(seed=seed), game) for seed in (1, 2)]
    state: Any = tesuji.replay(game, "b3")  # a balanced opening
    steps = [{"move": "b3", "value": None, "svg": state.svg()}]
    while state.scores() is None:
        analysis: Any = players[state.player].analyse(state)
        value = analysis.value if state.player == 0 else 1 - analysis.value
        text = state.text(analysis.move)
        state = state.play(analysis.move)
        steps.append({"move": text, "value": round(float(value), 3), "svg": state.svg()})
    return steps


def game_files() -> dict[str, str]:
    """The pictures of the recorded game."""
    return {f"assets/game/{ply:02}.svg": step["svg"] for ply, step in enumerate(recorded_game())}


def game() -> str:
    """The place of the recorded game on a page; `replay.js` brings it to life."""
    steps = [{key: step[key] for key in ("move", "value")} for step in recorded_game()]
    last = f"assets/game/{len(steps) - 1:02}.svg"
    caption = f"{GAME}, {BOT.partition(',')[0]} against itself, {len(steps)} moves"
    return (
        f"<figure class='replay' data-folder='assets/game' data-steps='{json.dumps(steps)}'>\n"
        f"<img src='{last}' alt='The final position of a game of Hex' width='700' height='460'>\n"
        f"<figcaption>{caption}</figcaption>\n</figure>\n"
    )


def mermaid_script() -> str:
    """The library that draws the diagrams, downloaded once and checked."""
    kept = ROOT / "build" / "mermaid.min.js"
    if not kept.exists():
        with urllib.request.urlopen(MERMAID, timeout=120) as answer:
            archive: bytes = answer.read()
        if hashlib.sha256(archive).hexdigest() != MERMAID_SHA256:
            raise ValueError(f"{MERMAID} is not the file that was expected")
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            script = files.extractfile("package/dist/mermaid.min.js")
            assert script is not None
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(script.read())
    return kept.read_text(encoding="utf-8")


GENERATED: dict[str, Callable[[], str]] = {
    "commands": commands,
    "options": options,
    "game": game,
}
"""What a page may name as `<!-- generated: NAME -->`."""
