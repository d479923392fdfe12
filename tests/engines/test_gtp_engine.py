"""The GTP engine: transcripts, forms of the swap, time, HexGui's analysis, invalid input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji
from tests.registered import registered
from tesuji.any_game import Game, Move, State
from tesuji.bots import RESIGN
from tesuji.engines.gtp import GtpEngine
from tesuji.engines.gtp.protocol import COMMANDS
from tesuji.engines.lines import Line
from tesuji.registry import bots, games

RULES = """\
> 1 protocol_version
=1 2

> 2 name
=2 Tesuji

> # nobody answers a comment
>
> 3 known_command genmove
=3 true

> known_command komi
= false

> 4 komi 6.5
?4 unknown command

> 5
?5 unknown command

> boardsize 3 3
=

> play BLACK B2  # the centre
=

> play w c4
? illegal move 'c4'

> play w b2
? illegal move 'b2'

> play w d1
? illegal move 'd1'

> play w swap-pieces
? illegal move 'swap-pieces' (hex:size=3 has no swap; enable it with swap=on)

> play green a1
? a colour is black, b, white or w, not green

> play w
? syntax error; expected play COLOUR MOVE

> final_score
? cannot score

> play W a2
=

> showboard
=
   a b c
    ━━━━━━━ ● = Black
 1 ╲ · · · ╲ 1
  2 ╲[○]● · ╲ 2  ○ = White
   3 ╲ · · · ╲ 3
      ━━━━━━━
         a b c

> all_legal_moves
= a1 b1 c1 c2 a3 b3 c3

> play b b1
=

> play w c1
=

> undo
=

> play w b3
=

> 17 genmove b
=17 a3

> final_score
= B+

> play w a1
? illegal move 'a1'

> genmove w
= resign

> play w resign
=

> final_score
= B+

> clear_board
=

> undo
? cannot undo

> play b resign
=

> final_score
= W+

> play b b2
=

> final_score
? cannot score

> quit
=
"""


def replies(engine: GtpEngine, transcript: str) -> str:
    """The transcript with the engine's answers to its lines."""
    told = ""
    for line in re.findall(r"^> ?(.*)$", transcript, re.MULTILINE):
        answer = re.sub(r"^= $", "=", engine.answer(line), flags=re.MULTILINE)
        told += f"> {line}".rstrip() + f"\n{answer}"
    return told


def ask(engine: GtpEngine, *lines: str) -> str:
    """The answer to the last of these lines, all of which are good."""
    for line in lines:
        answer = engine.answer(line)
        assert answer.startswith("= "), (line, answer)
    return answer[2:].strip()


def test_a_whole_conversation() -> None:
    engine = GtpEngine("hex", "mcts:iterations=200,seed=1")
    assert replies(engine, RULES).rstrip() == RULES.rstrip()
    assert engine.ended


def test_every_command_is_known_and_listed() -> None:
    engine = GtpEngine("hex:size=3", "random")
    listed = ask(engine, "list_commands").split("\n")
    assert listed == list(COMMANDS)
    assert all(ask(engine, f"known_command {name}") == "true" for name in listed)
    assert ask(engine, "version") == tesuji.__version__


@pytest.mark.parametrize(
    "size", ["1", "20", "0", "-5", "5 6", "x", "5 x", "5.0", "1e1", "9" * 5000, "٣", "1000"]
)
def test_an_invalid_size_changes_nothing(size: str) -> None:
    engine = GtpEngine("hex:size=4", "random")
    ask(engine, "play b a1")
    assert engine.answer(f"boardsize {size}") == "? unacceptable size\n\n"
    assert ask(engine, "all_legal_moves").split()[-1] == "d4"
    assert ask(engine, "undo") == ""


