"""The JSON that the server sends: the types that build it, check it and document it.

The page's types, `static/types.js`, are made from this file by `.ci/page_types.py`.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict


class ErrorResponse(TypedDict):
    """An error, in one line."""

    error: str


class MoveView(TypedDict):
    """A move of the game; player -1 is chance."""

    player: int
    text: str
    name: str


class SeatView(TypedDict):
    """Who plays a seat."""

    kind: Literal["person", "bot"]
    bot: str | None
    name: str


class Thinking(TypedDict):
    """The seat whose bot is thinking, and for how many seconds it has been."""

    seat: int
    seconds: float


class ClockView(TypedDict):
    """Seconds left per seat."""

    left: list[float]
    running: int | None
    increment: float


class PositionView(TypedDict):
    """A position that was set up: the game that begins from it, its board, and who moves; or the problem."""

    game: NotRequired[str]
    board: NotRequired[dict[str, Any]]
    turn: NotRequired[int]
    over: NotRequired[bool]
    diagram: NotRequired[str]
    problem: str | None


class TableView(TypedDict):
    """A table at one ply, as seen from one seat."""

    id: str
    """Grants access: anyone who knows it may play."""
    game: str
    """The game's spec, such as `hex:size=9`."""
    title: str
    version: int
    """Incremented by every change."""
    board: dict[str, Any]
    """By `board.kind`: see the files in boards/."""
    ply: int
    """Of the position shown."""
    plies: int
    """Of the whole game."""
    moves: list[MoveView]
    seats: list[SeatView]
    turn: int | None
    """The seat to move; null when the game is over."""
    legal: list[str]
    over: bool
    scores: list[float] | None
    result: str | None
    """One line."""
    thinking: Thinking | None
    clock: ClockView | None
    notes: list[str]
    """Hints for the person to move."""
    message: str | None
    """An error, for example of a bot."""
    can_undo: bool
    value: float | None
    """Win probability of seat 0, by the latest bot."""
    paused: bool | None
    """In games between bots."""
    speed: float | None
    seed: int | None
    hidden: bool
    solvable: bool
    """Whether the game can tell who wins after each move."""
    viewer: int | None
    record_number: int | None


class Step(TypedDict):
    """A move of a line on a described board: who plays it, and where it is clicked."""

    player: int
    clicks: list[str]


class CandidateView(TypedDict):
    """A move of an analysed position."""

    move: str
    visits: int
    value: float | None
    """Of the player to move; null where a bot of one's own gives no number."""
    prior: float | None
    amaf: float | None
    proven: float | None
    """The exact score, where proven."""
    line: list[str]
    exact: bool
    """False where `value` is only an upper bound."""
    plies: int | None
    steps: list[Step]


class AnalysisView(TypedDict):
    """An analysis as `Analysis.as_dict` has it, of the best candidates with the beginnings of their lines."""

    player: int
    move: str
    value: float | None
    """Of the player to move."""
    proven: float | None
    iterations: int
    visits: int
    nodes: int
    bytes: int
    seconds: float
    stopped: str
    memory_full: bool
    depth: int | None
    plies: int | None
    candidates: list[CandidateView]


class SolutionView(TypedDict):
    """Who wins after each move that is solved."""

    player: int
    winners: dict[str, int]
    unsolved: int
    nodes: int
    seconds: float


class TableMessage(TableView):
    """The table, at once and after every change, over the live connection."""

    type: Literal["table"]


class AnalysisMessage(AnalysisView):
    """An analysis of the position at a ply."""

    type: Literal["analysis"]
    ply: int
    bot: str
    done: bool


class SolutionMessage(SolutionView):
    """The solver's results for the position at a ply."""

    type: Literal["solution"]
    ply: int
    done: bool


class ReviewMessage(TypedDict):
    """One position of a review, and the move played there; the last one has no move."""

    type: Literal["review"]
    ply: int
    player: int | None
    value: float | None
    best: str | None
    played: str | None
    best_clicks: list[str] | None
    """Where the best move is clicked, on a described board."""
    loss: float
    done: bool


