"""Records of games that begin from a set-up position: played, stored, learned from, written and read."""

import random
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.games.test_set_up import reached, strewn
from tesuji.records import Record, Store
from tesuji.records.formats import read_records, write_record
from tesuji.records.record import UNDATED
from tesuji.records.verification import last_position

HEX = "hex:size=5,position=2b2/1w3/5/3b1/4b-w"
GOMOKU = "gomoku:size=7,rule=renju,position=7/7/2b4/2bb3/3bw2/7/7-w"
ONITAMA = "onitama:cards=ox-boar-horse-elephant-crab,position=2R2/5/2r2/b4/2B2-r-ox-crab-boar-horse-elephant"


def played(spec: str, seed: int) -> Record:
    """A game of two bots from the start of a game."""
    rng = random.Random(seed)
    state: Any = tesuji.game(spec).start()
    while state.scores() is None:
        state = state.play(rng.choice(state.moves()))
    moves = tuple(map(state.text, state.history))
    return Record(
        game=spec, players=("Ann", "Bob"), moves=moves, scores=state.scores(), ending="played", when=UNDATED
    )


@pytest.mark.parametrize("spec", [HEX, GOMOKU, ONITAMA])
def test_a_match_from_a_position_is_stored_and_replayed(spec: str, tmp_path: Path) -> None:
    tesuji.match(spec, "random", "greedy", games=4, seed=3, store=tmp_path / "games.db", progress=False)
    with Store(tmp_path / "games.db") as store:
        records = [stored.record for stored in store.records(game=spec)]
    assert len(records) == 4
    for record in records:
        last: Any = last_position(record)
        assert last == tesuji.replay(record.game, " ".join(record.moves))
        first: Any = next(iter(record.states()))
        assert first == tesuji.game(spec).start() and last.history and record.opening == 0


@pytest.mark.parametrize("spec", [HEX, GOMOKU, ONITAMA])
def test_records_from_a_position_round_trip_through_every_format_that_has_positions(spec: str) -> None:
    record = played(spec, 1)
    for name in ("json", "litama") if spec == ONITAMA else ("json", "sgf"):
        assert read_records(write_record(record, name), name) == [record]


@pytest.mark.parametrize(
    "spec", ["hex:size=5", "hex:size=5,swap=on", "gomoku:size=7", "gomoku:size=7,rule=renju"]
)
@pytest.mark.parametrize("seed", range(12))
def test_set_up_positions_round_trip_through_sgf(spec: str, seed: int) -> None:
    again: Any = tesuji.position(spec, str(reached(spec, seed)))
    for state in (strewn(spec, seed), again):
        rules: Any = state.game
        if state.scores() is None and rules.position is not None:
            record = Record(game=tesuji.spec_of(rules), players=("Ann", "Bob"), when=UNDATED)
            (read,) = read_records(write_record(record, "sgf"), "sgf")
            assert tesuji.game(read.game).start() == state
            assert read.game == record.game


def test_sgf_sets_up_stones_and_the_player_to_move() -> None:
    (record,) = read_records("(;GM[11]SZ[3]AB[c1]AW[b2]PL[W];W[a1])", "sgf")
    assert (record.game, record.moves) == ("hex:size=3,position=2b/1w1/3-w", ("a1",))
    (record,) = read_records("(;GM[4]SZ[5]AB[aa:bb][ee];AE[aa]AW[cc];W[dd])", "sgf")
    state: Any = tesuji.game(record.game).start()
    assert state.player == 1
    assert [state.text(cell) for cell, owner in enumerate(state.cells()) if owner == 1] == [
        "e1",
        "a4",
        "b4",
        "b5",
    ]
    (record,) = read_records("(;GM[11]SZ[3]PL[W];W[b2])", "sgf")
    assert record.game == "hex:size=3,position=3/3/3-w"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("(;GM[11]SZ[3]AB[c1][c2])", "PL[B]"),
        ("(;GM[11]SZ[3]AB[z9]PL[W])", "'z9'"),
        ("(;GM[11]SZ[3]AB[a1]PL[X])", "PL[X]"),
        ("(;GM[11]SZ[3]AB[a1][a2][a3]PL[B])", "connected"),
        ("(;GM[11]SZ[3]AB[a1]PL[W];B[a2])", "White's turn"),
    ],
)
def test_a_wrong_set_up_in_sgf_is_one_line(text: str, named: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_records(text, "sgf")
    assert named in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(("spec", "name"), [(HEX, "hexworld"), (GOMOKU, "psq")])
def test_formats_of_moves_refuse_a_set_up_position(spec: str, name: str) -> None:
    with pytest.raises(ValueError, match="SGF"):
        write_record(Record(game=spec, players=("Ann", "Bob")), name)


def test_a_value_learns_from_games_that_begin_from_positions() -> None:
    from tesuji.learn.dataset import Dataset

    records = [played(HEX, seed) for seed in range(4)] + [played("hex:size=5", seed) for seed in range(4)]
    data = Dataset.read(records, game="hex:size=5")
    assert len(data.keys) == 8 and len(data.table) == sum(len(record.moves) for record in records)
