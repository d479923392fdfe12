"""What the server answers, as types: they are the other part of the OpenAPI schema."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel


class Problem(BaseModel):
    """What was wrong, in one line."""

    error: str


class Played(BaseModel):
    """A move of the game; player -1 is chance."""

    player: int
    text: str
    name: str


class SeatShown(BaseModel):
    """Who sits in a seat."""

    kind: Literal["person", "bot"]
    bot: str | None
    name: str


class Thinking(BaseModel):
    """The bot that thinks, and for how long it has."""

    seat: int
    seconds: float


class ClockShown(BaseModel):
    """Seconds left."""

    left: list[float]
    running: int | None
    increment: float


class TableShown(BaseModel):
    """A table after so many moves, as one seat sees it."""

    id: str
    game: str
    title: str
    version: int
    board: dict[str, Any]
    ply: int
    plies: int
    moves: list[Played]
    seats: list[SeatShown]
    turn: int | None
    legal: list[str]
    over: bool
    scores: list[float] | None
    result: str | None
    thinking: Thinking | None
    clock: ClockShown | None
    remarks: list[str]
    message: str | None
    undo: bool
    swap: str | None
    value: float | None
    paused: bool | None
    speed: float | None
    seed: int | None
    hidden: bool
    viewer: int | None
    number: int | None


class OptionShown(BaseModel):
    """An option of a game or a bot."""

    name: str
    kind: str
    default: str
    least: float | None
    most: float | None
    choices: list[str]
    help: str


class Named(BaseModel):
    """A thing with its one line."""

    name: str
    help: str


class BotShown(BaseModel):
    """A bot that the page may name."""

    name: str
    help: str
    options: list[OptionShown]


class FormatShown(BaseModel):
    """A format of records."""

    name: str
    title: str


class Between(BaseModel):
    """From least to most."""

    least: int
    most: int


class GameShown(BaseModel):
    """A game that can be played here."""

    spec: str
    name: str
    title: str
    help: str
    seats: Between
    seat_names: list[str]
    options: list[OptionShown]
    levels: list[Named]
    bots: list[BotShown]
    default_bot: str
    formats: list[FormatShown]
    board: str
    features: bool
    hidden: bool


class Begun(BaseModel):
    """A study has begun; what it finds comes over the live connection."""

    begun: bool


class FeatureShown(BaseModel):
    """A feature after a move."""

    name: str
    value: float
    weight: float
    part: float


class Explained(BaseModel):
    """A move and why the value likes it."""

    move: str
    value: float
    unit: str
    base: float
    total: float | None
    features: list[FeatureShown]


class Explanations(BaseModel):
    """Moves explained."""

    moves: list[Explained]


class RecordShown(BaseModel):
    """A game as text, and a name for its file."""

    format: str
    text: str
    file: str


class EstimateShown(BaseModel):
    """A number with its 95 % interval; null where it has no end."""

    value: float | None
    low: float | None
    high: float | None


class MatchListed(BaseModel):
    """A match in the store."""

    id: str
    game: str
    bots: list[str]
    games: int
    openings: str | None
    seed: int | None


class MatchShown(MatchListed):
    """A match, with its report where two bots play."""

    report: list[str] | None
    facts: dict[str, Any] | None
    numbers: list[int]


class RatingShown(BaseModel):
    """A bot's rating."""

    bot: str
    elo: EstimateShown
    games: int
    points: float


class Points(BaseModel):
    """Points of games."""

    points: float
    games: int


class RatingsShown(BaseModel):
    """The ratings of one game."""

    game: str
    games: int
    ratings: list[RatingShown]
    first_move: EstimateShown | None
    draw_share: EstimateShown | None
    seats: list[EstimateShown]
    connected: bool
    cross_table: dict[str, dict[str, Points]]
    svg: str


class RecordListed(BaseModel):
    """A game in the store."""

    number: int
    game: str
    players: list[str]
    result: str
    ending: str
    plies: int
    when: str