@pytest.mark.parametrize("size", range(2, 20))
def test_every_size_of_the_game_can_be_set(size: int) -> None:
    engine = GtpEngine("hex:size=4,swap=on", "random:seed=1")
    ask(engine, f"boardsize {size}" if size % 2 else f"boardsize {size} {size}")
    assert engine.game == tesuji.games.Hex(size=size, swap=True)
    assert len(ask(engine, "all_legal_moves").split()) == size * size
    assert engine.position.state.parse(ask(engine, "genmove b")) < size * size


def test_without_a_bot_each_size_gets_its_own_default() -> None:
    engine = GtpEngine("hex:size=2", seed=7)
    assert str(engine.timed.spec) == "mcts:seed=7"
    ask(engine, "boardsize 3")
    assert str(engine.timed.spec) == "zero:seed=7"


def test_boardsize_and_clear_board_start_a_new_game() -> None:
    engine = GtpEngine("hex:size=4", "random")
    for command in ("boardsize 4", "clear_board"):
        ask(engine, "play b a1", command)
        assert engine.position.state == engine.game.start()


def test_the_same_seed_gives_the_same_moves() -> None:
    engines = [GtpEngine("hex:size=9", "random", seed=seed) for seed in (5, 5, 6)]
    first, again, other = ([ask(engine, f"genmove {colour}") for colour in "bwbw"] for engine in engines)
    assert first == again != other


def test_the_seed_in_a_bots_spec_takes_precedence() -> None:
    assert str(GtpEngine("hex", "random:seed=1", seed=5).timed.spec) == "random:seed=1"


def test_reg_genmove_plays_nothing() -> None:
    engine = GtpEngine("hex:size=4", "mcts:iterations=50,seed=1")
    move = ask(engine, "reg_genmove b")
    assert move in ask(engine, "all_legal_moves").split()
    assert engine.position.state == engine.game.start()


# The swap. c1 mirrors to a3, and c2, with which Black would win, to b3.

SWAPPED = {"pieces": "a3 ○", "sides": "c1 ●", "mohex": "c1 ●"}


def stones(board: str, size: int = 4) -> str:
    """Cells and stones of a drawn board: `a3 ○`."""
    found = []
    for row in range(1, size + 1):
        line = re.search(rf"^ *{row} ╲(.*)╲ {row}\b", board, re.MULTILINE)
        assert line is not None
        marks = re.sub(r"[\s\[\]]", "", line[1])
        found += [f"{'abcd'[column]}{row} {mark}" for column, mark in enumerate(marks) if mark != "·"]
    return ", ".join(found)


@pytest.mark.parametrize("form", SWAPPED)
@pytest.mark.parametrize("word", ["swap-pieces", "swap-sides", "swap", "SWAP-Pieces"])
def test_swap_commands_of_every_dialect_move_the_stone_correctly(form: str, word: str) -> None:
    engine = GtpEngine("hex:size=4,swap=on", "random", swap=form)  # type: ignore[arg-type]
    ask(engine, "play b c1", f"play w {word}")
    mirrors = word != "swap-sides" and (form == "pieces" or form == "sides" and word.lower() == "swap-pieces")
    assert stones(ask(engine, "showboard")) == ("a3 ○" if mirrors else "c1 ●")
    mover = "b" if mirrors else "w"
    assert engine.answer(f"play {'w' if mirrors else 'b'} d4").endswith("'s turn\n\n")
    ask(engine, f"play {mover} d2")
    assert "d2 ●" in stones(ask(engine, "showboard")) or "d2 ○" in stones(ask(engine, "showboard"))
    ask(engine, "undo", "undo")
    assert stones(ask(engine, "showboard")) == "c1 ●"
    assert ask(engine, "all_legal_moves").split()[-1].startswith("swap-")


