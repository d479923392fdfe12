"""What several benchmarks need: the processor's name and Markdown tables."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from pathlib import Path


def processor() -> str:
    """The processor's name."""
    if (cpu := Path("/proc/cpuinfo")).exists():
        for line in cpu.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """Rows of a Markdown table, without a header."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    return "\n".join([markdown([head]), "|" + "---|" * len(head), markdown(rows)]) + "\n"
