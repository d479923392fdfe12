"""Runs the commands whose output the documentation shows as a sample: `python docs/make_samples.py`.

A sample is a block "```console sample" of one command. Its output is replaced by the new one. A sample that
shows none stays without, but is run as well: what it writes may be needed below.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = re.compile(r"^(```console sample\n\$ (tesuji [^\n]*)\n)((?:(?!\$ )[^`]+)?)(```)$", re.MULTILINE)
RUN_TESUJI = "import sys; from tesuji.cli import main; sys.exit(main())"
WIDTH = "100"


def run_command(command: str) -> subprocess.CompletedProcess[str]:
    """A command as at a terminal of a known width, with nobody to type."""
    return subprocess.run(
        [sys.executable, "-c", RUN_TESUJI, *shlex.split(command)[1:]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": WIDTH, "NO_COLOR": "1"},
        timeout=600,  # only a command that hangs reaches it
    )


def main() -> None:
    """Write every sample. Each page has a folder of its own to work in, with the examples."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "examples", f"{folder}/examples")
            os.chdir(folder)
            page = path.read_text(encoding="utf-8")
            path.write_text(SAMPLE.sub(_renew, page), encoding="utf-8")
            os.chdir(ROOT)


def _renew(sample: re.Match[str]) -> str:
    done = run_command(sample[2])
    if not sample[3]:
        return sample[0]
    if done.returncode:
        sys.exit(f"{sample[2]}\n{done.stdout}")
    lines = [line.rstrip() for line in done.stdout.strip("\n").splitlines()]
    return sample[1] + "\n".join(lines) + "\n" + sample[4]


if __name__ == "__main__":
    main()
