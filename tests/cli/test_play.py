"""`tesuji play`: a person at a pseudo-terminal, or bots only without a terminal."""

import io
import re
import sys
from pathlib import Path

import pytest

import tesuji
from tests.cli.terminal import PROMPT, Terminal, run
from tesuji.cli import main


def test_a_game_is_played_to_its_end_and_the_winner_is_named() -> None:
    with Terminal("play", "hex:size=3", "--bot", "random:seed=1") as terminal:
        while terminal.expect(PROMPT, "wins after") == PROMPT:
            terminal.type("moves")
            terminal.expect("moves\n")
            terminal.expect("\n")
            legal = terminal.seen[: terminal.read_to].splitlines()[-1].split()
            terminal.ask(legal[0])
        assert terminal.end() == 0
    last = terminal.seen.strip().splitlines()[-1]
    assert re.fullmatch(r"(Black|White) \((you|random)\) wins after \d+ moves\.", last)


def test_the_bots_move_is_printed_with_win_rate_and_simulations() -> None:
    with Terminal("play", "hex:size=7", "--bot", "mcts:iterations=300,reuse=off") as terminal:
        terminal.ask("d4")
        terminal.expect(PROMPT)
        assert re.search(r"plays [a-g][1-7] \(win rate \d+\.\d%, 300 simulations\)", terminal.seen)


def test_a_hint_of_alpha_beta_shows_bounds_and_plies_to_the_end() -> None:
    bot = "alphabeta:depth=3,value=off,seed=1"
    with Terminal("play", "hex:size=3", "--bot", bot) as terminal:
        terminal.ask("hint")
        terminal.expect("win rate 50.0%")
        terminal.expect("win rate ≤ 50.0%")
        terminal.ask("b2")
        terminal.expect("move 3> ")
        terminal.type("hint")
        terminal.expect("proven win in 3 plies")
        terminal.type("quit")
        assert terminal.end() == 0


def test_moves_help_hint_and_bad_moves_do_not_change_the_game() -> None:
    with Terminal("play", "hex:size=3", "--bot", "mcts:iterations=200,seed=1") as terminal:
        terminal.ask("help")
        terminal.expect("such as a1")
        terminal.ask("moves")
        terminal.expect("a1 b1 c1 a2 b2 c2 a3 b3 c3")
        terminal.ask("z9")
        terminal.expect("'z9' is not a cell")
        terminal.ask("")
        terminal.ask("hint")
        terminal.expect("line: ")
        terminal.expect("line: ")
        terminal.expect("line: ")
        terminal.ask("undo")
        terminal.expect("no move to take back")
        terminal.ask("b2")
        terminal.ask("b2")
        terminal.expect("'b2' is not legal")
        terminal.ask("board")
        terminal.expect("move 3> ")
        terminal.type("quit")
        assert terminal.end() == 0
    assert terminal.seen.strip().endswith("unfinished.")


def test_undo_takes_back_the_move_and_the_reply() -> None:
    with Terminal("play", "hex:size=5", "--bot", "random:seed=1", "--seat", "1") as terminal:
        terminal.expect("move 2> ")
        terminal.type("undo")  # the bot's first move cannot be taken back
        terminal.expect("no move to take back")
        terminal.ask("a1" if "plays a1" not in terminal.seen else "b1")
        terminal.expect("move 4> ")
        terminal.type("undo")
        terminal.expect("move 2> ")
        terminal.type("resign")
        terminal.expect("White (you) resigns: Black (random) wins.")
        assert terminal.end() == 0


def test_the_swap_is_offered_where_it_is_legal() -> None:
    with Terminal("play", "hex:size=3,swap=on", "--bot", "random:seed=1", "--seat", "1") as terminal:
        terminal.expect("type swap-pieces")
        terminal.ask("swap-pieces")
        terminal.expect("move 4> ")
        assert terminal.seen.count("type swap-pieces") == 1


def test_the_end_of_input_quits_the_game() -> None:
    with Terminal("play", "hex:size=3") as terminal:
        terminal.expect(PROMPT)
        terminal.press(b"\x04")
        assert terminal.end() == 0
    assert terminal.seen.strip().endswith("unfinished.")


