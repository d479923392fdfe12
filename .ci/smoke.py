"""Run every command of an installed tesuji once, on small inputs: `python .ci/smoke.py`.

Uses the standard library only, so that it runs in an environment that holds nothing but the package.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

CARDS = "onitama:cards=ox-boar-horse-elephant-crab"
# (arguments, standard input)
COMMANDS: list[tuple[str, str]] = [
    ("--version", ""),
    ("--help", ""),
    ("games", ""),
    ("bots", ""),
    ("check hex:size=3", ""),
    ("play hex:size=3 --bot easy", "b2\nquit\n"),
    ("analyse hex:size=5 --bot mcts:iterations=200,seed=1", ""),
    ("analyse gomoku:size=9 --bot alphabeta:nodes=500", ""),
    ("analyse hex:size=5 --bot zero:visits=8", ""),
    ("explain onitama --seed 7", ""),
    ("match hex:size=3 random mcts:iterations=20 --games 2", ""),
    ("tournament hex:size=3 random mcts:iterations=20 --rounds 1", ""),
    ("ablate hex:size=3 --only rave=off --iterations 20 --games 2", ""),
    ("exam gomoku --bot greedy --positions 2", ""),
    ("records list", ""),
    ("solve hex:size=3", ""),
    (f"tablebase build {CARDS} --men 2 --output two.tb", ""),
    (f"perft {CARDS} 2", ""),
    ("bench hex:size=5 --seconds 0.1", ""),
    ("engine gtp --game hex:size=5 --bot mcts:iterations=50", "genmove black\nquit\n"),
    ("engine gomocup", "START 15\nABOUT\nEND\n"),
    ("models show hex", ""),
    ("learn linear --help", ""),
    ("learn zero --help", ""),
    ("serve --help", ""),
]
INSTALL = 'pip install "tesuji-ai['
EXTRAS = {
    "scipy": "learn linear hex:size=3 --output m.json",
}
"""A command that needs an extra's package, and names the extra in one line where that is missing."""


def run(arguments: str, stdin: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command, started as a module with this Python."""
    command = [sys.executable, "-X", "utf8", "-m", "tesuji", *arguments.split()]
    return subprocess.run(
        command, input=stdin, capture_output=True, encoding="utf-8", cwd=folder, timeout=600
    )


def main() -> int:
    """Run all commands and list those that failed."""
    failed = 0
    print("tesuji-ai", importlib.metadata.version("tesuji-ai"))  # what pip must call it
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for arguments, stdin in COMMANDS:
            done = run(arguments, stdin, folder)
            if done.returncode:
                failed += 1
                print(f"FAILED ({done.returncode}): tesuji {arguments}\n{done.stdout}{done.stderr}")
        for package, arguments in EXTRAS.items():
            if importlib.util.find_spec(package) is None:
                done = run(arguments, "", folder)
                if done.returncode != 2 or INSTALL not in done.stderr or done.stderr.count("\n") != 1:
                    failed += 1
                    print(f"FAILED: tesuji {arguments} without {package}\n{done.stderr}")
    print(f"{sys.version.split()[0]}: {len(COMMANDS) - failed} of {len(COMMANDS)} commands ran")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
