"""`tesuji explain`: the best moves with their reasons, one in full, two side by side; a user's features."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import tesuji
from tests.cli.bad_input import check_error
from tests.cli.conftest import NIM
from tests.learn.games import HEX, hex_games
from tesuji.cli import main
from tesuji.learn.explain import differences, explain
from tesuji.learn.linear import LinearValue
from tesuji.records import Record, Store

ONITAMA = "onitama:cards=ox-boar-horse-elephant-crab"
MOVES = "boar:c1c2 horse:d5d4"


@pytest.fixture(scope="module")
def trained() -> LinearValue:
    """A value of Onitama."""
    return LinearValue(l1=0.0, l2=1.0).fit(hex_games(12, ONITAMA))


@pytest.fixture
def model(trained: LinearValue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LinearValue:
    """A value of Onitama, in model.json."""
    monkeypatch.chdir(tmp_path)
    trained.save("model.json")
    return trained


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["explain", *arguments]) == 0
    return capsys.readouterr().out


def test_the_best_moves_are_shown_with_reasons_and_the_first_in_full(
    model: LinearValue, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, ONITAMA, "--moves", MOVES, "--value", "model.json", "--top", "3")
    state = tesuji.replay(ONITAMA, MOVES)
    found = explain(state, model)
    best = found[0]
    assert text.startswith(f"{ONITAMA} · model.json\n{state}\nBlue to move\n")
    assert max(map(len, text.splitlines())) <= 80
    heads = re.findall(r"^ \d  (\S+) +([\d.]+%) .* log-odds ([+-][\d.]+)$", text, re.MULTILINE)
    assert heads == [(one.text, f"{one.probability:.1%}", f"{one.total:+.3f}") for one in found[:3]]
    strongest = best.strongest(1)[0]
    assert f"{strongest.contribution:+.3f} {strongest.name}" in text
    assert f"… and {len(found) - 3} more moves" in text
    _, _, full = text.partition(f"\nAfter {best.text}\n")
    assert str(best.after) in full
    assert "Features describe Red, who moves next; contributions are for Blue." in full
    *rows, total = full[full.index("feature ") :].splitlines()[2:]
    assert len(rows) == 22, "twenty features, the others, and the base"
    assert total.split() == ["log-odds", f"{best.total:+.3f}"]
    terms = sorted(best.terms, key=lambda term: -abs(term.contribution))
    for term, row in zip(terms[:20], rows[:20], strict=True):
        assert row.startswith(term.name)
        cells = row.removeprefix(term.name).split()
        assert (cells[0], cells[3]) == (f"{term.reading:.4g}", f"{term.contribution:+.3f}")
    added = sum(float(row.replace("█", " ").split()[-1]) for row in rows)
    assert added == pytest.approx(float(total.split()[-1]), abs=0.0005 * len(rows))


def test_features_that_are_not_shown_count_as_one_sum(
    model: LinearValue, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, ONITAMA, "--value", "model.json", "--features", "2")
    rows = text[text.index("feature ") :].splitlines()[2:]
    assert len(rows) == 5
    best = explain(tesuji.game(ONITAMA).start(), model)[0]
    assert rows[2].startswith(f"sum of {len(best.terms) - 2} others")
    *parts, total = (float(row.replace("█", " ").split()[-1]) for row in rows)
    assert sum(parts) == pytest.approx(total, abs=0.0025)


def test_two_moves_are_compared_side_by_side(model: LinearValue, capsys: pytest.CaptureFixture[str]) -> None:
    pair = ("boar:c1c2", "ox:a1a2")
    text = shown(capsys, ONITAMA, "--value", "model.json", "--compare", *pair)
    found = {one.text: one for one in explain(tesuji.replay(ONITAMA, ""), model)}
    one, other = (found[move] for move in pair)
    assert re.search(r"^ A  boar:c1c2 .*\n B  ox:a1a2 ", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 80
    rows = [row.split() for row in text[text.index("feature ") :].splitlines()[2:]]
    first = differences(one, other)[0]
    assert rows[0] == [
        first.name,
        f"{first.one.reading:.4g}",
        f"{first.other.reading:.4g}",
        f"{first.one.contribution:+.3f}",
        f"{first.other.contribution:+.3f}",
        f"{first.difference:+.3f}",
    ]
    assert one.total is not None and other.total is not None
    apart = one.total - other.total
    assert rows[-1] == ["log-odds", f"{one.total:+.3f}", f"{other.total:+.3f}", f"{apart:+.3f}"]
    for column in (-3, -2, -1):
        *parts, total = (float(row[column]) for row in rows)
        assert sum(parts) == pytest.approx(total, abs=0.0005 * len(rows))


def test_json_gives_everything(model: LinearValue, capsys: pytest.CaptureFixture[str]) -> None:
    line = [ONITAMA, "--moves", MOVES, "--value", "model.json", "--json"]
    facts = json.loads(shown(capsys, *line))
    found = explain(tesuji.replay(ONITAMA, MOVES), model)
    assert (facts["game"], facts["value"], facts["moves"]) == (ONITAMA, "model.json", MOVES.split())
    assert (facts["player"], facts["unit"]) == (0, "log-odds")
    assert facts["explanations"] == [one.as_dict() for one in found]
    assert "compare" not in facts
    pair = [found[0].text, found[2].text]
    facts = json.loads(shown(capsys, *line, "--compare", *pair, "--top", "1"))
    assert len(facts["explanations"]) == 1
    assert [one["move"] for one in facts["compare"]["moves"]] == pair
    apart = [(each["name"], each["difference"]) for each in facts["compare"]["differences"]]
    assert apart == [(each.name, each.difference) for each in differences(found[0], found[2])]


def test_the_value_defaults_to_the_games_objectives(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "hex:size=5", "--moves", "c3 d2")
    assert text.startswith("hex:size=5 · the game's own value\n")
    assert re.search(r"^win probability +64\.5% *$", text, re.MULTILINE)
    assert json.loads(shown(capsys, "hex:size=5", "--json"))["unit"] == "win probability"


def test_the_games_own_value_explains_unless_another_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, ONITAMA) == shown(capsys, ONITAMA, "--value", "game")
    assert shown(capsys, ONITAMA, "--value", "hand").startswith(f"{ONITAMA} · hand\n")


def test_a_seed_deals_and_the_deal_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    first, again, other = (
        json.loads(shown(capsys, "onitama", "--seed", seed, "--json")) for seed in ("7", "7", "8")
    )
    assert first == again
    assert first["game"] == tesuji.spec_of(tesuji.game("onitama").start(seed=7).game)
    assert other["game"] != first["game"]


def test_a_move_that_ends_the_game_shows_its_result(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "hex:size=2", "--moves", "a1 b1")
    assert " 1  a2  wins the game\n" in text
    assert text.endswith("The game is over: Black wins the game.\n")
    text = shown(capsys, "hex:size=2", "--moves", "a1 b1", "--compare", "a2", "b2")
    assert " A  a2  wins the game\n" in text
    assert text.endswith("the game is over.\n")


BAD = {
    "no such value": ("hex:size=4 --value nope.json", "no value 'nope.json'"),
    "no value": ("hex:size=4 --value off", "--value off"),
    "a path too long": (f"hex:size=4 --value {'a' * 400}", f"no value '{'a' * 400}'"),
    "a value of another game": ("hex:size=4 --value model.json", f"{ONITAMA}, not for hex:size=4"),
    "a value of other cards": (
        "onitama --value model.json",
        f"{ONITAMA}, not for onitama",
    ),
    "nothing to explain by": (
        "tictactoe --load examples/tic_tac_toe.py",
        "tictactoe has no objectives",
    ),
    "the game is over": ("hex:size=2 --moves a1,b1,a2", "the game is over after these moves"),
    "one move to compare": ("hex --compare a1", "option '--compare' requires 2 arguments"),
    "the same move twice": ("hex --compare a1 A1", "--compare needs two different moves, not 'a1' twice"),
    "an illegal move to compare": ("hex --moves a1 --compare a1 b1", "--compare: 'a1' is not legal"),
    "no moves to show": ("hex --top 0", "invalid value for '--top'"),
}


@pytest.mark.parametrize(("line", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_a_one_line_error(
    line: str, says: str, model: LinearValue, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("examples").symlink_to(Path(__file__).parents[2] / "examples")
    assert main(["explain", *line.split()]) == 2
    check_error(*capsys.readouterr(), says)


# A user's features

FEATURES = """
    def features(self, player):
        return {"left": self.left, "rest": self.left % 4}

    def __str__(self):"""
FEATURED = NIM.replace("\n    def __str__(self):", FEATURES)


def nim_records(count: int = 30) -> list[Record]:
    """Random games of seven matches."""
    found = []
    for seed in range(count):
        rng, left, moves = random.Random(seed), 7, []
        while left:
            moves.append(rng.randint(1, min(3, left)))
            left -= moves[-1]
        scores = (1.0, 0.0) if len(moves) % 2 else (0.0, 1.0)
        found.append(
            Record(
                game="nim", players=("a", "b"), moves=tuple(map(str, moves)), scores=scores, ending="played"
            )
        )
    return found


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """games.db, game.py, and nim.json that was learned from them."""
    monkeypatch.chdir(tmp_path)
    Path("game.py").write_text(FEATURED)
    with Store("games.db") as store:
        for record in nim_records():
            store.add(record)
    assert main("learn linear nim --load game.py --output nim.json".split()) == 0
    capsys.readouterr()


COMMANDS = {
    "learn": "learn linear nim --load game.py --output other.json",
    "explain": "explain nim --load game.py --value nim.json",
}


@pytest.mark.usefixtures("desk")
def test_a_users_game_is_explained_by_its_own_features(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "nim", "--load", "game.py", "--value", "nim.json")
    assert text.startswith("nim · nim.json\n||||||| 7 left\nPlayer 0 to move\n")
    assert sorted(re.findall(r"^ \d  (\d) .* log-odds ", text, re.MULTILINE)) == ["1", "2", "3"]
    assert re.search("^left +[456] ", text, re.MULTILINE)
    assert "Features describe Player 1, who moves next; contributions are for Player 0." in text


OBJECTIVES = """
    players: int = 2
    knowledge = tesuji.Knowledge(
        objectives={"few": tesuji.Objective(lambda state, player: {measure}, weight=2)}
    )