def test_ctrl_c_at_the_prompt_ends_the_game_without_a_traceback() -> None:
    with Terminal("play", "hex:size=3") as terminal:
        terminal.expect(PROMPT)
        terminal.interrupt()
        terminal.type("")  # a signal may come just before the terminal begins to wait
        assert terminal.end() == 130
    assert "Traceback" not in terminal.seen
    assert "unfinished." in terminal.seen


def test_ctrl_c_while_the_bot_thinks_makes_it_move_and_again_ends_the_game() -> None:
    with Terminal("play", "hex:size=11", "--bot", "mcts:seconds=1000") as terminal:
        terminal.ask("f6")
        terminal.expect("simulations (Ctrl-C")
        terminal.interrupt()
        terminal.expect("White (mcts) plays")
        terminal.expect("move 3> ")
        terminal.interrupt()
        terminal.type("")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.seen


def test_in_games_of_three_the_bots_take_all_other_seats(nim: str) -> None:
    with Terminal(
        "play", "nim:players=3", "--load", nim, "--bot", "mcts:iterations=50", "--seat", "1"
    ) as terminal:
        terminal.expect("Player 1 (you), move 2> ")
        terminal.type("1")
        assert terminal.expect("wins after", "move 5> ")
    assert "Player 0 (mcts) plays" in terminal.seen
    assert "Player 2 (mcts) plays" in terminal.seen


def test_without_a_terminal_two_bots_play_hex_from_start_to_end() -> None:
    done = run("play", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    moves = re.findall(r"^ *\d+\. (Black|White) \(hard\)  ([a-k]\d+) ", done.stdout, re.MULTILINE)
    state = tesuji.replay("hex", " ".join(move for _, move in moves))
    assert [player for player, _ in moves] == [("Black", "White")[ply % 2] for ply in range(len(moves))]
    scores = state.scores()
    assert scores is not None
    assert str(state) in done.stdout
    winner = ("Black", "White")[scores.index(1.0)]
    assert done.stdout.endswith(f"{winner} (hard) wins after {len(moves)} moves.\n")


def pipe(monkeypatch: pytest.MonkeyPatch, lines: str, *arguments: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    return main(["play", "hex:size=3", "--bot", "random:seed=1", *arguments])


def test_piped_moves_are_played(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert pipe(monkeypatch, "b2\nmoves\n") == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Black (player 0): you\n")
    assert "Black (you), move 1> b2\nWhite (random) plays " in shown
    assert "Black (you), move 3> moves\n" in shown
    assert shown.endswith("The game is unfinished.\n")


def test_piped_moves_play_a_game_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[str] = []
    while "wins after" not in (shown := capsys.readouterr().out):
        if played:
            replies = re.findall(r"White \(random\) plays (\w\d)", shown)
            state = tesuji.replay("hex:size=3", " ".join(sum(zip(played, replies, strict=True), ())))
            played.append(state.text(state.moves()[0]))
        else:
            played = ["b2"]
        assert pipe(monkeypatch, "\n".join(played)) == 0
    assert re.search(r"(Black \(you\)|White \(random\)) wins after \d+ moves\.\n$", shown)


def test_a_piped_line_that_is_no_move_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pipe(monkeypatch, "b2\nb2\na1\n") == 2
    out, err = capsys.readouterr()
    assert err.startswith("tesuji: move 3: 'b2' is not legal") and err.count("\n") == 1
    assert "a1" not in out.rpartition("move 3>")[2]


def test_bots_that_play_all_seats_leave_the_input_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pipe(monkeypatch, "b2\n", "--seat", "none") == 0
    assert sys.stdin.read() == "b2\n"


def test_the_same_seed_gives_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    games = []
    for seed in ("7", "7", "8"):
        assert main(["play", "hex:size=7", "--bot", "random", "--seed", seed]) == 0
        games.append(capsys.readouterr().out.splitlines()[2:])
    assert games[0] == games[1] != games[2]


def test_the_seed_of_a_spec_goes_before_the_seed_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "hex:size=3", "--bot", "random:seed=5", "--seed", "7"]) == 0
    assert capsys.readouterr().out.startswith(
        "Black (player 0): random:seed=5\nWhite (player 1): random:seed=5\n"
    )


def test_a_loaded_game_is_played_with_the_names_it_gives(
    nim: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = (
        Path(nim)
        .read_text()
        .replace("    players: int = 2", "    players = 2\n    player_names = ('Ann', 'Bob')")
    )
    Path(nim).write_text(source)
    assert main(["play", "--load", nim]) == 0  # defaults to the game that the file registers
    shown = capsys.readouterr().out
    assert shown.startswith("Ann (player 0): hard\nBob (player 1): ")
    assert re.search(r"(Ann|Bob) \(hard\) wins after \d+ moves\.\n$", shown)


CHANCY = """
import tesuji

class Throw:
    def __init__(self, player=-1, number=0): self.player, self.number = player, number
    def moves(self): return [] if self.number == 9 else [1, 6] if self.player < 0 else ["stop"]
    def chances(self): return [(1, 0.5), (6, 0.5)]
    def play(self, move): return Throw(0, move) if self.player < 0 else Throw(0, 9)
    def scores(self): return (0.5, 0.5) if self.number == 9 else None

@tesuji.register_game("throw")
class Game:
    def start(self): return Throw()
"""


def test_chance_moves_follow_their_probabilities_and_a_draw_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "throw.py"
    path.write_text(CHANCY)
    throws = set()
    for seed in range(8):
        assert main(["play", "throw", "--load", str(path), "--bot", "random", "--seed", str(seed)]) == 0
        shown = capsys.readouterr().out
        assert shown.endswith("A draw after 2 moves.\n")
        throws |= set(re.findall(r"Chance: (\d)\n", shown))
    assert throws == {"1", "6"}
    assert main(["analyse", "throw", "--load", str(path)]) == 2
    assert "chance move" in capsys.readouterr().err


@pytest.mark.parametrize("example", ["tic_tac_toe", "connect_four", "kuhn_poker", "pig"])
def test_the_examples_play_at_the_terminal(example: str) -> None:
    done = run("play", "--load", f"examples/{example}.py", "--bot", "mcts:iterations=100")
    assert (done.returncode, done.stderr) == (0, "")
    assert "after" in done.stdout.splitlines()[-1]


def test_a_secret_deal_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["play", "--load", "examples/kuhn_poker.py", "--bot", "mcts:iterations=20", "--seed", "1"]) == 0
    )
    assert "Chance" not in capsys.readouterr().out


