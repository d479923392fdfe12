"""The Ray executor; what all executors have in common is in test_executor."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.scale.jobs import fall, gone, tell_and_wait, work
from tesuji.scale import ExecutorError, ExecutorWarning
from tesuji.scale.build_check import check_files, file_digests
from tesuji.scale.cluster import Cluster
from tesuji.scale.executor import executor
from tesuji.scale.processes import TaskLost


@pytest.fixture
def on(one_node: str) -> Iterator[Cluster]:
    with Cluster(workers=2) as made:
        yield made


@pytest.mark.slow
def test_a_task_whose_ray_worker_is_killed_is_run_again(on: Cluster, tmp_path: Path) -> None:
    task = "parent", str(tmp_path / "count"), 2
    assert list(on.map(fall, iter([task]))) == [(task, "done")]
    assert len((tmp_path / "count").read_text().splitlines()) == 3


def test_a_task_that_is_killed_is_restarted_a_limited_number_of_times(on: Cluster, tmp_path: Path) -> None:
    twice, ever = ("self", str(tmp_path / "twice"), 2), ("self", str(tmp_path / "ever"), 100)
    outcomes = dict(on.map(fall, iter([twice, ever])))
    assert outcomes[twice] == "done"
    lost = outcomes[ever]
    assert isinstance(lost, TaskLost) and "SIGKILL" in lost.detail
    assert len((tmp_path / "ever").read_text().splitlines()) == 3


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes in /proc")
def test_closing_the_generator_kills_the_running_process(on: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "pid"
    going = on.map(_either, iter([("square", "2"), ("wait", str(path))]))
    next(going)
    while not path.exists():
        time.sleep(0.05)
    going.close()
    assert gone(int(path.read_text()))


def _either(task: tuple[str, str]) -> int:
    what, text = task
    if what == "wait":
        tell_and_wait(text)
    return work((what, int(text)))


def test_a_node_with_another_build_is_refused_with_both_in_one_line(on: Cluster) -> None:
    on._build = on._build._replace(version="0.0.7")
    said = r"tesuji \d\S* \(core \w+, code \w+\).* tesuji 0\.0\.7 "
    with pytest.raises(ExecutorError, match=said):
        list(on.map(work, iter([("square", 1)])))
    (actor,) = on.actors(dict, [()])
    with pytest.raises(ExecutorError, match=said):
        actor.call("clear").result(60)


@pytest.mark.parametrize("spec", ["processes:workers=1", "ray:workers=1"])
def test_a_worker_without_a_file_that_is_needed_is_refused(spec: str, one_node: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text("a")
    marks = file_digests([str(path), "game", str(tmp_path / "none")])
    with executor(spec) as on:
        if not spec.startswith("ray"):  # a match on a cluster shows that
            done = on.map(work, iter([("square", 3)]), setup=partial(check_files, marks, None))
            assert dict(done) == {("square", 3): 9}
        path.write_text("b")
        with pytest.raises(ExecutorError, match=re.escape(str(path))):
            list(on.map(work, iter([("square", 3)]), setup=partial(check_files, marks, None)))


class Deadly:
    """Kills the process that unpickles it."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (3,)

    def __call__(self, task: object) -> None: ...


def test_workers_that_die_at_every_start_are_an_error(one_node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.scale.cluster_actors.MAX_LOSSES", 1)
    with Cluster(workers=1) as on:
        with pytest.raises(ExecutorError, match="lost a worker 2 times"):
            list(on.map(Deadly(), iter([1])))


def test_waiting_for_workers_without_room_warns(one_node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("cluster", "cluster_tasks"):
        monkeypatch.setattr(f"tesuji.scale.{module}.WARN_SECONDS", 0.1)
    with Cluster(workers=2, cpus_per_worker=5) as on:  # there are four
        with pytest.raises(ExecutorWarning, match="no node"):
            list(on.map(work, iter([("square", 1)])))
        actor, _ = on.actors(dict, [(), ()])
        call = actor.call("clear")
        with pytest.warns(ExecutorWarning, match="2 of 2 workers"):
            assert on.wait([call], 0.2) == []
        assert on.wait([call], 0.01) == []  # once is enough


def test_relative_paths_mean_the_same_on_a_node(
    on: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").write_text("x")
    monkeypatch.chdir(tmp_path)
    with Cluster(workers=1) as there:
        assert [found for _, found in there.map(_size, iter(["here"]))] == [1]


def _size(path: str) -> int:
    return Path(path).stat().st_size


def test_without_a_number_there_are_as_many_workers_as_the_cluster_has_room_for(one_node: str) -> None:
    for options, workers in (
        ("", 4),
        (":cpus_per_worker=2", 2),
        (":cpus_per_worker=0.5", 8),
        (":workers=9", 9),
    ):
        with executor(f"ray{options}") as on:
            assert on.workers == workers


def test_a_program_connected_to_one_cluster_is_refused_another(one_node: str) -> None:
    with pytest.raises(ExecutorError, match=rf"{one_node}.*10\.0\.0\.1:1"):
        executor('ray:address="10.0.0.1:1"')
    with executor(f'ray:address="{one_node}"') as on:
        assert on.workers == 4


def test_without_ray_the_error_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ExecutorError, match=r'pip install "tesuji-ai\[ray\]"'):
        executor("ray")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("ray:worker=2", "'worker' for ray.*'workers'"),
        ("ray:gpus_per_worker=1.5", "gpus_per_worker.*1.5"),
        ("ray:local,cpus_per_worker=0", "cpus_per_worker.*0.01"),
    ],
)
def test_a_wrong_spec_says_what_is_allowed_before_anything_is_started(spec: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        executor(spec)


@pytest.mark.slow
def test_a_task_that_kills_every_ray_worker_is_lost_in_the_end(on: Cluster, tmp_path: Path) -> None:
    task = "parent", str(tmp_path / "count"), 100
    [(_, lost)] = on.map(fall, iter([task]))
    assert isinstance(lost, TaskLost) and "Ray worker was lost 11 times" in lost.detail
