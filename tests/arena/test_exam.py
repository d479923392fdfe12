"""Exams: questions, replies and scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import pytest
from scipy.stats import binomtest

from tests.scale.jobs import run
from tesuji.any_game import State, game
from tesuji.arena.exam import Exam, ExamScore, ExamTask, ask, lost_reply, open_source, wilson
from tesuji.arena.questions import Endgames, Question, find_questions
from tesuji.games import Onitama
from tesuji.games.onitama import Tablebase
from tesuji.scale.processes import TaskLost

POSITIONS = 200
KINDS = ("win", "draw", "loss")


@pytest.fixture(scope="module")
def questions(four_men: Tablebase) -> list[Question]:
    return find_questions(Endgames(Onitama(), four_men.path), POSITIONS)


def sat(exam: Exam, **how: object) -> Exam:
    for _ in exam.run(**how):  # type: ignore[arg-type]
        pass
    return exam


def wins_within(state: State, plies: int) -> bool:
    """Whether the player to move can force a win, by the rules alone."""
    for move in state.moves():
        after = state.play(move)
        scores = after.scores()
        if scores is not None:
            if scores[state.player] == 1:
                return True
        elif plies > 2 and all(not _escapes(after, reply, plies - 2) for reply in after.moves()):
            return True
    return False


def _escapes(state: State, reply: int, plies: int) -> bool:
    after = state.play(reply)
    return after.scores() is not None or not wins_within(after, plies)


def test_there_are_as_many_questions_as_asked_for_of_each_kind(questions: list[Question]) -> None:
    assert Counter(question.kind for question in questions) == {"win": 100, "draw": 50, "loss": 50}
    assert len({question.index for question in questions}) == POSITIONS


def test_distances_to_the_end_are_sampled_evenly(questions: list[Question]) -> None:
    wins = Counter(question.group for question in questions if question.kind == "win")
    losses = Counter(question.group for question in questions if question.kind == "loss")
    assert wins == {"1": 17, "3": 17, "5": 17, "7–9": 17, "11–19": 16, "21+": 16}
    assert set(losses) == {
        "4",
        "6",
        "8–10",
        "12–20",
        "22+",
    }  # where the end is two plies away, nothing delays it
    assert max(losses.values()) - min(losses.values()) <= 1


def test_in_every_question_the_choice_matters(four_men: Tablebase, questions: list[Question]) -> None:
    worth = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    for question in questions:
        state = four_men.position(question.index)
        assert four_men.probe(state) == (worth[question.kind], question.plies)
        assert [answer.move for answer in question.moves] == list(state.moves())
        assert state.ply == 0
        kept = [answer for answer in question.moves if answer.kept]
        assert kept
        if question.kind == "loss":
            assert len(kept) == len(question.moves)
            assert {answer.wasted == 0 for answer in kept} == {True, False}
        else:
            assert len(kept) < len(question.moves)
            assert any(answer.wasted == 0 for answer in kept)
        if question.kind == "draw":
            assert not any(answer.wasted for answer in question.moves)
        for answer in question.moves:
            after = state.play(answer.move)
            scores = after.scores()
            known = four_men.probe(after) if scores is None else (float(scores[after.player]), 0)
            assert known is not None
            score, plies = known
            assert answer.kept == (1 - score == worth[question.kind])
            if answer.kept and question.kind != "draw":
                assert answer.wasted == abs(plies + 1 - question.plies)


def test_fast_wins_are_what_the_rules_say(four_men: Tablebase, questions: list[Question]) -> None:
    near = [question for question in questions if question.kind == "win" and question.plies <= 3]
    assert len(near) == 34
    for question in near:
        state = four_men.position(question.index)
        for answer in question.moves:
            after = state.play(answer.move)
            if after.scores() is not None:
                forced = after.scores() == (1.0, 0.0)
            else:
                forced = question.plies == 3 and all(not _escapes(after, reply, 1) for reply in after.moves())
            assert forced == (answer.kept and answer.wasted == 0)


def test_the_seed_decides_the_questions(four_men: Tablebase, questions: list[Question]) -> None:
    assert find_questions(Endgames(Onitama(), four_men.path), POSITIONS) == questions
    others = find_questions(Endgames(Onitama(), four_men.path), POSITIONS, seed=2)
    both = {question.index for question in questions} & {question.index for question in others}
    assert len(both) < POSITIONS / 4


def test_men_restricts_the_questions(four_men: Tablebase) -> None:
    for men in (3, 4):
        found = find_questions(Endgames(Onitama(), four_men.path, men), 40)
        assert len(found) == 40
        assert {sum(map(bool, four_men.position(one.index).cells())) for one in found} == {men}


def test_a_bot_with_the_tablebase_makes_no_mistake(four_men: Tablebase) -> None:
    bots = [f'{name},tablebase="{four_men.path}"' for name in ("alphabeta:depth=1", "mcts:iterations=50")]
    exam = sat(Exam("onitama", four_men.path, bots, positions=80), processes=2)
    assert exam.done == exam.planned == 160
    for bot in exam.bots:
        for kind in KINDS:
            score = exam.score(bot, kind)
            assert score == ExamScore(exam.count(kind), kept=score.asked, best=score.asked, wasted=0), (
                bot,
                kind,
            )
    assert not exam.faults()


def test_the_random_bot_scores_as_expected_of_a_random_mover(four_men: Tablebase) -> None:
    exam = sat(Exam("onitama", four_men.path, ["random"], positions=800), processes=2)
    for kind in KINDS:
        expected, found = exam.score(None, kind), exam.score("random", kind)
        assert found.asked == expected.asked == exam.count(kind)
        asked = [question.moves for question in exam.questions if question.kind == kind]
        kept = [sum(answer.kept for answer in answers) / len(answers) for answers in asked]
        assert expected.kept == pytest.approx(sum(kept))
        assert abs(found.kept - expected.kept) <= 3 * math.sqrt(sum(chance * (1 - chance) for chance in kept))
        assert abs(found.best - expected.best) < 3 * math.sqrt(found.asked) / 2  # at most
    lost = exam.score(None, "loss")
    assert lost.kept == pytest.approx(lost.asked)
    assert 0 < lost.best < lost.asked


def test_the_number_of_processes_changes_nothing(four_men: Tablebase) -> None:
    bots = ["mcts:iterations=30", "greedy:value=off"]
    one = sat(Exam("onitama", four_men.path, bots, positions=20))
    two = sat(Exam("onitama", four_men.path, bots, positions=20), processes=2)
    places = [
        {
            bot: {index: reply.move_index for index, reply in replies.items()}
            for bot, replies in exam.replies.items()
        }
        for exam in (one, two)
    ]
    assert places[0] == places[1]
    other = sat(Exam("onitama", four_men.path, bots, positions=20, seed=2))
    assert set(other.replies[bots[0]]) != set(places[0][bots[0]])


FAULTS = {
    "raise": "LookupError: lost my way ?",
    "string": "played 'no such move', which is not legal",
    "resign": "resigned",
    "exit": "SystemExit: 3",
    "leave": "its process ended with exit code 4",
    "kill": "its process was ended by SIGKILL",
}


@pytest.mark.parametrize(("how", "said"), FAULTS.items(), ids=FAULTS)
def test_a_bot_that_fails_has_failed_the_question_and_is_named(
    how: str, said: str, users: Callable[[], object], four_men: Tablebase
) -> None:
    bots = [f"faulty:how={how},after=0", "first"]
    exam = sat(Exam("onitama", four_men.path, bots, positions=4), setup=users)
    faulty, first = exam.bots
    assert exam.score(faulty, *KINDS) == ExamScore(4, 0, 0, 0)
    assert exam.faults() == {f"{faulty}: {said}": 4}
    assert exam.seconds(faulty) is None
    assert exam.score(first, *KINDS).asked == 4


def test_a_bot_that_hangs_fails_the_question(users: Callable[[], object], four_men: Tablebase) -> None:
    exam = Exam("onitama", four_men.path, ["faulty:how=hang,after=0", "first"], positions=1)
    assert sat(exam, patience=1, setup=users).faults() == {"faulty:how=hang,after=0: no answer within 1 s": 1}


def test_a_reply_counts_even_if_the_bot_dies_afterwards(
    users: Callable[[], object], four_men: Tablebase
) -> None:
    [question] = Exam("onitama", four_men.path, ["random"], positions=1).questions
    task = ExamTask("onitama", str(four_men.path), question.index, "sore_loser", 7)
    [(_, lost)] = run(ask, iter([task]), setup=users)
    assert isinstance(lost, TaskLost)
    reply = lost_reply(lost)
    assert reply.move_index in range(len(question.moves))
    assert not reply.fault


def test_move_limits_of_the_game_are_respected(four_men: Tablebase) -> None:
    exam = Exam("onitama:ply_limit=4", four_men.path, ["random"], positions=40)
    assert exam.count("win")
    assert max(question.plies for question in exam.questions) <= 4
    with pytest.raises(ValueError, match="no position of onitama:repetition_limit=2"):
        Exam("onitama:repetition_limit=2", four_men.path, ["random"])


def test_invalid_arguments_are_one_line_errors(four_men: Tablebase) -> None:
    with pytest.raises(ValueError, match="^gofish .*hex, gomoku, onitama$"):
        open_source(game("gofish"), four_men.path)
    with pytest.raises(ValueError, match="onitama needs a tablebase"):
        open_source(game("onitama"))
    with pytest.raises(ValueError, match="bot random"):
        Exam("onitama", four_men.path, ["random", "random"])
    with pytest.raises(ValueError, match="positions .*not 0"):
        Exam("onitama", four_men.path, ["random"], positions=0)
    with pytest.raises(ValueError, match="'mtcs'.*'mcts'"):
        Exam("onitama", four_men.path, ["mtcs"])
    with pytest.raises(ValueError, match="boar-crab-elephant-horse-ox.*tiger-ox-horse-crab-monkey"):
        Exam(Onitama(cards="tiger-ox-horse-crab-monkey"), four_men.path, ["random"])


@pytest.mark.parametrize(("part", "whole"), [(0, 1), (1, 1), (3, 10), (20, 20), (137, 150)])
def test_the_wilson_interval(part: int, whole: int) -> None:
    known = binomtest(part, whole).proportion_ci(method="wilson")
    assert wilson(part, whole) == pytest.approx((part / whole, known.low, known.high))
