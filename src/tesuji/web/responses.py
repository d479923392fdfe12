"""Response bodies of the API, as types for the OpenAPI schema."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel


class ErrorResponse(BaseModel):
    """An error, in one line."""

    error: str


class MoveView(BaseModel):
    """A move of the game; player -1 is chance."""

    player: int
    text: str
    name: str


class SeatView(BaseModel):
    """Who plays a seat."""

    kind: Literal["person", "bot"]
    bot: str | None
    name: str


class Thinking(BaseModel):
    """The seat whose bot is thinking, and for how many seconds it has been."""

    seat: int
    seconds: float


class ClockView(BaseModel):
    """Seconds left per seat."""

    left: list[float]
    running: int | None
    increment: float


class PositionView(BaseModel):
    """A position that was set up: the game that begins from it, its board, and who moves; or the problem."""

    game: str | None = None
    board: dict[str, Any] | None = None
    turn: int | None = None
    over: bool | None = None
    diagram: str | None = None
    problem: str | None = None


class TableView(BaseModel):
    """A table at one ply, as seen from one seat."""

    id: str
    game: str
    title: str
    version: int
    board: dict[str, Any]
    ply: int
    plies: int
    moves: list[MoveView]
    seats: list[SeatView]
    turn: int | None
    legal: list[str]
    over: bool
    scores: list[float] | None
    result: str | None
    thinking: Thinking | None
    clock: ClockView | None
    remarks: list[str]
    message: str | None
    can_undo: bool
    value: float | None
    paused: bool | None
    speed: float | None
    seed: int | None
    hidden: bool
    solvable: bool
    viewer: int | None
    record_number: int | None


class OptionView(BaseModel):
    """An option of a game or a bot."""

    name: str
    kind: str
    default: str
    minimum: float | None
    maximum: float | None
    choices: list[str]
    help: str
    visibility: Literal["basic", "expert", "study"]


class LevelView(BaseModel):
    """A level of a game."""

    name: str
    help: str


class BotView(BaseModel):
    """A bot that may be requested."""

    name: str
    help: str
    options: list[OptionView]


class FormatView(BaseModel):
    """A record format."""

    name: str
    title: str


class SeatRange(BaseModel):
    """The allowed numbers of seats."""

    minimum: int
    maximum: int


class PreviewView(BaseModel):
    """A position for the home page."""

    board: dict[str, Any]
    turn: int | None
    seat_names: list[str]


class PieceView(BaseModel):
    """A piece of a set-up position, with its symbol in diagrams."""

    symbol: str
    label: str


class GameView(BaseModel):
    """A game that can be played."""

    spec: str
    name: str
    title: str
    help: str
    goal: str
    seats: SeatRange
    seat_names: list[str]
    options: list[OptionView]
    levels: list[LevelView]
    bots: list[BotView]
    default_bot: str
    formats: list[FormatView]
    board_kind: str
    preview: PreviewView | None
    explainable: bool
    hidden: bool
    set_up: list[PieceView] | None
    """The pieces that an editor of positions offers; None if the game has no set-up positions."""


class JobStarted(BaseModel):
    """An analysis, a solver or a review has started; its results arrive over the live connection."""

    started: bool


class FeatureView(BaseModel):
    """A feature of the position after a move."""

    name: str
    value: float
    weight: float
    contribution: float


class MoveExplanation(BaseModel):
    """The value of a move, feature by feature."""

    move: str
    value: float
    unit: str
    base: float
    total: float | None
    features: list[FeatureView]


class Explanations(BaseModel):
    """Explained moves."""

    moves: list[MoveExplanation]


class RecordView(BaseModel):
    """A game as text, and a name for its file."""

    format: str
    text: str
    filename: str


class EstimateView(BaseModel):
    """An estimate with its 95 % interval; an open end is null."""

    value: float | None
    low: float | None
    high: float | None


class MatchSummary(BaseModel):
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


class RatingView(BaseModel):
    """A bot's rating."""

    bot: str
    elo: EstimateView
    games: int
    points: float


class PairScore(BaseModel):
    """Points scored in games against one opponent."""

    points: float
    games: int


class RatingsView(BaseModel):
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


class RecordSummary(BaseModel):
    """A game in the store."""

    number: int
    game: str
    players: list[str]
    result: str
    ending: str
    plies: int
    when: str