def test_a_person_sees_no_cards_of_others_and_the_result_of_an_ask() -> None:
    with Terminal("play", "gofish", "--bot", "random:seed=1", "--seed", "7") as terminal:
        terminal.expect("move 1> ")
        assert "* player 0    A 3 3 4 8 9 J " in terminal.seen
        assert "  player 1    ? ? ? ? ? ? ? " in terminal.seen
        assert "Ask for a rank that you hold, such as A." in terminal.seen
        terminal.type("A")
        terminal.expect("You ask player 1 for A: go fish. You draw 2.")
        terminal.expect("Player 1 asks you for ")
        terminal.expect("move ")
        terminal.expect("> ")
        terminal.type("quit")
        assert terminal.end() == 0
    closed = [line for line in terminal.seen.splitlines() if re.match(r"[* ] player 1 ", line)]
    assert closed and all("?" in line for line in closed)


def test_hidden_cards_exclude_undo_and_the_bots_evaluations() -> None:
    with Terminal("play", "gofish", "--bot", "mcts:iterations=50,seed=1", "--seed", "7") as terminal:
        terminal.ask("help")
        terminal.ask("A")
        terminal.expect("move 3> ")
        terminal.type("undo")
        terminal.expect("Undo is not possible")
        terminal.ask("quit")
        assert terminal.end() == 0
    assert re.search(r"^Player 1 asks you for \w+: ", terminal.seen, re.MULTILINE)
    assert not re.search("take back|win rate|plays", terminal.seen)


def test_spectators_see_no_closed_cards() -> None:
    found = run("play", "gofish:players=3", "--bot", "careful", "--seed", "7")
    assert found.returncode == 0
    assert re.search(r"Player \d \(careful\) wins after \d+ moves|share first place", found.stdout)
