"""Bad input: every command answers with one line on standard error and nothing on standard output."""

from __future__ import annotations

import re


def check_error(out: str, err: str, says: str) -> None:
    """`says` is part of the message; " … " in it stands for any text."""
    assert out == ""
    assert err.startswith("tesuji: ")
    assert err.count("\n") == 1
    assert re.search(".*".join(map(re.escape, says.split(" … "))), err), err
