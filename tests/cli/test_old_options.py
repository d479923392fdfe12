"""Options of earlier versions, at the terminal."""

from __future__ import annotations

import subprocess
import sys


def test_a_removed_option_is_one_line_and_the_command_goes_on() -> None:
    code = "from tesuji.cli import main; raise SystemExit(main(['analyse', 'hex:size=3', '--bot', {!r}]))"
    spec = "mcts:iterations=20,trees=2,threads=1"
    done = subprocess.run(
        [sys.executable, "-c", code.format(spec)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("tesuji: mcts no longer has the option trees, which is ignored: ")
