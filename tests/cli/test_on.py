"""`--on SPEC` at the terminal: where the work of a command runs."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import warnings
from pathlib import Path

import pytest

from tests.arena.marks import NAME, all_gone, marked, needs_proc, new_mark
from tests.cli.terminal import PATIENCE, begin, run
from tests.scale.jobs import gone
from tesuji.cli.shared.errors import one_line_warnings
from tesuji.cli.shared.running import open_executor
from tesuji.scale import ExecutorWarning

MATCH = ("match", "hex:size=4", "mcts:iterations=50", "random", "--games", "8", "--json")
OX = "onitama:cards=ox-boar-horse-elephant-crab"


def facts(output: str) -> dict[str, object]:
    return {key: value for key, value in json.loads(output).items() if key != "seconds_per_move"}


def test_processes_is_short_for_a_spec_and_excludes_on(tmp_path: Path) -> None:
    found = []
    for number, where in enumerate(
        (("--processes", "2"), ("--on", "processes:workers=2"), ("--on", "threads"))
    ):
        done = run(*MATCH, *where, "--store", str(tmp_path / f"{number}.db"))
        assert (done.returncode, done.stderr) == (0, "")
        found.append(facts(done.stdout))
    assert found[0] == found[1] == found[2]
    both = run(*MATCH, "--processes", "2", "--on", "threads", "--store", str(tmp_path / "none.db"))
    assert both.returncode == 2
    assert "--processes 2" in both.stderr and both.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cloud", "unknown executor 'cloud' (threads, processes, ray)"),
        ("processes:workers=none", "workers must be a whole number from 1 to 10000 or off, not 'none'"),
        ("ray:node=3", "unknown option 'node' for ray (address, workers, cpus_per_worker, gpus_per_worker)"),
    ],
)
def test_a_wrong_spec_is_one_line(spec: str, said: str, tmp_path: Path) -> None:
    done = run(*MATCH, "--on", spec, "--store", str(tmp_path / "games.db"))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"tesuji: {said}\n")


@pytest.mark.parametrize("auto", [False, True])
def test_an_unreachable_cluster_is_a_one_line_error(auto: bool, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        where = ("--on", "ray:address=auto" if auto else f'ray:address="{address}"')
        done = run(*MATCH, *where, "--store", str(tmp_path / "games.db"), RAY_ADDRESS=address if auto else "")
    told = " (found by address=auto)" if auto else ""
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tesuji: no Ray cluster at {address}{told}; `ray start --head`")


def test_no_cluster_is_started_unasked(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    store = ("--store", str(tmp_path / "games.db"))
    done = run(*MATCH, "--on", "ray:address=auto", *store, RAY_ADDRESS="local", RAY_TMPDIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tesuji: no Ray cluster; `ray start --head`")


def test_executor_warnings_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with one_line_warnings(), open_executor("threads"):
        for _ in range(2):
            warnings.warn("no node has room", ExecutorWarning, stacklevel=1)
        with pytest.raises(UserWarning, match="another"):
            warnings.warn("another", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == "tesuji: no node has room\n" * 2


def test_a_tablebase_built_elsewhere_is_the_same_file(tmp_path: Path) -> None:
    files = [tmp_path / "here.tb", tmp_path / "there.tb"]
    for file, where in zip(files, ((), ("--on", "processes:workers=1")), strict=True):
        done = run("tablebase", "build", OX, "--men", "2", "--output", str(file), *where)
        assert (done.returncode, done.stderr) == (0, "")
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_linear_value_learned_elsewhere_is_the_same_model(tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    assert run(*MATCH, "--store", store).returncode == 0
    models = []
    for name, where in (("here", ()), ("there", ("--on", "processes:workers=2"))):
        output = tmp_path / f"{name}.json"
        done = run(
            "learn", "linear", "hex:size=4", "--store", store, "--output", str(output), "--folds", "2", *where
        )
        assert (done.returncode, done.stderr) == (0, "")
        models.append(output.read_bytes())
    assert models[0] == models[1]


def on_cluster(address: str, store: Path, *arguments: str) -> subprocess.Popen[str]:
    where = f'ray:address="{address}",workers=2'
    match = ["match", "hex:size=4", *arguments, "--games", "8", "--json", "--on", where]
    return begin(*match, "--store", str(store))


@pytest.mark.slow
def test_a_match_on_a_cluster_prints_the_same_report(one_node: str, tmp_path: Path) -> None:
    process = on_cluster(one_node, tmp_path / "there.db", *MATCH[2:4])
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert facts(output) == facts(run(*MATCH, "--store", str(tmp_path / "here.db")).stdout)


SLEEPER = """
import os, time
from pathlib import Path
import tesuji

@tesuji.register_bot("sleeper")
class Sleeper:
    def __init__(self, game, mark=""):
        self.mark = mark
    def choose(self, state):
        Path(self.mark + ".part").write_text(str(os.getpid()))
        os.replace(self.mark + ".part", self.mark)
        time.sleep(600)
"""


@needs_proc
def test_ctrl_c_ends_a_match_on_a_cluster_and_its_workers(one_node: str, tmp_path: Path) -> None:
    file, mark = tmp_path / "sleeper.py", tmp_path / "mark"
    file.write_text(SLEEPER)
    bot = f'sleeper:mark="{mark}"'
    process = on_cluster(one_node, tmp_path / "games.db", bot, bot, "--load", str(file))
    deadline = time.monotonic() + PATIENCE
    while not mark.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, json.loads(output)["games"]) == (130, 0), errors
    assert gone(int(mark.read_text()))


@needs_proc
@pytest.mark.slow
def test_a_cluster_of_this_machine_ends_with_the_command(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    mark = new_mark()
    done = run(*MATCH, "--on", "ray:local,workers=2", "--store", str(tmp_path / "a.db"), **{NAME: mark})
    assert (done.returncode, done.stderr) == (0, "")
    assert facts(done.stdout) == facts(run(*MATCH, "--store", str(tmp_path / "b.db")).stdout)
    assert all_gone(mark)


@needs_proc
@pytest.mark.slow
@pytest.mark.slow
def test_ctrl_c_while_a_cluster_of_this_machine_starts_leaves_nothing(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    mark = new_mark()
    store = str(tmp_path / "a.db")
    process = begin(*MATCH, "--on", "ray:local,workers=2", "--store", store, **{NAME: mark})
    while len(marked(mark)) < 2 and process.poll() is None:  # Ray's first process
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output, errors) == (130, "", "")
    assert all_gone(mark)
