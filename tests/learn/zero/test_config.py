"""Settings of training: from a file, from options, and one clear line where something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tesuji.learn.zero.config import ZeroConfig, read_config
from tesuji.options import OptionWarning

CONFIGS = Path(__file__).resolve().parents[3] / "benchmarks" / "zero"


def test_options_override_the_file_which_overrides_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(
        'visits = 64\nroot = "puct"\nsymmetries = false\nladder = ["random", "mcts:iterations=50"]\n'
    )
    config = read_config(file, {"visits": "32", "resign": "off"})
    assert (config.visits, config.root, config.symmetries, config.resign) == (32, "puct", False, None)
    assert config.ladder == "random mcts:iterations=50"
    assert config.batch == ZeroConfig().batch
    assert read_config(given=config.changed()) == config


def test_settings_go_by_their_earlier_names_with_one_warning_each(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text("uses = 8\nfall = 0.5\n")
    with pytest.warns(OptionWarning) as warnings:
        config = read_config(file, {"cheap": "0.25", "leaves": "2", "first_play": "0.1"})
    assert (config.samples_per_position, config.decay_share) == (8, 0.5)
    assert (config.fast_search_weight, config.search_batch_size, config.first_play_reduction) == (
        0.25,
        2,
        0.1,
    )
    assert len(warnings) == 5
    assert "the option uses is called samples_per_position now" in str(warnings[0].message)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("visit = 3", "unknown option 'visit' for the file .*; did you mean 'visits'"),
        ("visits = 0", "visits must be from 1 to 1000000, not 0"),
        ("ladder_games = 3", "ladder_games must be even, not 3"),
        ("prover = false\nproof_effort = 64", "proof_effort=64 needs prover=on"),
        ("visits = [", "cannot read .*run.toml"),
        (f"visits = {'[' * 2000}{']' * 2000}", "cannot read .*run.toml: nested too deeply"),
        (f"visits = {'[' * 300}{']' * 300}", r"'visits' must be a number, .* not \[{60}…$"),
        (f"{'.'.join('v' * 200_000)} = 1", "cannot read .*run.toml: over 16 KiB"),
        (f"visits = {'9' * 15_000}", "cannot read .*run.toml: Exceeds the limit"),
        ("[visits]\na = 1", "'visits' must be a number, a string"),
    ],
)
def test_an_invalid_setting_is_reported_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "run.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=says):
        read_config(file)


@pytest.mark.parametrize("file", sorted(CONFIGS.glob("*.toml")), ids=lambda file: str(file.stem))
def test_the_settings_of_the_bundled_networks_are_valid(file: Path) -> None:
    assert read_config(file) != ZeroConfig()
