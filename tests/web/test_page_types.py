"""The page's types are made from the server's."""

from __future__ import annotations

import runpy
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / ".ci" / "page_types.py"


def test_the_types_of_the_page_are_up_to_date() -> None:
    script = runpy.run_path(str(SCRIPT))
    assert script["TYPES"].read_text(encoding="utf-8") == script["page_types"](), f"run {SCRIPT.name}"
