"""Files are written whole or not at all, everywhere in the package."""

from __future__ import annotations

import ast
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.small_files import no_file_beyond
from tesuji._helpers.atomic_write import WriteError, replacing, write_atomically, write_files

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "tesuji"
WRITERS = {
    "_helpers/atomic_write.py": "the writer itself",
    "records/foreign_rules.py": "the null device",
    "records/schema.py": "opened to be synced; nothing is written",
}
"""The only files that may open anything for writing."""


METHODS = ("write_text", "write_bytes", "tofile", "savez", "NamedTemporaryFile")


def writes(path: Path) -> Iterator[str]:
    """The calls of a module that write a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
            modes = [
                one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            opens = name in ("open", "fdopen") and any(
                len(mode) < 4 and set(mode) & set("wax+") for mode in modes
            )
            if opens or isinstance(node.func, ast.Attribute) and name in METHODS:
                yield name


def test_only_the_atomic_writer_writes_files() -> None:
    found = {str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py") if any(writes(path))}
    assert found == set(WRITERS)


def test_a_file_that_cannot_be_written_whole_is_named_and_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    write_atomically(path, "old")
    with no_file_beyond(10), pytest.raises(WriteError, match=re.escape(str(path))):
        write_atomically(path, "new " * 5000)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["model.json"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_of_several_files_all_are_written_or_none(place: int, tmp_path: Path) -> None:
    names = ["a", "b", "c"]
    (tmp_path / "b").write_text("old")
    contents = {
        tmp_path / name: name * (10 if number != place else 10_000) for number, name in enumerate(names)
    }
    with no_file_beyond(100), pytest.raises(WriteError, match=f"cannot write {tmp_path / names[place]}: "):
        write_files(contents)
    assert os.listdir(tmp_path) == ["b"] and (tmp_path / "b").read_text() == "old"
    write_files(contents)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        path.name: text for path, text in contents.items()
    }


def test_a_failure_between_two_pieces_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), replacing(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == ["table"] and path.read_text() == "old"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("old")
    (tmp_path / "link").symlink_to("there")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "there").read_text() == "new"


def test_a_pipe_and_a_device_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_atomically(pipe, "text")
    reader.join()
    write_atomically(Path(os.devnull), "text")
    assert read == ["text"] and os.listdir(tmp_path) == ["pipe"]


def test_a_directory_and_a_missing_directory_are_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "file"):
        with pytest.raises(WriteError, match=f"^cannot write {path}: "):
            write_atomically(path, "text")
    assert os.listdir(tmp_path) == []
