"""`tesuji learn zero` and `tesuji models`: a run, its file in play, and bad input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests import children
from tests.cli.bad_input import check_error
from tests.learn.zero.nets import SMALL_RUN
from tests.small_files import no_file_beyond
from tesuji.cli import main
from tesuji.cli.commands.learn_zero import read_duration

pytest.importorskip("torch")
pytest.importorskip("onnx")

TIC_TAC_TOE = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"
PATIENCE = 120.0  # seconds; torch alone takes some to load
SETTINGS = [word for key, value in SMALL_RUN.items() for word in ("--set", f"{key}={value}")]


pytestmark = pytest.mark.usefixtures("in_tmp_path")


def test_a_run_is_started_shown_resumed_exported_and_played(capsys: pytest.CaptureFixture[str]) -> None:
    line = "learn zero hex:size=3 --out run --device cpu"
    assert main([*line.split(), "--iterations", "2", *SETTINGS]) == 0
    shown = capsys.readouterr()
    assert shown.err.splitlines()[1].startswith("iteration 2 · ")
    assert shown.out.startswith("hex:size=3: resnet:blocks=1,channels=8,head=4, ")
    assert "Network: run/network.safetensors; the same command resumes" in shown.out

    assert main([*line.split(), "--iterations", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["iteration"] == 3

    assert main(["models", "export", "run", "--output", "mine.onnx"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("mine.onnx: ") and "Play with it" not in shown.out
    scaled = ["--value-temperature", "0.5"]
    assert main(["models", "export", "run", *scaled, "--output", "mine.safetensors"]) == 0
    shown = capsys.readouterr()
    assert "values       temperature 0.5" in shown.out
    assert "engine       " in shown.out
    assert 'Play with it: tesuji play hex:size=3 --bot "zero:net=mine.safetensors"' in shown.out
    assert (
        main(
            [
                *line.replace("--out run", "--out next").split(),
                "--start",
                "mine.safetensors",
                "--iterations",
                "1",
                *SETTINGS,
            ]
        )
        == 0
    )
    capsys.readouterr()
    assert main(["models", "show", "mine.safetensors", "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert (described["game"], described["training"]["iterations"]) == ("hex:size=3", 3)
    assert (
        main(["analyse", "hex:size=3", "--bot", "zero:net=mine.safetensors,visits=10,prover=off", "--json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["visits"] == 10
    for refused in (
        ["models", "show", "mine.onnx"],
        ["analyse", "hex:size=3", "--bot", "zero:net=mine.onnx"],
    ):
        assert main(refused) == 2
        check_error(*capsys.readouterr(), "what can be opened is a .safetensors file")


def test_a_file_of_a_run_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"learn zero hex:size=3 --out run --device cpu --iterations 1 {' '.join(SETTINGS)}"
    with no_file_beyond(5000):
        assert main(line.split()) == 2
    shown = capsys.readouterr()
    assert shown.err.splitlines()[-1] == "tesuji: cannot write run/000001-0.safetensors: File too large"
    assert not list(Path("run").glob("*.safetensors")) and not Path("run/checkpoint.json").exists()


def test_workers_play_a_users_game_and_store_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"learn zero tictactoe --load {TIC_TAC_TOE} --out run --device cpu --iterations 2 --json"
    assert main([*line.split(), "--on", "processes:workers=2", "--store", "games.db", *SETTINGS]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["workers"], row["lost"], row["iteration"]) == (2, 0, 2)
    assert main(["records", "check", "--store", "games.db", "--load", str(TIC_TAC_TOE)]) == 0
    assert capsys.readouterr().out == f"✓ games.db: no problems found in {row['games']} games.\n"


def test_a_run_that_fails_before_its_first_checkpoint_names_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAFE_PROCESS", str(os.getpid()))
    program = """
        import os
        from tesuji.registry import games
        safe = games.get("tictactoe").start
        def start(self):
            if os.environ["SAFE_PROCESS"] != str(os.getpid()):
                os._exit(3)
            return safe(self)
        games.get("tictactoe").start = start
    """
    Path("dying.py").write_text(textwrap.dedent(program))
    line = f"learn zero tictactoe --load {TIC_TAC_TOE} --load dying.py --out run --device cpu --iterations 1"
    assert main([*line.split(), "--on", "processes:workers=1", *SETTINGS]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert "worker 0" in said and "checkpoint" not in said


def test_the_ladder_works_for_a_users_game(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"learn zero tictactoe --load {TIC_TAC_TOE} --out run --device cpu --iterations 1 --json"
    ladder = ["--set", "ladder=random", "--set", "ladder_games=2", "--set", "ladder_visits=4"]
    assert main([*line.split(), *SETTINGS, *ladder]) == 0
    assert json.loads(capsys.readouterr().out)["ladder"]["random"]["games"] == 2


@pytest.mark.parametrize("torch", [True, False])
def test_a_game_for_three_is_refused_before_torch_is_imported(torch: bool, tmp_path: Path) -> None:
    program = "" if torch else "import sys; sys.modules['torch'] = None; "
    program += "import tesuji.cli; raise SystemExit(tesuji.cli.main())"
    line = "learn zero gofish:players=3 --out run --for 1s"
    done = subprocess.run(
        [sys.executable, "-c", program, *line.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 2
    [said] = done.stderr.splitlines()
    assert "gofish:players=3 has 3" in said
    assert "torch" not in said
    assert not (tmp_path / "run").exists()


def test_sigterm_ends_a_run_with_a_checkpoint_and_closes_its_store(tmp_path: Path) -> None:
    line = "learn zero hex:size=3 --out run --device cpu --iterations 100000 --store games.db"
    command = [sys.executable, "-m", "tesuji", *line.split(), *SETTINGS]
    process = children.start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("iteration 1 ")
    process.terminate()
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Network: run/network.safetensors; the same command resumes" in output
    assert sorted(os.listdir()) == ["games.db", "run"]


def test_a_run_without_an_iteration_names_no_network(capsys: pytest.CaptureFixture[str]) -> None:
    line = "learn zero hex:size=3 --out run --device cpu --for 0.001s"
    assert main([*line.split(), *SETTINGS]) == 0
    assert not Path("run/network.safetensors").exists()
    shown = capsys.readouterr().out
    assert re.search(r"^iterations +0$", shown, re.MULTILINE)
    assert "network.safetensors" not in shown


def test_bundled_networks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "show", "--json"]) == 0
    names = json.loads(capsys.readouterr().out)
    for name in names:
        assert main(["models", "show", name]) == 0
        shown = capsys.readouterr().out
        assert not set("{}") & set(shown)  # the runs before the last as lines, not as one dictionary
        assert len(re.findall(r"^started from$", shown, re.MULTILINE)) == shown.count("iterations ") - 1
    assert main(["models"]) == 0


BAD = {
    "no end": ("learn zero hex:size=3 --out run", "set a limit … --for 9m or --iterations 100"),
    "a time": ("learn zero hex:size=3 --out run --for soon", "a duration … not 'soon'"),
    "no time": ("learn zero hex:size=3 --out run --for 0s", "a duration … not '0s'"),
    "a setting": (
        "learn zero hex:size=3 --out run --for 1s --set visits",
        "--set … KEY=VALUE … not 'visits'",
    ),
    "an unknown one": (
        "learn zero hex:size=3 --out run --for 1s --set visit=3",
        "unknown option 'visit' for learning; did you mean 'visits'?",
    ),
    "a value": ("learn zero hex:size=3 --out run --for 1s --set visits=0", "visits must be from 1 … not 0\n"),
    "a network": (
        "learn zero hex:size=3 --out run --for 1s --set net=resnot",
        "unknown network 'resnot'; did you mean 'resnet'?",
    ),
    "planes": (
        "learn zero gomoku:size=6 --out run --for 1s --set planes=pattern=off",
        "unknown option 'pattern' of planes; did you mean 'patterns'?",
    ),
    "an opponent": (
        "learn zero hex:size=3 --out run --for 1s --set ladder=mtcs --set net=resnet:blocks=1,channels=8",
        "unknown bot 'mtcs'",
    ),
    "no file": ("learn zero hex:size=3 --out run --for 1s --config no.toml", "cannot read no.toml: "),
    "a device": ("learn zero hex:size=3 --out run --for 1s --device tpu", "device … not 'tpu'"),
    "an executor": ("learn zero hex:size=3 --out run --for 1s --on clusters", "unknown executor 'clusters'"),
    "workers": (
        "learn zero hex:size=3 --out run --for 1s --on processes:workers=0",
        "workers must be from 1 … not 0\n",
    ),
    "no store": (
        "learn zero hex:size=3 --out run --for 1s --on threads:workers=1 --store no/games.db",
        "cannot create no/games.db: there is no directory no",
    ),
    "nowhere": ("learn zero hex:size=3 --out file/run --for 1s", "cannot write file/run"),
    "no planes": ("learn zero nim --load nim.py --out run --for 1s", "Nim has no planes"),
    "no weights": ("models export file --output x.onnx", "cannot use file: "),
    "no run": ("models export run --output x.onnx", "cannot use run: No such file"),
    "a mean of one": ("models average file --output x.safetensors", "cannot average file alone"),
    "a mean of nothing": ("models average file run --output x.safetensors", "cannot use file: "),
    "no network": ("models show nothing", "there is no network 'nothing'"),
    "8 bits": (
        "models export run --int8 --output x.onnx",
        "--int8 is gone: every .safetensors file is played with 8 bits; leave it out",
    ),
    "another kind of file": (
        "models export run --output x.bin",
        "cannot write x.bin: its name must end in .onnx or .safetensors",
    ),
    "no place": ("models export file --output no/x.onnx", "cannot write no/x.onnx"),
    "no net for a bot": ("analyse onitama --bot zero", "no network comes with onitama"),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error(
    line: str, says: str, nim: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("file").write_text("nothing of use")
    assert main(line.split()) == 2
    check_error(*capsys.readouterr(), says)
    assert {*os.listdir()} - {"__pycache__"} == {"file", "nim.py"}


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("9m", 540), ("1h30m", 5400)])
def test_times_are_read(text: str, seconds: float) -> None:
    assert read_duration(text) == seconds