@pytest.mark.parametrize("form", SWAPPED)
def test_genmove_answers_a_swap_in_the_chosen_dialect(form: str) -> None:
    engine = GtpEngine("hex:size=4,swap=on", "mcts:iterations=500,seed=1", swap=form)  # type: ignore[arg-type]
    word = ask(engine, "play b c2", "genmove white")
    assert word == ("swap-sides" if form == "sides" else "swap-pieces")
    first, second = ("b", "w") if form == "pieces" else ("w", "b")
    assert engine.answer(f"genmove {second}").endswith("'s turn\n\n")
    cells = {"b3" if form == "pieces" else "c2"}
    for number in range(20):
        if engine.position.state.scores() is not None:
            break
        cell = ask(engine, f"genmove {(first, second)[number % 2]}")
        assert cell not in cells
        cells.add(cell)
    drawn = stones(ask(engine, "showboard"))
    assert {stone.split()[0] for stone in drawn.split(", ")} == cells
    winner = ask(engine, "final_score")[0]
    assert _connected(drawn, "●" if winner == "B" else "○")


def _connected(drawn: str, mark: str, size: int = 4) -> bool:
    """Whether the stones of one colour join its sides, worked out here once more."""
    cells = {("abcd".index(s[0]), int(s[1]) - 1) for s in drawn.split(", ") if s.endswith(mark)}
    along = 1 if mark == "●" else 0  # rows for Black, columns for White
    seen = {cell for cell in cells if cell[along] == 0}
    todo = list(seen)
    while todo:
        column, row = todo.pop()
        for step in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
            cell = (column + step[0], row + step[1])
            if cell in cells - seen:
                seen.add(cell)
                todo.append(cell)
    return any(cell[along] == size - 1 for cell in seen)


def test_a_white_first_stone_is_read_as_the_result_of_a_swap() -> None:
    engine = GtpEngine("hex:size=4,swap=on", "random")
    ask(engine, "play white c1")  # as HexGui does after a swap
    assert stones(ask(engine, "showboard")) == "c1 ○"
    assert engine.position.state == tesuji.replay("hex:size=4,swap=on", "a3 swap-pieces")
    assert engine.answer("play white d4") == "? it is black's turn\n\n"
    ask(engine, "play black c2", "undo", "undo")
    assert engine.position.state == engine.game.start()
    assert engine.answer("undo") == "? cannot undo\n\n"
    assert engine.answer("play white z9") == "? it is black's turn\n\n"


def test_without_the_swap_stones_are_placed_freely() -> None:
    engine = GtpEngine("hex:size=4", "random")
    ask(engine, "play white c1", "play white c2", "play black a1")
    assert stones(ask(engine, "showboard")) == "a1 ●, c1 ○, c2 ○"
    assert engine.position.colour == "white"
    assert engine.answer("play white c1") == "? illegal move 'c1'\n\n"
    assert engine.answer("play black swap-pieces").startswith("? illegal move 'swap-pieces' (hex")
    cell = ask(engine, "genmove black")
    assert f"{cell} ●" in stones(ask(engine, "showboard")) and engine.position.colour == "white"
    ask(engine, "undo", "undo")
    assert stones(ask(engine, "showboard")) == "c1 ○, c2 ○" and engine.position.colour == "black"


# Time.


def test_a_bot_that_takes_seconds_gets_its_share_of_the_clock() -> None:
    engine = GtpEngine("hex:size=4", "mcts:iterations=20,seed=1")
    ask(engine, "genmove b")
    assert engine.timed.bot.options.seconds is None
    ask(engine, "time_settings 0 10 5", "genmove w")
    seconds: Any = engine.timed.bot.options.seconds
    assert 1 < seconds < 2
    ask(engine, "time_left b 30 0", "genmove b")
    seconds = engine.timed.bot.options.seconds
    assert 5 < seconds < 15 + 2
    ask(engine, "time_settings 0 1 0", "genmove w")
    assert engine.timed.bot.options.seconds is None


