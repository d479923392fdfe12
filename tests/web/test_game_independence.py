"""The web server and the page know no game by name: games describe themselves."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import tesuji.web
from tesuji.any_game import game

WEB = Path(tesuji.web.__file__).parent
NAMES = ("hex", "gomoku", "onitama", "gofish")
TITLES = [str(getattr(game(name), "title")) for name in NAMES]  # noqa: B009
FORBIDDEN = re.compile(rf"\b({'|'.join([*NAMES, *TITLES])})\b", re.IGNORECASE)
RENDERERS = {path for name in NAMES for path in (WEB / "static" / "boards").glob(f"{name}*.js")}


def python_code(text: str) -> str:
    """The code without comments and docstrings, whose examples may name games."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not _is_string(one)]  # type: ignore[attr-defined]
    return ast.unparse(tree)


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def javascript_code(text: str) -> str:
    return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("path", sorted(WEB.glob("*.py")), ids=lambda path: path.name)
def test_no_python_module_names_a_game(path: Path) -> None:
    assert FORBIDDEN.findall(python_code(path.read_text())) == []


@pytest.mark.parametrize("path", sorted({*WEB.rglob("*.js")} - RENDERERS), ids=lambda path: path.name)
def test_no_javascript_module_names_a_game(path: Path) -> None:
    assert FORBIDDEN.findall(javascript_code(path.read_text())) == []


def test_every_game_with_a_board_view_has_a_renderer() -> None:
    for name in NAMES:
        preview: Any = game(name).preview
        kind = preview.board_view(0)["kind"]
        assert "export const renderer" in (WEB / "static" / "boards" / f"{kind}.js").read_text()
