"""Bots that drive engines over GTP and Gomocup: both protocols with faulty engines."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from typing import NamedTuple

import pytest

import tesuji
from tests.cli.terminal import SCRIPT
from tests.engines.scripted import Scripts, is_running, pid_of
from tests.engines.test_gomocup_process import PBRAIN
from tesuji.engines.driver import EngineBot
from tesuji.engines.gomocup import GomocupBot
from tesuji.engines.gtp import EngineError, GtpBot

Make = Callable[..., EngineBot]


class Protocol(NamedTuple):
    """A protocol, and one position in which its engines are asked for a move."""

    bot: type[EngineBot]
    game: str
    moves: str
    asked: str  # the line that asks for a move there
    good: str  # an answer to it,
    move: int  # and the move that it means
    first: str  # the first line that an engine is sent
    options: str
    command: list[str]  # our own engine


PROTOCOLS = {
    "gtp": Protocol(
        bot=GtpBot,
        game="hex:size=3",
        moves="a1",
        asked="genmove white",
        good="= b2",
        move=4,
        first="protocol_version",
        options='seconds=2.5,swap=sides,setup="name; version"',
        command=[SCRIPT, "engine", "gtp", "--game", "hex", "--bot", "random:seed=1"],
    ),
    "gomocup": Protocol(
        bot=GomocupBot,
        game="gomoku:size=5",
        moves="a5",
        asked="TURN 0,0",
        good="1,1",
        move=16,
        first="START 5",
        options='seconds=2.5,match=60,memory=350,setup="INFO thread_num 1"',
        command=[PBRAIN, "--bot", "random:seed=1"],
    ),
}

NO_MOVE = "which is not a legal move"
FAULTS = {
    "gtp": {
        "a complaint": ('say("? I cannot")', "answered '? I cannot'"),
        "nonsense": ('say("hello"); sys.exit(3)', "its last ignored line: 'hello')"),
        "no space": ('say("=a2")', "answered '=a2'; an answer begins with = or ? and a space"),
        "an unknown move": ('say("= pass")', f"answered 'pass', {NO_MOVE}"),
        "no move": ('say("= ")', f"answered '', {NO_MOVE}"),
        "a cell off the board": ('say("= d1")', f"answered 'd1', {NO_MOVE}"),
        "a taken cell": ('say("= a1")', f"answered 'a1', {NO_MOVE}"),
        "two moves": ('say("= a2 a3")', f"answered 'a2 a3', {NO_MOVE}"),
        "a swap in a game without it": ('say("= swap-pieces")', f"answered 'swap-pieces', {NO_MOVE}"),
        "an exit with a message": (
            'sys.exit("no\\nmemory")',
            "ended with exit code 1 (its last line on standard error: 'memory')",
        ),
        "a violent end": ("os.kill(os.getpid(), signal.SIGKILL)", "was ended by signal 9"),
        "closed pipes": ("os.close(1); time.sleep(60)", "closed its pipes"),
        "binary garbage": (
            'sys.stdout.buffer.write(bytes(range(256)) * 9); say(""); sys.exit(3)',
            "its last ignored line: ",
        ),
        "a line without end": (
            "[sys.stdout.write('x' * 4096) for _ in range(1000)]; time.sleep(60)",
            "sent a line of more than 65536 bytes",
        ),
        "lines without end": (
            "[print('x') for _ in range(100_000)]; time.sleep(60)",
            "sent 100000 lines without an answer",
        ),
        "an answer without end": (
            "print('= b2'); [print('x') for _ in range(9999)]; time.sleep(60)",
            "sent an answer of more than 1000 lines",
        ),
    },
    "gomocup": {
        "a complaint": ('say("ERROR no memory")', "answered 'ERROR no memory'"),
        "an unknown command": ('say("UNKNOWN command")', "answered 'UNKNOWN command'"),
        "nonsense": ('say("hello"); sys.exit(3)', "its last ignored line: 'hello')"),
        "a cell off the board": ('say("5,0")', f"answered '5,0', {NO_MOVE}"),
        "a taken cell": ('say("0,0")', f"answered '0,0', {NO_MOVE}"),
        "two moves": ('say("1,1 2,2")', f"answered '1,1 2,2', {NO_MOVE}"),
        "a cell with too many digits": ('say("1,1234567890")', f"answered '1,1234567890', {NO_MOVE}"),
        "two suggestions": ('say("SUGGEST 1,1")', f"answered 'SUGGEST 1,1', {NO_MOVE}"),
        "messages without end": (
            "[print('MESSAGE hm') for _ in range(100001)]; say('1,1')",
            "sent 100000 lines without an answer",
        ),
    },
}
for faults in FAULTS.values():
    faults["an exit"] = ("sys.exit(3)", "ended with exit code 3")

BAD_COMMANDS = {
    "gtp": [
        ({"command": "no-such-program --quiet"}, "'no-such-program --quiet': No such"),
        ({"command": os.path.dirname(__file__)}, "cannot start the command"),
        ({"command": ""}, "cannot start the command ''"),
        ({"command": 'mohex "--quiet'}, "'mohex \"--quiet': No closing quotation"),
        ({"command": "a\0b"}, "cannot start the command"),
        ({"command": "echo hello"}, "ended with exit code 0 (its last ignored line: 'hello')"),
        ({"command": "true", "swap": "stones"}, "swap must be one of pieces, sides, mohex"),
        ({"command": "true", "colour": "red"}, "unknown option 'colour' for gtp"),
    ],
    "gomocup": [
        ({"command": "no-such-program"}, "cannot start the command 'no-such-program': No such file"),
        ({"command": "echo hello"}, "ended with exit code 0 (its last ignored line: 'hello')"),
        ({"command": "true", "swap": "on"}, "unknown option 'swap' for gomocup"),
    ],
}
for name, rows in BAD_COMMANDS.items():
    rows.append(({}, f"{name} needs a command"))
    rows.append(({"command": "true"}, f"'true', asked {PROTOCOLS[name].first!r}, ended with exit code 0"))

BAD_STARTS = {
    "gtp": [
        ({"protocol_version": 'say("= 1")'}, "asked 'protocol_version', answered '1'"),
        ({"boardsize": 'say("? unacceptable size")'}, "asked 'boardsize 3', answered '? unacceptable size'"),
    ],
    "gomocup": [({"START": 'say("ERROR too small")'}, "asked 'START 5', answered 'ERROR too small'")],
}


def rows_of(tables: dict[str, list[tuple[dict[str, str], str]]]) -> list[tuple[str, dict[str, str], str]]:
    return [(name, *row) for name, rows in tables.items() for row in rows]


@pytest.mark.parametrize(
    ("protocol", "fault", "says"),
    [
        pytest.param(name, *row, id=f"{name}: {case}")
        for name, cases in FAULTS.items()
        for case, row in cases.items()
    ],
)
def test_a_fault_gives_one_line_and_the_engine_is_restarted(
    protocol: str, fault: str, says: str, scripts: Scripts, make: Make
) -> None:
    use = PROTOCOLS[protocol]
    name = use.asked.split()[0]
    command = scripts(**{name: fault, "PLAY": fault})
    bot = make(use.game, command=command)
    first = pid_of(bot)
    state = tesuji.replay(use.game, use.moves)
    with pytest.raises(EngineError) as caught:
        bot.choose(state)
    message = str(caught.value)
    asked = "PLAY 1,1" if "SUGGEST" in fault else use.asked
    assert message.startswith(f"{command!r}, asked {asked!r}, ")
    assert says in message
    assert "\n" not in message
    assert not is_running(first)
    scripts(**{name: f'say("{use.good}")'})
    assert bot.choose(state) == use.move
    assert pid_of(bot) != first


TALK = ["- ev -v24 nd 9997", "ev +v13", "7", "7,7 is best", "1.5,3", "-1,-1", "swap", "hello", "answer: 1,1"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_lines_that_have_not_the_form_of_an_answer_are_logged_and_counted(
    protocol: str, scripts: Scripts, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    use = PROTOCOLS[protocol]
    talk = "; ".join(f"say({line!r})" for line in TALK)
    name, (first, *_) = use.asked.split()[0], use.first.split()
    start = {"gtp": "= 2", "gomocup": "OK"}[protocol]
    greets = {first: f"say('welcome'); say({start!r})"}
    answer = f"{talk}; say({use.good!r}); {talk}"
    bot = make(use.game, command=scripts(**greets, **{name: answer, "DONE": answer}))
    bot.reset()
    caplog.set_level("INFO", "tesuji.engines")
    for number in (1, 3):  # the second time also those that follow the first answer
        assert bot.choose(tesuji.replay(use.game, use.moves)) == use.move
        assert bot.ignored_lines == number * len(TALK)
    assert [message.rpartition("ignored ")[2] for message in caplog.messages[: len(TALK)]] == list(
        map(repr, TALK)
    )
    bot.reset()
    assert bot.ignored_lines == 0


@pytest.mark.parametrize(("protocol", "options", "says"), rows_of(BAD_COMMANDS))
def test_a_command_that_is_no_engine_is_a_value_error(
    protocol: str, options: dict[str, str], says: str, make: Make
) -> None:
    with pytest.raises(ValueError) as caught:
        make(PROTOCOLS[protocol].game, **options)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("protocol", "behaviour", "says"), rows_of(BAD_STARTS))
def test_an_engine_that_refuses_the_game_is_a_value_error(
    protocol: str, behaviour: dict[str, str], says: str, scripts: Scripts, make: Make
) -> None:
    with pytest.raises(ValueError) as caught:
        make(PROTOCOLS[protocol].game, command=scripts(**behaviour))
    assert says in str(caught.value)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_bot_has_a_spec(protocol: str) -> None:
    use = PROTOCOLS[protocol]
    command = shlex.join(use.command)
    spec = f'{protocol}:command="{command}",{use.options}'
    bot = tesuji.bot(spec, use.game)
    assert isinstance(bot, use.bot)
    try:
        assert tesuji.spec_of(bot) == spec
        assert command in repr(bot)
        state = tesuji.game(use.game).start()
        assert bot.choose(state) in state.moves()
    finally:
        bot.close()


@pytest.mark.parametrize(
    ("protocol", "over"), [("gtp", "a1 b1 a2 b2 a3"), ("gomocup", "a1 a2 b1 b2 c1 c2 d1 d2 e1")]
)
def test_a_finished_game_and_another_game_are_refused(
    protocol: str, over: str, scripts: Scripts, make: Make
) -> None:
    use = PROTOCOLS[protocol]
    bot = make(use.game, command=scripts())
    with pytest.raises(ValueError, match="game is over"):
        bot.choose(tesuji.replay(use.game, over))
    with pytest.raises(ValueError, match=use.game):
        bot.choose(tesuji.game(use.game.partition(":")[0]).start())
