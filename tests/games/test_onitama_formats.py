"""Onitama records as Litama tells them."""

import json
import random
from dataclasses import replace

import pytest

import tesuji
from tests.games.onitama_positions import OX
from tesuji.games import Onitama
from tesuji.games.onitama.formats import read_litama, write_litama
from tesuji.records import Record
from tesuji.records.formats import formats_of, read_records
from tesuji.records.record import UNDATED
from tesuji.records.verification import verify

CARDS = {"blue": ["ox", "boar"], "red": ["horse", "elephant"], "side": "crab"}


def played(seed: int, plies: int | None = None) -> Record:
    rng = random.Random(seed)
    state = Onitama(set="all", ply_limit=60).start(seed)
    while state.scores() is None and (plies is None or state.ply < plies):
        state = state.play(rng.choice(state.moves()))
    return Record(
        game=tesuji.spec_of(state.game),
        players=("mcts:iterations=10", "random"),
        moves=tuple(map(state.text, state.history)),
        scores=state.scores(),
        ending="played" if state.scores() else "unfinished",
        when=UNDATED,
    )


def line(**changes: object) -> str:
    return json.dumps({"startingCards": CARDS, "moves": ["boar:c1c2"], **changes})


@pytest.mark.parametrize("seed", range(20))
def test_a_game_round_trips_through_litama(seed: int) -> None:
    for record in (played(seed), played(seed, 5)):
        (again,) = read_litama(write_litama(record))
        assert again == record
        verify(again)


def test_a_game_dealt_by_a_seed_is_written_with_its_cards() -> None:
    record = Record(game="onitama", players=("a", "b"), seed=3)
    (again,) = read_litama(write_litama(record))
    assert again.game == tesuji.spec_of(Onitama().start(3).game)


@pytest.mark.parametrize("ending", ["resigned", "limit", "hung", "crashed"])
def test_the_reason_for_the_end_of_a_game_is_kept(ending: str) -> None:
    scores = (0.5, 0.5) if ending == "limit" else (0.0, 1.0)
    fault = "too slow" if ending == "hung" else ""
    record = replace(played(1, 5), scores=scores, ending=ending, fault=fault)  # type: ignore[arg-type]
    assert read_litama(write_litama(record)) == [record]


def test_several_games_are_several_lines() -> None:
    records = [played(seed) for seed in range(3)]
    assert read_litama("\n".join(map(write_litama, records))) == records


def test_server_messages_are_read_ignoring_unknown_fields() -> None:
    text = line(
        messageType="state",
        matchId="5f3b",
        usernames={"blue": "Ann", "red": "Bob"},
        gameState="ended",
        winner="red",
    )
    (record,) = read_records(text, "litama")
    assert record.game == f"onitama:cards={OX},ply_limit=off"
    assert (record.players, record.scores, record.ending) == (("Ann", "Bob"), (0.0, 1.0), "resigned")
    verify(record)


def test_the_format_belongs_to_the_game() -> None:
    assert list(formats_of(Onitama())) == ["json", "litama"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "line 1: a game is a JSON object"),
        ("{", "line 1: a game is a JSON object in one line"),
        ("{}", "'startingCards' must hold blue, red and side"),
        (line(startingCards={**CARDS, "side": "unicorn"}), "'unicorn', which is not a card"),
        (line(startingCards={**CARDS, "side": "ox"}), "five different ones"),
        (line(moves="boar:c1c2"), "'moves' must be a list"),
        (line(moves=["boar:c1c4"]), "move 1: 'boar:c1c4' is not legal"),
        (line(winner="green"), "'winner' must be blue, red, draw or none"),
        (line(winner=["red"]), "'winner' must be"),
        (line(usernames="Ann"), "'usernames' must be an object"),
        (line(game="hex"), "'game' must be a spec of Onitama"),
        (line(winner="red", ending="played"), "the moves do not end the game"),
    ],
)
def test_unreadable_games_are_refused_in_one_line_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        read_litama(text)
    assert "\n" not in str(caught.value)


def test_another_game_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="for Onitama .*not for hex$"):
        write_litama(Record(game="hex", players=("a", "b")))


def test_a_result_that_the_moves_contradict_is_refused() -> None:
    record = next(game for game in map(played, range(20)) if game.scores == (1.0, 0.0))
    text = write_litama(record).replace('"winner": "blue"', '"winner": "red"')
    with pytest.raises(ValueError, match="'winner' is red"):
        read_litama(text)