def test_a_bots_own_seconds_stay_its_limit() -> None:
    engine = GtpEngine("hex:size=4", "mcts:iterations=20,seconds=3,seed=1")
    ask(engine, "time_settings 0 100 1", "genmove b")
    assert engine.timed.bot.options.seconds == 3
    ask(engine, "time_left w 1 1", "genmove w")
    assert 0.5 < engine.timed.bot.options.seconds < 1
    ask(engine, "tesuji-line")
    assert engine.timed.bot.options.seconds == 3


def test_time_does_not_disturb_a_bot_without_seconds() -> None:
    engine = GtpEngine("hex:size=4", "random")
    ask(engine, "time_settings 5 0 0", "time_left black 3", "genmove b")


@pytest.mark.parametrize("time", ["x 0 0", "-1 0 0", "nan 0 0", "inf 0 0", "1e300 0 0", "1 1", "1 1 1 1"])
def test_invalid_times_are_syntax_errors(time: str) -> None:
    assert GtpEngine("hex:size=4", "random").answer(f"time_settings {time}").startswith("? syntax error")


class Watch:
    """A user's bot that takes seconds, and keeps them to itself."""

    made: list[float | None] = []

    def __init__(self, game: Game, seconds: float | None = None) -> None:
        self.seconds = seconds
        self.made.append(seconds)

    def choose(self, state: State) -> Move:
        return state.moves()[0]


class Moody:
    """A faulty bot of a user; the option chooses the fault."""

    def __init__(self, game: Game, mood: str = "resigns") -> None:
        self.mood = mood

    def choose(self, state: State) -> Move:
        if self.mood == "raises":
            raise KeyError("a\n\nbroken bot")
        if self.mood == "complains":
            raise ValueError("I do not like this")
        return RESIGN if self.mood == "resigns" else 10**9


@pytest.fixture
def user_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Watch, "made", [])
    with registered(bots, watch=Watch, moody=Moody):
        yield


def test_a_bot_without_readable_options_is_recreated_with_its_time(user_bots: None) -> None:
    engine = GtpEngine("hex:size=4", "watch")
    ask(engine, "genmove b", "time_settings 0 10 1", "genmove w")
    before, told = Watch.made
    assert before is None
    assert told is not None
    assert 5 < told < 10


def test_a_bot_may_resign(user_bots: None) -> None:
    engine = GtpEngine("hex:size=4", "moody")
    assert ask(engine, "genmove b") == "resign"
    assert ask(engine, "final_score") == "W+"


