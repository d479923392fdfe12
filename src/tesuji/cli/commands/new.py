"""`tesuji new`: write a game to start from, with its tests."""

from __future__ import annotations

import sys
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from typing import Annotated

from tesuji._helpers.atomic_write import write_files
from tesuji.cli.shared.arguments import argument, option
from tesuji.cli.shared.errors import BadInput, input_errors
from tesuji.cli.shared.output import make_folder
from tesuji.registry import games
from tesuji.spec import check_name


def new(
    name: Annotated[str, argument("NAME", "Name of the game, such as mygame.")],
    folder: Annotated[Path, option("FOLDER", "Where to write it.")] = Path("."),
) -> None:
    """Write a game to start from, with tests.

    The game is complete: it can be checked, played and measured at once. Replace its rules with yours.
    """
    with input_errors():
        check_name(name)
    if games.knows(name):
        raise BadInput(f"there is a game {name!r} already; choose another name")
    module = name.replace("-", "_")
    if iskeyword(module) or module in (*sys.stdlib_module_names, "tesuji"):
        raise BadInput(f"{module}.py would hide a module or a word of Python; choose another name")
    words = {
        "@SPEC@": name,
        "@MODULE@": module,
        "@FILE@": f"{module}.py",
        "@CLASS@": "".join(word.capitalize() for word in module.split("_")),
        "@TITLE@": module.replace("_", " ").capitalize(),
    }
    paths = {folder / f"{module}.py": "new_game.txt", folder / f"test_{module}.py": "new_test.txt"}
    for path in paths:
        if path.exists():
            raise BadInput(f"{path} exists already; choose another name or --folder")
    texts = {
        path: (files("tesuji.cli.commands") / template).read_text("utf-8") for path, template in paths.items()
    }
    for mark, word in words.items():
        texts = {path: text.replace(mark, word) for path, text in texts.items()}
    make_folder(folder)
    write_files(texts)
    game, test = paths
    print(f"Wrote {game} and {test}. Next:")
    for command in (f"check {name}", f"play {name}", "serve --open"):
        print(f"  tesuji {command} --load {game}")