"""


def with_objectives(path: Path, measure: str) -> str:
    objectives = OBJECTIVES.replace("{measure}", measure)
    path.write_text(NIM.replace("\n    players: int = 2\n", objectives))
    return str(path)


def test_a_users_objectives_explain_its_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "nim", "--load", with_objectives(tmp_path / "game.py", "state.left / 7"))
    assert text.startswith("nim · the game's own value\n")
    assert re.search(r"^ 1  3 +44\.3%", text, re.MULTILINE), "1 − (0.1 + 0.8 · 4/7)"
    assert re.search(r"^few +0\.5714 +0\.5 +-0\.8 +-5\.7%", text, re.MULTILINE)


def test_a_users_objectives_are_checked_or_keep_their_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "nim", "--load", with_objectives(tmp_path / "game.py", "7")]) == 2
    assert capsys.readouterr().err == "tesuji: objective 'few' returned 7; it must be from 0 to 1\n"
    assert main(["explain", "nim", "--load", with_objectives(tmp_path / "game.py", "int('mine')")]) == 1
    told = capsys.readouterr().err
    assert told.startswith("Traceback") and "game.py" in told and "int('mine')" in told


BROKEN = {
    "a list": ("[1, 2]", "not [1, 2]"),
    "text": ('{"left": "many", "rest": 0}', "feature 'left' is 'many'; it must be a number"),
    "nothing": ('{"left": None, "rest": 0}', "feature 'left' is None; it must be a number"),
    "not a number": (
        '{"left": float("nan"), "rest": 0}',
        "feature 'left' is nan; it must be a finite number",
    ),
    "other names": (
        '{"left": 1.0}',
        "not left",
    ),
}


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize(("answer", "says"), BROKEN.values(), ids=BROKEN)
def test_features_that_cannot_be_used_are_named_in_one_line(
    command: str, answer: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    early = f"        if self.left < 7: return {answer}\n        return {{"
    Path("game.py").write_text(FEATURED.replace("        return {", early))
    assert main(command.split()) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert told.err.startswith("tesuji: ")
    assert told.err.endswith(f"{says}\n")
    if command == COMMANDS["learn"]:
        assert re.match(r"tesuji: game \d+, position 2: ", told.err)
    assert not Path("other.json").exists()


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("error", ["ValueError('my own mistake')", "KeyError('my own mistake')"])
@pytest.mark.parametrize("method", ["features", "play"])
def test_an_exception_in_a_users_code_keeps_its_traceback(
    command: str, error: str, method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = "        return {" if method == "features" else "        return Heap(self.left - move"
    Path("game.py").write_text(FEATURED.replace(place, f"        if self.left < 7: raise {error}\n{place}"))
    line: Any = command.split()
    if method == "play" and line[0] == "explain":
        line += ["--moves", "1"]
    assert main(line) == 1
    told = capsys.readouterr().err
    assert told.startswith("Traceback")
    assert "my own mistake" in told
    assert "game.py" in told
    assert "typer" not in told


def test_hex_is_explained_by_a_learned_value_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    LinearValue(l1=0.0, l2=1.0).fit(hex_games()).save("hex.json")
    assert re.search(r"^log-odds +[+-]", shown(capsys, HEX, "--value", "hex.json"), re.MULTILINE)
