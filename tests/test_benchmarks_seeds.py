"""The benchmark of techniques prints its tables."""

import pytest

from benchmarks import seeds


def rows(text: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]


def test_hex_table_has_a_row_for_every_technique(capsys: pytest.CaptureFixture[str]) -> None:
    seeds.main(["hex", "--games", "2"])
    found = rows(capsys.readouterr().out)[1:]
    techniques, boards = found[: len(seeds.HEX)], found[len(seeds.HEX) + 1 :]
    assert [row[0] for row in techniques] == list(seeds.HEX)
    assert all(row[1].endswith("of 2") and float(row[3]) > 10 for row in techniques)
    assert len(boards) == len(seeds.SIZES) and all(row[1].endswith("%") for row in boards)


def test_narrower_proximity_leaves_fewer_candidates(capsys: pytest.CaptureFixture[str]) -> None:
    seeds.main(["candidates", "--games", "4"])
    means = {row[0]: float(row[1]) for row in rows(capsys.readouterr().out)[1:]}
    assert means["narrow"] < means["hard"] < means["filter"] < means["off"]


@pytest.mark.slow
def test_features_beat_the_bias_alone(capsys: pytest.CaptureFixture[str]) -> None:
    seeds.main(["features", "--games", "12"])
    losses = {row[0]: float(row[1].split()[0]) for row in rows(capsys.readouterr().out)[1:]}
    assert losses["all"] < losses["bias alone"]


def test_an_unknown_table_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        seeds.main(["chess"])
    assert "'chess'" in capsys.readouterr().err
