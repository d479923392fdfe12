"""Run an installation, and show how far it is: `python .ci/progress.py pip install -v .`.

On a terminal one line follows ninja's steps, `[12/160] …/playout_search.cpp.o`, and what pip is doing;
elsewhere a line is printed now and then. The output of a command that fails is printed whole.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time

STEP = re.compile(r"\[\d+/\d+\] .*")
OTHER = re.compile(r"(?:Collecting|Downloading|Building|Preparing|Installing) .*")
SECONDS_BETWEEN_LINES = 20.0  # where the output is no terminal


def step_of(line: str) -> str:
    """What a line of output says about progress, without the folder of a file; otherwise nothing."""
    found = STEP.search(line) or OTHER.match(line.strip())
    return re.sub(r"(?<= )\S+/", "", found[0]) if found else ""


def run(command: list[str]) -> int:
    """Run the command; returns its exit code."""
    live, shown = sys.stdout.isatty(), time.monotonic()
    kept: list[str] = []
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            kept.append(line)
            step = step_of(line)
            if step and live:
                print(f"\r\x1b[K{step[: shutil.get_terminal_size().columns - 1]}", end="", flush=True)
            elif step and time.monotonic() - shown > SECONDS_BETWEEN_LINES:
                shown = time.monotonic()
                print(step, flush=True)
        code = process.wait()
    finally:
        if live:
            print("\r\x1b[K", end="", flush=True)
    if code:
        sys.stderr.writelines(kept)
    return code


if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
