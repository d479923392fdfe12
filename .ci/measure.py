"""What an environment with only tesuji costs: `python .ci/measure.py 80 12` fails above 80 MB or 12 packages.

Counts what pip installed, without pip itself. The import is measured in processor time, beside an empty
program.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from importlib.metadata import distributions

IGNORED = {"pip", "setuptools", "wheel"}
REPEATS = 9


def processor_time(code: str) -> float:
    """Seconds of processor time that a Python with this program takes, the median of several."""

    def once() -> float:
        before = os.times()
        subprocess.run([sys.executable, "-c", code], check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    once()  # compiles to bytecode
    return statistics.median(once() for _ in range(REPEATS))


def main(largest: float, most: int) -> int:
    """Print size, packages and the time of the import; 1 if a limit is exceeded."""
    sizes: dict[str, float] = {}
    for package in distributions():
        name = package.metadata["Name"].lower()
        if name not in IGNORED:
            files = (file.locate() for file in package.files or ())
            sizes[name] = sum(os.path.getsize(str(file)) for file in files if os.path.isfile(str(file))) / 1e6
    total = sum(sizes.values())
    heaviest = sorted(sizes.items(), key=lambda item: -item[1])
    print(f"{total:.1f} MB in {len(sizes)} packages:", ", ".join(f"{name} {mb:.1f}" for name, mb in heaviest))
    extra = processor_time("import tesuji") - processor_time("pass")
    print(f"import tesuji: {1000 * extra:.0f} ms of processor time more than python -c pass")
    return 0 if total <= largest and len(sizes) <= most else 1


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2])))