@pytest.mark.parametrize(
    ("mood", "says"),
    [
        ("raises", "? KeyError: 'a\\n\\nbroken bot'\n\n"),
        ("complains", "? RuntimeError: moody: I do not like this\n\n"),
        ("cheats", "? RuntimeError: moody chose 1000000000, which is not legal\n\n"),
    ],
)
def test_a_failing_bot_is_reported_and_the_engine_continues(
    mood: str, says: str, user_bots: None, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = GtpEngine("hex:size=4", f"moody:mood={mood}")
    ask(engine, "play b a1")
    assert engine.answer("genmove w") == says
    assert "Traceback" in capsys.readouterr().err
    assert ask(engine, "all_legal_moves").split()[0] == "b1"


# What HexGui shows.


def test_hexgui_can_show_the_analysis_of_a_bot_that_gives_one() -> None:
    engine = GtpEngine("hex:size=4,swap=on", "mcts:iterations=300,seed=1")
    ask(engine, "play b c2")  # it wins, so it is swapped
    legal = set(ask(engine, "all_legal_moves").split())
    listed = ask(engine, "hexgui-analyze_commands").split("\n")
    for entry in listed:
        kind, label, command = entry.split("/")
        assert label
        shown = ask(engine, command.replace("%m", "w")) if "final" not in command else ""
        if kind == "pspairs":
            cells, texts = shown.split()[::2], shown.split()[1::2]
            assert set(cells) <= legal - {"swap-pieces"}
            assert len(cells) == len(texts) > 0
        elif kind == "gfx":
            found = re.fullmatch(r"INFLUENCE (.*)\nTEXT .+", shown)
            assert found is not None
            assert all(0 <= float(number) <= 1 for number in found[1].split()[1::2])
    rows = ask(engine, "tesuji-analyse 2").split("\n")
    assert len(rows) == 2
    assert rows[0].split()[0] == "swap-pieces" == ask(engine, "reg_genmove w")
    assert ask(engine, "tesuji-line") == ""  # it begins with the swap, which is no stone


def test_the_analysis_is_made_once_for_a_position() -> None:
    engine = GtpEngine("hex:size=4", "mcts:iterations=100,prover=off")
    assert ask(engine, "tesuji-visits") == ask(engine, "tesuji-visits")
    assert sum(map(int, ask(engine, "tesuji-visits").split()[1::2])) == 100


def test_cells_of_the_analysis_use_the_controllers_notation() -> None:
    engine = GtpEngine("hex:size=3,swap=on", "mcts:iterations=200,seed=1", swap="sides")
    ask(engine, "play b c1", "play w swap-sides", "play w a1")
    taken = {"c1", "a1"}
    for command in ("tesuji-values", "tesuji-visits"):
        assert not taken & set(ask(engine, command).split()[::2])
    assert not taken & set(ask(engine, "tesuji-line").split())


def test_a_bot_without_an_analysis_and_a_finished_game_have_none_to_show() -> None:
    engine = GtpEngine("hex:size=2", "random")
    assert "tesuji" not in ask(engine, "hexgui-analyze_commands")
    assert engine.answer("tesuji-values") == "? the bot random has no analysis\n\n"
    engine = GtpEngine("hex:size=2", "mcts:iterations=10")
    ask(engine, "play b a1", "play w b1", "play b a2")
    assert engine.answer("tesuji-values") == "? the game is over\n\n"


# Games that cannot be played.


class Crowd:
    """A game for three."""

    players = 3

    def __init__(self, size: int = 5) -> None:
        self.size = size

    def start(self) -> State:
        return tesuji.game("hex").start()


class Dice:
    """A game where nature begins."""

    def __init__(self, size: int = 5) -> None:
        self.size = size

    def start(self) -> State:
        return Thrown()


class Thrown:
    player = tesuji.CHANCE

    def moves(self) -> list[int]:
        return [1]

    def play(self, move: int) -> Thrown:
        return self

    def scores(self) -> tuple[float, float] | None:
        return None


def test_games_without_what_gtp_needs_are_refused_with_the_reason() -> None:
    with registered(games, crowd=Crowd, dice=Dice):
        with pytest.raises(ValueError, match="crowd cannot be played over GTP: it has 3 players"):
            GtpEngine("crowd")
        with pytest.raises(ValueError, match="dice cannot be played over GTP: .* chance"):
            GtpEngine("dice")


# Anything at all.

WORDS = st.sampled_from(
    [*COMMANDS, "b", "w", "black", "white", "a1", "b2", "c3", "d4", "z99", "swap-pieces", "swap-sides"]
    + ["resign", "2", "3", "4", "0", "-1", "99999999999", "nan", "é", "\x00", "#", "12", "%s", "'"]
)
LINES = st.one_of(st.lists(WORDS, max_size=5).map(" ".join), st.text(max_size=20), st.just("genmove b"))


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, max_size=25), st.sampled_from(["pieces", "sides", "mohex"]))
def test_any_line_gets_an_answer_and_the_position_stays_valid(lines: list[str], form: str) -> None:
    engine = GtpEngine("hex:size=3,swap=on", "mcts:iterations=5,seed=1", swap=form)  # type: ignore[arg-type]
    for line in lines:
        answer = engine.answer(Line(line))
        if answer:
            assert re.fullmatch(r"[=?][0-9]* [^\n]*(\n[^\n]+)*\n\n", answer), answer
        history = engine.position.state.history
        assert engine.position.state == tesuji.replay(engine.game, history)
        engine.position.board()
