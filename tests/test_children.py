"""No process that a test starts outlives it, and Ctrl-C reaches it however the tests were started."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests import children

TESTS = Path(__file__).parent
PATIENCE = 300.0  # seconds; nothing is measured by it
OWN_CLEANUP = {
    "children.py",
    "web/server_process.py",  # a server may serve many tests; it is a context manager
    "scale/test_processes.py",  # a task that starts a process, which its worker must end
}


def test_processes_left_by_a_test_are_killed_with_their_group() -> None:
    code = "import subprocess, sys; print(subprocess.Popen(['sleep', '600']).pid, flush=True); input()"
    process = children.start(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    ended = children.start([sys.executable, "-c", ""])
    ended.wait(PATIENCE)
    assert process.stdout is not None
    assert process.stdout.readline().strip().isdigit()
    children.kill_all()
    assert (process.returncode, ended.returncode) == (-9, 0)


@pytest.mark.skipif(not Path("/bin/bash").exists(), reason="needs a shell that ignores Ctrl-C")
def test_ctrl_c_tests_pass_where_sigint_is_ignored() -> None:
    chosen = f"{TESTS / 'cli' / 'test_perft.py'}::test_ctrl_c_ends_a_long_count"
    inner = f"exec '{sys.executable}' -m pytest -q -p no:cacheprovider -n 0 '{chosen}'"
    process = children.start(
        ["/bin/bash", "-c", f"trap '' INT; {inner}"],
        cwd=TESTS.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    output, _ = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "1 passed" in output) == (0, True), output


def test_only_listed_files_start_processes_without_the_helpers() -> None:
    found = {
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("subprocess.Popen", "Popen")
    }
    assert found == OWN_CLEANUP