class ErrorMessage(TypedDict):
    """What failed, in one line; an analysis, a solver or a review has ended with it."""

    type: Literal["error"]
    error: str


Message = TableMessage | AnalysisMessage | SolutionMessage | ReviewMessage | ErrorMessage
"""What the live connection sends."""


class OptionView(TypedDict):
    """An option of a game or a bot."""

    name: str
    kind: str
    """int, float, switch, choice or text."""
    default: str
    minimum: float | None
    maximum: float | None
    choices: list[str]
    """Allowed words."""
    help: str
    visibility: Literal["basic", "expert", "study"]
    """The page shows basic ones first."""


class LevelView(TypedDict):
    """A level of a game."""

    name: str
    help: str


class BotView(TypedDict):
    """A bot that may be requested."""

    name: str
    help: str
    options: list[OptionView]


class FormatView(TypedDict):
    """A record format."""

    name: str
    title: str


class SeatRange(TypedDict):
    """The allowed numbers of seats."""

    minimum: int
    maximum: int


class PreviewView(TypedDict):
    """A position for the home page."""

    board: dict[str, Any]
    turn: int | None
    seat_names: list[str]


class PieceView(TypedDict):
    """A piece of a set-up position, with its symbol in diagrams."""

    symbol: str
    label: str


class GameView(TypedDict):
    """A game that can be played."""

    spec: str
    name: str
    title: str
    help: str
    goal: str
    """How to win, in one line."""
    seats: SeatRange
    seat_names: list[str]
    options: list[OptionView]
    levels: list[LevelView]
    bots: list[BotView]
    default_bot: str
    formats: list[FormatView]
    board_kind: str
    """The renderer of its board."""
    preview: PreviewView | None
    explainable: bool
    """Has a linear value that can be explained."""
    hidden: bool
    """Has hidden information."""
    set_up: list[PieceView] | None
    """The pieces that an editor of positions offers; null if the game has no set-up positions."""


class JobStarted(TypedDict):
    """An analysis, a solver or a review has started; its results arrive over the live connection."""

    started: bool


class TermView(TypedDict):
    """A feature of the position after a move, and its contribution for the mover."""

    name: str
    reading: float
    usual: float
    weight: float
    contribution: float


class ExplanationView(TypedDict):
    """The value of a move, feature by feature, as `Explanation.as_dict` has it."""

    move: str
    probability: float
    score: float | None
    total: float | None
    base: float
    reader: int | None
    deals: int
    terms: list[TermView]


class Explanations(TypedDict):
    """Explained moves, and the unit of their terms."""

    unit: str
    explanations: list[ExplanationView]


class RecordView(TypedDict):
    """A game as text, and a name for its file."""

    format: str
    text: str
    filename: str


class EstimateView(TypedDict):
    """An estimate with its 95 % interval; an open end is null."""

    value: float | None
    low: float | None
    high: float | None


class MatchSummary(TypedDict):
    """A match in the store."""

    id: str
    game: str
    bots: list[str]
    games: int
    openings: str | None
    seed: int | None


class MatchView(MatchSummary):
    """A match; with a report if it has two bots."""

    report: list[str] | None
    facts: dict[str, Any] | None
    numbers: list[int]


class RatingView(TypedDict):
    """A bot's rating."""

    bot: str
    elo: EstimateView
    games: int
    points: float


class PairScore(TypedDict):
    """Points scored in games against one opponent."""

    points: float
    games: int


class RatingsView(TypedDict):
    """The ratings of one game."""

    game: str
    games: int
    ratings: list[RatingView]
    first_move: EstimateView | None
    draw_share: EstimateView | None
    seats: list[EstimateView]
    connected: bool
    cross_table: dict[str, dict[str, PairScore]]
    svg: str


class RecordSummary(TypedDict):
    """A game in the store."""

    number: int
    game: str
    players: list[str]
    result: str
    ending: str
    plies: int
    when: str
